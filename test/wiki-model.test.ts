// A build of the wiki with a model, over a real socket: what it writes, what is not taken from it, and what is left when it fails.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { ask } from '../src/models/ask.ts'
import type { ModelQuestion } from '../src/models/context.ts'
import { modelContext } from '../src/models/context.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { listDeadLetters } from '../src/store/memories/dead-letters.ts'
import { callsSince } from '../src/store/memories/model-calls.ts'
import { articleRows } from '../src/store/wiki/articles.ts'
import { sweep } from '../src/sweep.ts'
import { type BuildReport, buildWiki } from '../src/wiki/build.ts'
import { lintWiki } from '../src/wiki/lint/lint.ts'
import { keepCandidates } from './keep-candidates.ts'
import { type Model, modelOf, says, status } from './models/scripted.ts'
import { claudeSession, lines, sessionName } from './program.ts'

const session = `claude-code:${sessionName(0)}`
const cited = '([[journal/2026-09-01|2026-09-01]], `claude-code:00000000-1111`)'

let home: string
let model: Model
let app: ReturnType<typeof createApp>
let ledger: Ledger
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'recollect-wiki-model-'))
  model = await modelOf('openai')
  const folder = join(home, '.claude/projects/-home-dev-app')
  mkdirSync(folder, { recursive: true })
  const says = (turn: number) =>
    ['No, never use npm here. Always use pnpm for installs.', 'Webhooks are retried by the queue, never by us.'][turn]
  writeFileSync(join(folder, `${sessionName(0)}.jsonl`), lines(claudeSession(sessionName(0), 2, { says })))
  const store = join(home, 'store')
  mkdirSync(store)
  // What is there before anybody has a model: memories, the journal, the wiki of the rules.
  writeFileSync(join(store, 'config.toml'), '[models]\norder = ["heuristic"]\n')
  await sweep(appAt('2026-09-01T12:00:00Z'))
  keepCandidates({ store })
  await sweep(appAt('2026-09-01T12:00:00Z'))
  writeFileSync(join(store, 'config.toml'), `[models]\norder = ["openai", "heuristic"]\n${model.config}`)
  app = appAt('2026-09-01T12:00:00Z')
  ledger = app.ledger()
})
afterEach(async () => {
  ledger.close()
  await model.close()
  rmSync(home, { recursive: true })
})

describe('buildWiki with a model', () => {
  it('writes articles beside those of the rules, without lint findings', async () => {
    model.script(says(answer(webhooks(), billing(), connection())))
    const report = await build()
    expect(report.model).toMatchObject({ days: ['2026-09-01'], answered: 1, articles: 3, refused: [], stopped: null })
    expect(read('wiki/concepts/webhook-delivery')).toContain(`- The queue retries webhooks. ${cited}`)
    expect(read('wiki/index')).toContain('[[wiki/connections/webhooks-and-bills\\|Webhooks and bills]]')
    const { findings } = await lintWiki({ ledger, layout: ledger.layout, clock: app.clock, zone: app.zone }, {})
    const isOurs = (path: string) => /webhook|billing/.test(path)
    expect(findings.filter(({ path, severity }) => isOurs(path) && severity !== 'suggestion')).toEqual([])
    expect(callsSince(ledger, 0).map(({ purpose, session: about }) => [purpose, about])).toEqual([
      ['wiki', 'journal/2026-09-01'],
    ])
  })

  it('asks about the journal once', async () => {
    model.script(says(answer()))
    await build()
    await build('2026-09-01T14:00:00Z')
    expect(model.asked).toHaveLength(1)
    const [question] = JSON.parse(model.asked[0]!).messages.slice(-1)
    expect(question.content).toContain(`[session ${session}]`)
    expect(question.content).toContain('Webhooks are retried by the queue')
  })

  it('adds prose to an article by rules; later builds keep both', async () => {
    const ruled = articleRows(ledger).find(({ topic }) => topic !== null)!
    const before = read(ruled.path)
    model.script(says(answer({ ...webhooks(), path: ruled.path })))
    await build()
    const after = read(ruled.path)
    expect(after).toContain(`- The queue retries webhooks. ${cited}`)
    expect(after).toContain(before.split('## Sources')[1]!.split('<!--')[0]!)
    const edited = after.replace('- The queue retries webhooks.', '- The queue retries webhooks, I checked.')
    writeFileSync(join(ledger.layout.vault, `${ruled.path}.md`), edited)
    await build('2026-09-02T12:00:00Z', { isAll: true })
    expect(read(ruled.path)).toContain('- The queue retries webhooks, I checked.')
  })
})

