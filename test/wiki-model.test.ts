// A build of the wiki with a model, over a real socket: what it writes, what is not taken from it, and what is left when it fails.
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { forget } from '../src/learn/change.ts'
import type { Memory } from '../src/memory/memory.ts'
import { ask } from '../src/models/ask.ts'
import type { ModelQuestion } from '../src/models/context.ts'
import { modelContext } from '../src/models/context.ts'
import { readValue } from '../src/store/key-values.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { listDeadLetters } from '../src/store/memories/dead-letters.ts'
import { callsSince } from '../src/store/memories/model-calls.ts'
import { articleRows } from '../src/store/wiki/articles.ts'
import { sweep } from '../src/sweep.ts'
import { type BuildReport, buildWiki } from '../src/wiki/build.ts'
import { lintWiki } from '../src/wiki/lint/lint.ts'
import { type Model, modelOf, says, status } from './models/scripted.ts'
import { claudeSession, lines, sessionName } from './program.ts'
import { sampleMemory } from './sample-memory.ts'

const project = '/home/dev/app'
const statements = [
  statement('m-w1', 'Webhooks are retried by the queue'),
  statement('m-w2', 'The request handler never retries a webhook'),
  statement('m-t1', 'Tests never touch the network'),
  statement('m-t2', 'Write the tests against a real database'),
  statement('m-o1', 'Answer in English'),
]

const webhooks = {
  was: null,
  title: 'Webhook delivery',
  aliases: [],
  memories: ['m-w1', 'm-w2'],
  summary: 'The queue delivers webhooks and retries them.',
  details: [{ text: 'A customer was charged twice before that.', memories: ['m-w1', 'm-w2'] }],
}
const testing = {
  was: null,
  title: 'Testing without mocks',
  aliases: ['QA'],
  memories: ['m-t1', 'm-t2'],
  summary: 'Tests use real services but no network.',
  details: [],
}
const connection = {
  title: 'Webhooks in tests',
  connects: ['Webhook delivery', 'Testing without mocks'],
  insight: { text: 'A webhook cannot be delivered in a test.', memories: ['m-w1', 'm-t1'] },
  evidence: [{ text: 'Tests never touch the network.', memories: ['m-t1'] }],
}

let home: string
let model: Model
let app: ReturnType<typeof createApp>
let ledger: Ledger
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'recollect-wiki-model-'))
  model = await modelOf('openai')
  const folder = join(home, '.claude/projects/-home-dev-app')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${sessionName(0)}.jsonl`), lines(claudeSession(sessionName(0), 2)))
  const store = join(home, 'store')
  mkdirSync(store)
  // What is there before anybody has a model: memories, and the wiki of the rules.
  writeFileSync(join(store, 'config.toml'), '[models]\norder = ["heuristic"]\n')
  await sweep(appAt('2026-09-01T12:00:00Z'))
  const before = appAt('2026-09-01T12:00:00Z').ledger()
  before.transaction(() =>
    changeMemories(before, { at: '2026-09-01T12:00:00.000Z', kind: 'learned', about: '' }, statements),
  )
  before.close()
  await sweep(appAt('2026-09-01T14:00:00Z'))
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
  it('writes articles with its titles and texts, without lint findings', async () => {
    model.script(says(answer([webhooks, testing], [connection])))
    const report = await build()
    expect(report.model).toMatchObject({ projects: [project], refused: [], stopped: null })
    const article = read('wiki/concepts/webhook-delivery')
    expect(article).toContain('# Webhook delivery')
    expect(article).toContain('The queue delivers webhooks and retries them.')
    expect(article).toContain('- Webhooks are retried by the queue')
    expect(article).toContain('A customer was charged twice before that. (')
    expect(read('wiki/index')).toContain('| The queue delivers webhooks and retries them. |')
    expect(read('wiki/index')).toContain('[[wiki/connections/webhooks-in-tests\\|Webhooks in tests]]')
    const { findings } = await lintWiki({ ledger, layout: ledger.layout, clock: app.clock, zone: app.zone }, {})
    expect(findings).toEqual([])
    expect(callsSince(ledger, 0).map(({ purpose, session: about }) => [purpose, about])).toEqual([
      ['wiki', `project:${project}`],
    ])
  })

  it('gives an article of the rules its own title', async () => {
    // So many that the rules give the tests an article of their own.
    learn(statement('m-t3', 'Tests run in order'))
    learn(statement('m-t4', 'The tests print no logs'))
    for (let at = 0; at < 16; at++) learn(statement(`m-x${at}`, `Prefer \`tool${at}\` to \`old${at}\``))
    await buildWiki({ ...appAt('2026-09-01T13:00:00Z'), ledger }, {})
    expect(read('wiki/concepts/tests')).toContain('# Tests\n')
    model.script(says(answer([{ ...testing, was: 't1' }])))
    await build()
    expect(read('wiki/concepts/tests')).toContain('# Testing without mocks\n')
    expect(read('wiki/index')).toContain('[[wiki/concepts/tests\\|Testing without mocks]]')
  })

  it('asks about the statements once, and again after one has changed', async () => {
    model.script(says(answer([webhooks])))
    await build()
    await build('2026-09-01T14:00:00Z')
    expect(model.asked).toHaveLength(1)
    learn(statement('m-new', 'Webhooks are signed'))
    await build('2026-09-01T15:00:00Z')
    expect(model.asked).toHaveLength(2)
    const [question] = JSON.parse(model.asked[1]!).messages.slice(-1)
    expect(question.content).toContain('t1 Webhook delivery: m-new m-w1 m-w2')
    expect(question.content).toContain('[m-new] (2026-09-01, decision, user said) Webhooks are signed')
  })

  it('renames, merges and splits topics; a continued one keeps its file and the text of a person', async () => {
    model.script(says(answer([webhooks, testing])))
    await build()
    appendFileSync(join(ledger.layout.vault, 'wiki/concepts/webhook-delivery.md'), '\nAsk Ann first.\n')
    const all = [...webhooks.memories, ...testing.memories]
    model.script(says(answer([{ ...webhooks, was: 't1', title: 'Webhooks and their tests', memories: all }])))
    learn(statement('m-new', 'Webhooks are signed'))
    const report = await build('2026-09-01T15:00:00Z')
    expect(report.removed).toEqual(['wiki/concepts/testing-without-mocks'])
    const merged = read('wiki/concepts/webhook-delivery')
    expect(merged).toContain('# Webhooks and their tests\n')
    expect(merged).toContain('Ask Ann first.')
    expect(merged).toContain('Tests never touch the network')
  })

  it('keeps its topics without a model, and drops its text with the memory it comes from', async () => {
    model.script(says(answer([webhooks, testing])))
    await build()
    forget({ ledger, clock: app.clock, origin: '' }, 'm-w2')
    await buildWiki({ ...appAt('2026-09-03T12:00:00Z'), ledger }, {})
    expect(existsSync(join(ledger.layout.vault, 'wiki/concepts/webhook-delivery.md'))).toBe(false)
    expect(read('wiki/concepts/testing-without-mocks')).toContain('# Testing without mocks')
    expect(JSON.stringify(readValue(ledger, `wiki topics ${project}`))).not.toContain('charged twice')
  })
})

