import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Place, place, sessionName } from '../../../test/program.ts'
import { createApp } from '../../app.ts'
import { fixedClock } from '../../core/clock.ts'
import { zoneOf } from '../../core/units.ts'
import type { AskModel } from '../../journal/context.ts'
import type { ModelQuestion } from '../../models/context.ts'
import type { Ledger } from '../../store/ledger.ts'
import { sweep } from '../../sweep.ts'
import type { Article } from '../article.ts'
import { wikilinksIn } from '../links.ts'
import { writeArticles } from '../write.ts'
import { type AskOptions, askWiki } from './ask.ts'

const project = '/home/dev/app'
const [lamp, boat] = [sessionName(1), sessionName(2)]
const clock = fixedClock('2026-09-21T00:00:00Z')
const zone = zoneOf('UTC')

function talk(name: string, day: string, said: string[]): object[] {
  return said.map((text, index) => ({
    sessionId: name,
    cwd: project,
    uuid: `${name}-${index}`,
    version: '2.1.219',
    timestamp: `${day}T10:0${index}:00.000Z`,
    ...(index % 2 === 0
      ? { type: 'user', message: { role: 'user', content: text } }
      : {
          type: 'assistant',
          message: {
            id: `${name}-${index}`,
            role: 'assistant',
            model: 'claude-opus-4-6',
            content: [{ type: 'text', text }],
          },
        }),
  }))
}