describe('buildWiki with a misbehaving model', () => {
  it('replaces broken links by text and refuses bad paths and long articles', async () => {
    const broken = { ...webhooks(), details: [say('See [[wiki/concepts/gone|the old one]] for what it was before.')] }
    const out = { ...billing(), path: '../../../../escaped' }
    const up = { ...billing(), title: '../../../../escaped' }
    const long = { ...billing(), title: 'Everything', details: [say('word '.repeat(10_000))] }
    model.script(says(answer(broken, out, up, long)))
    const report = await build()
    expect(report.model?.refused).toEqual([
      { day: '2026-09-01', title: 'Billing', reason: 'its path leads out of the wiki' },
      { day: '2026-09-01', title: 'Everything', reason: 'longer than 40000 characters' },
    ])
    expect(read('wiki/concepts/webhook-delivery')).toContain('See the old one for what it was before.')
    expect(read('wiki/concepts/escaped')).toContain('# ../../../../escaped')
    expect(existsSync(join(home, 'escaped.md'))).toBe(false)
    const { findings } = await lintWiki({ ledger, layout: ledger.layout, clock: app.clock, zone: app.zone }, {})
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([])
  })

  it('asks again after an incomplete answer', async () => {
    model.script(says(answer(webhooks()).slice(0, 90)), says(answer(webhooks())))
    expect((await build()).model).toMatchObject({ articles: 1, stopped: null })
  })

  it('keeps the articles by rules and a dead letter after a failure, and resumes later', async () => {
    model.script(status(500))
    const report = await build()
    expect(report.model).toMatchObject({ days: [], articles: 0, stopped: 'failed' })
    expect(articleRows(ledger).every(({ topic }) => topic !== null)).toBe(true)
    expect(listDeadLetters(ledger)).toMatchObject([{ purpose: 'wiki', session: 'journal/2026-09-01', rounds: 1 }])
    model.script(says(answer(webhooks())))
    expect((await build('2026-09-01T13:00:00Z')).model).toMatchObject({ answered: 0, days: [] })
    expect((await build('2026-09-01T18:00:00Z')).model).toMatchObject({ answered: 1, days: ['2026-09-01'] })
    expect(read('wiki/concepts/webhook-delivery')).toContain('The queue retries webhooks.')
    expect(listDeadLetters(ledger)).toEqual([])
  })
})

function appAt(at: string) {
  const env = { RECOLLECT_HOME: join(home, 'store'), PATH: '', ...model.env }
  return createApp({ machine: { home, env, platform: 'linux' }, clock: fixedClock(at) })
}

async function build(at = '2026-09-01T12:00:00Z', options: { isAll?: boolean } = {}): Promise<BuildReport> {
  const now = appAt(at)
  const context = await modelContext({ ...now, ledger })
  const done = await buildWiki(
    {
      ...now,
      ledger,
      ask: <T>(question: ModelQuestion<T>) => ask({ ...context, sleep: async () => {} }, question),
    },
    options,
  )
  if (done.kind !== 'done') throw new Error('somebody else is building')
  return done.report
}

function read(path: string): string {
  return readFileSync(join(ledger.layout.vault, `${path}.md`), 'utf8')
}

function answer(...articles: object[]): string {
  return JSON.stringify({ articles })
}

function say(text: string): object {
  return { text, sessions: [session] }
}

function webhooks(): object {
  return {
    kind: 'concept',
    path: null,
    title: 'Webhook delivery',
    aliases: [],
    tags: ['webhooks'],
    summary: 'Webhooks are sent by the queue. The application stores them and does not try again itself.',
    keyPoints: [say('The queue retries webhooks.')],
    details: [say('The person said that the queue retries webhooks, and that the application never does.')],
    related: ['Billing', 'Webhooks and bills'],
    connects: [],
    insight: '',
    evidence: [],
    sources: [session],
  }
}

function billing(): object {
  return { ...webhooks(), title: 'Billing', related: ['Webhook delivery', 'Webhooks and bills'] }
}

function connection(): object {
  return {
    ...webhooks(),
    kind: 'connection',
    title: 'Webhooks and bills',
    keyPoints: [],
    details: [],
    connects: ['Webhook delivery', 'Billing'],
    insight: 'A webhook that is sent twice makes a second bill.',
    evidence: [say('The queue retries webhooks, and bills are made by them.')],
    related: [],
  }
}