describe('buildWiki with a misbehaving model', () => {
  it('keeps the good items of an answer', async () => {
    const bad = { ...webhooks, title: '../../escaped.ts', memories: ['m-o1'] }
    const invented = { text: 'Invented.', memories: ['m-nothing'] }
    const linked = { text: 'See [[wiki/concepts/gone|the old one]] <b>now</b>.', memories: ['m-t1'] }
    model.script(says(answer([bad, { ...webhooks, details: [invented] }, { ...testing, details: [linked] }])))
    expect((await build()).model?.refused).toEqual([
      { title: '../../escaped.ts', reason: 'Its title is an identifier' },
    ])
    expect(read('wiki/concepts/webhook-delivery')).not.toContain('Invented.')
    expect(read('wiki/concepts/testing-without-mocks')).toContain('See the old one &lt;b>now&lt;/b>.')
  })

  it('asks again after an incomplete answer', async () => {
    model.script(says(answer([webhooks]).slice(0, 90)), says(answer([webhooks])))
    expect((await build()).model).toMatchObject({ projects: [project], stopped: null })
  })

  it('keeps the articles of the rules and a dead letter after a failure, and resumes later', async () => {
    const before = articleRows(ledger).map(({ path }) => path)
    model.script(status(500))
    expect((await build()).model).toMatchObject({ projects: [], stopped: 'failed' })
    expect(articleRows(ledger).map(({ path }) => path)).toEqual(before)
    expect(listDeadLetters(ledger)).toMatchObject([{ purpose: 'wiki', session: `project:${project}`, rounds: 1 }])
    model.script(says(answer([webhooks])))
    expect((await build('2026-09-01T13:00:00Z')).model).toMatchObject({ projects: [] })
    expect((await build('2026-09-01T18:00:00Z')).model).toMatchObject({ projects: [project] })
    expect(read('wiki/concepts/webhook-delivery')).toContain('The queue delivers webhooks')
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

function answer(topics: object[], connections: object[] = []): string {
  return JSON.stringify({ topics, connections })
}

function statement(id: string, text: string): Memory {
  const evidence = [{ session: `claude-code:${sessionName(0)}`, event: null, quote: text }]
  return sampleMemory({ id, text, project, evidence })
}

function learn(memory: Memory): void {
  ledger.transaction(() =>
    changeMemories(ledger, { at: '2026-09-01T12:30:00.000Z', kind: 'learned', about: '' }, [memory]),
  )
}