let at: Place
let ledger: Ledger
beforeAll(async () => {
  at = place({
    [`.claude/projects/-a/${lamp}.jsonl`]: talk(lamp, '2026-09-01', [
      'the lighthouse blinks at night, why?',
      'Its capacitor leaks.',
      'Then we replace the capacitor every spring, never the [[lamp]] <script>alert(1)</script> [here](http://evil.example).',
      'Understood.',
    ]),
    [`.claude/projects/-a/${boat}.jsonl`]: talk(boat, '2026-09-02', [
      'paint the ferry green',
      'The ferry is green now.',
    ]),
  })
  const machine = { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' as const }
  await sweep(createApp({ machine, clock }))
  ledger = createApp({ machine }).ledger()
  await writeArticles({ ledger }, { articles: [article] })
})
afterAll(() => {
  ledger.close()
  at.remove()
})

const mark = `claude-code:${lamp.slice(0, 13)}`

const article: Article = {
  kind: 'concept',
  path: 'wiki/concepts/lighthouse',
  head: {
    title: 'Lighthouse',
    aliases: ['beacon'],
    tags: [],
    project,
    topic: 'word:lighthouse',
    connects: [],
    question: null,
    sources: ['journal/2026-09-01'],
    created: '2026-09-01',
    updated: '2026-09-01',
  },
  summary: 'How the lighthouse is kept.',
  sections: [
    { name: 'rules', text: `## Rules\n\n- Replace the capacitor. ([[journal/2026-09-01|2026-09-01]], \`${mark}\`)` },
    { name: 'details', text: '## Details\n\nIts zeppelin mast was taken down by the harbour master.' },
  ],
}

/** A model that answers what it is told to, and what it was asked. */
function scripted(value: unknown): { ask: AskModel; asked: ModelQuestion<unknown>[] } {
  const asked: ModelQuestion<unknown>[] = []
  const ask: AskModel = async (question) => {
    asked.push(question as ModelQuestion<unknown>)
    const checked = question.schema.safeParse(value)
    if (!checked.success) return { kind: 'failed', reasons: [] }
    return { kind: 'answered', value: checked.data, provider: 'ollama', model: 'qwen', costUsd: 0 }
  }
  return { ask, asked }
}

const asking = (question: string, options: AskOptions = {}, ask?: AskModel) =>
  askWiki({ ledger, clock, zone, ask }, question, options)

const question = 'When do we replace the capacitor of the lighthouse?'

describe('askWiki without a model', () => {
  it('returns the passages with article, day and session', async () => {
    const { answer, article: filed, ...rest } = await asking(question)
    expect(rest).toMatchObject({
      question,
      known: true,
      by: 'passages',
      sessions: [`claude-code:${lamp}`],
      citations: expect.arrayContaining([
        {
          link: '[[wiki/concepts/lighthouse|Lighthouse]]',
          article: 'wiki/concepts/lighthouse',
          session: `claude-code:${lamp}`,
          day: '2026-09-01',
        },
      ]),
    })
    expect(answer).toContain(
      `1. [[wiki/concepts/lighthouse|Lighthouse]], [[journal/2026-09-01|2026-09-01]], \`${mark}#2\``,
    )
    expect(answer).toContain('we replace the capacitor every spring')
    expect(filed).toBeNull()
  })

  it('escapes links, HTML and headings in quotes', async () => {
    const { answer } = await asking(question)
    expect(wikilinksIn(answer).map(({ target }) => target)).not.toContain('lamp')
    expect(answer).not.toMatch(/<script|\]\(http/)
  })

  it('finds text that only an article has', async () => {
    const { citations, answer, sessions } = await asking('zeppelin mast')
    expect(citations).toEqual([
      {
        link: '[[wiki/concepts/lighthouse|Lighthouse]]',
        article: 'wiki/concepts/lighthouse',
        session: null,
        day: '2026-09-01',
      },
    ])
    expect(answer).toContain('zeppelin mast was taken down')
    expect(sessions).toEqual([])
  })

  it.each([
    ['nothing that was ever mentioned', 'Which submarine dives deepest?', '“submarine”'],
    ['one word in common', 'Who invented the ferry turbine gearbox?', '“turbine”'],
  ])('says that it does not know: %s', async (_, unknown, missing) => {
    const answer = await asking(unknown, { fileBack: true })
    expect(answer).toMatchObject({ known: false, citations: [], sessions: [], article: null })
    expect(answer.answer).toMatch(/^Nothing found\. No source mentions /)
    expect(answer.answer).toContain(missing)
  })

  it('names the words of the question that no source mentions', async () =>
    expect(
      (await asking('replace the leaking capacitor of the lighthouse every spring by submarine')).answer,
    ).toContain('None of this mentions “submarine”.'))

  it('searches only the given project', async () =>
    expect((await asking(question, { project: '/home/dev/other' })).known).toBe(false))
})

describe('askWiki with a model', () => {
  const good = { known: true, answer: 'Every spring [1]. See also:\n- the mast', followUps: ['Who does it?'] }

  it('replaces citations by links; shows numbered records and the index', async () => {
    const { ask, asked } = scripted(good)
    const { answer, by, citations, known, sessions } = await asking(question, {}, ask)
    expect({ by, known, sessions }).toEqual({
      by: 'ollama qwen',
      known: true,
      sessions: [`claude-code:${lamp}`],
    })
    expect(answer).toContain('Every spring ([[wiki/concepts/lighthouse|Lighthouse]], [[journal/2026-09-01|2026-09-01]]')
    expect(answer).toContain('\n- the mast')
    expect(citations).toHaveLength(1)
    expect(asked[0]!.text).toContain('<record number="1">')
    expect(asked[0]!.text).toContain('- Lighthouse: How the lighthouse is kept.')
    expect(asked[0]!.text.length).toBeLessThan(15_000)
  })

  it.each([
    ['cites what it was not shown', { ...good, answer: 'Every spring [1][99].' }],
    ['cites nothing', { ...good, answer: 'Every spring.' }],
    ['cites only inside of code', { ...good, answer: 'Every `list[1]`.' }],
    ['says nothing', { ...good, answer: '' }],
    ['does not answer in the schema', { answer: 7 }],
  ])('gives the passages where it %s', async (_, value) =>
    expect(await asking(question, {}, scripted(value).ask)).toMatchObject({ by: 'passages', known: true }),
  )

  it('escapes links, headings and HTML of the answer', async () => {
    const answer =
      '# Now\n[1](http://evil.example) ![x](http://evil.example/x.png) <img src=x> [[secret]] [1]\n```\ncode'
    const told = await asking(question, {}, scripted({ ...good, answer }).ask)
    expect(told.by).toBe('ollama qwen')
    expect(told.answer).not.toMatch(/\]\(http|<img|^#|```/m)
    expect(wikilinksIn(told.answer).map(({ target }) => target)).not.toContain('secret')
  })

  it('is unknown if the model says so', async () => {
    const value = { known: false, answer: 'The price is not told.', followUps: [] }
    expect(await asking(question, { fileBack: true }, scripted(value).ask)).toMatchObject({
      known: false,
      answer: 'Nothing found that answers this. The price is not told.',
      citations: [],
      article: null,
    })
  })

  it('does not ask without sources', async () => {
    const { ask, asked } = scripted(good)
    expect((await asking('qqqq wwww', {}, ask)).known).toBe(false)
    expect(asked).toEqual([])
  })
})

describe('askWiki with fileBack', () => {
  const path = 'wiki/answers/when-do-we-replace-the-capacitor-of-the-lighthouse'
  const read = () => readFileSync(join(ledger.layout.vault, `${path}.md`), 'utf8')
  const keep = async (asked: string) => {
    const { article: filed } = await asking(asked, { fileBack: true, project })
    await writeArticles({ ledger }, { articles: [filed!] })
    return filed!
  }
  afterEach(() => writeArticles({ ledger }, { articles: [], vanished: [path] }))

  it('makes an article with question, answer, evidence and sources', async () => {
    const filed = await keep(question)
    expect(filed).toMatchObject({
      kind: 'answer',
      path,
      head: { question, project, sources: ['journal/2026-09-01'], created: '2026-09-01', updated: '2026-09-01' },
    })
    expect(filed.summary).toContain('capacitor')
    expect(filed.sections.map(({ name }) => name)).toEqual(['answer', 'evidence', 'related', 'sources'])
    expect(read()).toContain('# When do we replace the capacitor of the lighthouse?')
  })

  it('reuses the article of the same question and does not cite it', async () => {
    await keep(question)
    const before = read()
    expect((await keep(question)).path).toBe(path)
    expect(read()).toBe(before)
    expect(before).not.toContain(`[[${path}`)
  })

  it('redacts secrets of the question', async () => {
    const token = `ghp_${'aB3'.repeat(12)}`
    const kept = await asking(`When do we replace the capacitor of the lighthouse? ${token}`, { fileBack: true })
    expect(kept.known).toBe(true)
    expect(JSON.stringify(kept)).not.toMatch(/aB3aB3/i)
  })

  it('does not overwrite another question with the same slug', async () => {
    await keep(question)
    const other = await asking('When do we replace the capacitor (of the lighthouse)?', { fileBack: true })
    expect(other.article!.path).toMatch(/^wiki\/answers\/when-do-we-replace-the-capacitor-of-the-lighthouse-./)
  })
})
