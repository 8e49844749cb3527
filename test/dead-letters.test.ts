// What a model should have judged and did not: each failure of each provider is kept, shown, asked again when its cause
// is over, and judged once.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type App, createApp, withCircuitBreaker } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { waitingLines, waitingQuestions } from '../src/learn/model/waiting-questions.ts'
import { ask } from '../src/models/ask.ts'
import { setConsent } from '../src/models/consent.ts'
import { modelContext, type ProviderName, type QuestionPurpose } from '../src/models/context.ts'
import { endForkCooldowns } from '../src/models/fork/ask-fork.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { listDeadLetters, makeDeadLettersDue } from '../src/store/memories/dead-letters.ts'
import { resetLearning, unjudgedSessions } from '../src/store/memories/learning.ts'
import { listCandidates, listMemories } from '../src/store/memories/memories.ts'
import { callsSince } from '../src/store/memories/model-calls.ts'
import { readWorkLog } from '../src/store/work-log.ts'
import { sweep } from '../src/sweep.ts'
import { type Act, type Model, modelOf, says, status } from './models/scripted.ts'
import { claudeSession, lines, sessionName } from './program.ts'
import { sample } from './proof.ts'
import { sampleMemory } from './sample-memory.ts'

const rule = 'No, never use npm here. Always use pnpm for installs.'
const judged = 'Packages are installed with pnpm.'
const memory = { kind: 'preference', text: judged, quote: 'Always use pnpm for installs.', message: 1 }
const answer = JSON.stringify({ memories: [memory] })
const noon = '2026-09-01T12:00:00Z'
const soon = '2026-09-01T12:10:00Z'
const evening = '2026-09-01T18:30:00Z'
const tomorrow = '2026-09-02T09:00:00Z'

let home: string
let model: Model
let settings: string
let env: Record<string, string>
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'recollect-letters-'))
  settings = ''
  env = {}
})
afterEach(async () => {
  await model.close()
  rmSync(home, { recursive: true })
})

function writeSessions(count: number, turns = 1): void {
  const folder = join(home, '.claude/projects/-home-dev-app')
  mkdirSync(folder, { recursive: true })
  mkdirSync(join(home, 'app'), { recursive: true })
  for (let index = 0; index < count; index++) {
    const cwd = join(home, 'app')
    const session = claudeSession(sessionName(index), turns, { cwd, says: (turn) => (turn === 0 ? rule : undefined) })
    writeFileSync(join(folder, `${sessionName(index)}.jsonl`), lines(session))
  }
}

function appAt(order: string[], at: string): App {
  const store = join(home, 'store')
  mkdirSync(store, { recursive: true })
  writeFileSync(join(store, 'config.toml'), `[models]\norder = ${JSON.stringify(order)}\n${model.config}${settings}`)
  const machine = { home, env: { RECOLLECT_HOME: store, PATH: '', ...model.env, ...env }, platform: 'linux' as const }
  return createApp({ machine, clock: fixedClock(at) })
}

/** Longer than a scripted model needs, also the program on a busy machine. */
const enoughMs = 4000
let timeoutMs = enoughMs

/** As the program sweeps, but without the pauses between attempts and without the wiki. */
async function run(
  order: string[],
  at: string,
  prepare: (ledger: Ledger, app: App) => void = () => {},
  purposes: QuestionPurpose[] = ['memories'],
) {
  const app = appAt(order, at)
  const context = (ledger: Ledger) => {
    const quickly = withCircuitBreaker(async (question) => {
      if (!purposes.includes(question.purpose)) return { kind: 'unavailable', reasons: [] }
      return ask({ ...(await modelContext({ ...app, ledger })), sleep: async () => {}, timeoutMs }, question)
    })
    return { ...app.context(ledger), ask: quickly }
  }
  const ledger = app.ledger()
  for (const name of order) if (name !== 'heuristic') setConsent(ledger, app.clock, name as ProviderName, 'allowed')
  prepare(ledger, app)
  await sweep({ ...app, context })
  try {
    return {
      current: listMemories(ledger, { state: 'kept', isCurrent: true }).map(({ text }) => text),
      letters: listDeadLetters(ledger),
      candidates: listCandidates(ledger).map(({ text }) => text),
      unjudged: unjudgedSessions(ledger, 0).length,
      shown: waitingQuestions(ledger),
      lines: ((waiting) => (waiting ? waitingLines(waiting, app.zone) : []))(waitingQuestions(ledger)),
      calls: callsSince(ledger, 0),
      log: readWorkLog(ledger),
    }
  } finally {
    ledger.close()
  }
}

/** Enough for a model to group. */
const rememberThree = (ledger: Ledger) => {
  const texts = ['Releases are cut on Tuesday', 'Tests run offline', 'Images are small']
  const three = texts.map((text, at) => sampleMemory({ id: `m-${at}`, text, at: '2026-09-01T11:00:00.000Z' }))
  const change = { at: '2026-09-01T11:00:00.000Z', kind: 'learned', about: 'three' } as const
  ledger.transaction(() => changeMemories(ledger, change, three))
}

const retry = (ledger: Ledger, app: App) => {
  endForkCooldowns(ledger, app.clock)
  makeDeadLettersDue(ledger)
}

/** What happens, how it is kept, and how often it was asked in the run. docs/learning.md has the same table. */
const failures: [string, Act, 'failed' | 'access', attempts: number][] = [
  ['an error of the server (500)', status(500), 'failed', 3],
  ['no answer in time', { kind: 'silence' }, 'failed', 3],
  ['a refused connection', { kind: 'no connection' }, 'failed', 3],
  ['a busy server (429)', status(429), 'failed', 3],
  ['a wrong key (401)', status(401), 'access', 1],
  ['a forbidden request (403)', status(403), 'access', 1],
  ['an unknown model (404)', status(404), 'access', 1],
  ['a request that is refused (400)', status(400), 'failed', 1],
  ['another protocol', { kind: 'garbage', text: '<html>no</html>' }, 'failed', 3],
  ['an empty answer', says(''), 'failed', 2],
  ['half an answer', says(answer.slice(0, answer.length / 2)), 'failed', 2],
  ['an answer of another shape', says('{"memories": 7}'), 'failed', 2],
]

/** Servers with the OpenAI protocol are asked once more in its oldest form. */
function attemptsOf(provider: string, act: Act, attempts: number): number {
  return provider === 'openai' && act.kind === 'status' && [400, 404].includes(act.status) ? 2 : attempts
}

const names = ['claude', 'anthropic', 'openai', 'ollama'] as const

describe.each(sample(names, 1))('SPEC A.22: %s', (provider) => {
  const order = [provider, 'heuristic']
  beforeEach(async () => {
    model = await modelOf(provider)
    writeSessions(1)
  })

  it.each(sample(failures, 3))('after %s: kept, shown, asked again, judged once', async (_, act, cause, attempts) => {
    model.script(act)
    timeoutMs = act.kind === 'silence' ? 1500 : enoughMs
    const first = await run(order, noon)
    timeoutMs = enoughMs
    expect(first.letters).toMatchObject([{ cause, rounds: 1, isQuarantined: false }])
    // Ollama has two models, which are asked one after the other; one that is refused is not repaired.
    const asked = model.asked.length
    const expected = attemptsOf(provider, act, attempts)
    expect(asked / expected).toBe(provider === 'ollama' ? 2 : 1)
    // The letter has the text, so the cursor does not wait.
    expect(first).toMatchObject({ unjudged: 0, current: [] })
    expect(first.candidates.join()).toContain('Always use pnpm')
    expect(first.shown).toMatchObject({ count: 1, since: '2026-09-01T12:00:00.000Z', needsUser: cause === 'access' })
    expect(first.lines.join('\n')).toMatch(
      /^1 question waits for a model since .*\n {2}Last reason: .*\n[\s\S]*sweep --retry/,
    )

    model.script(says(answer))
    await run(order, soon)
    expect(model.asked.length, 'the cool-down is not over').toBe(asked)

    const later = await run(order, evening)
    expect(later).toMatchObject({ letters: [], current: [judged], candidates: [], unjudged: 0 })
    await run(order, tomorrow)
    expect(model.asked.length).toBe(asked + 1)
  })

  it('half right is answered: what can be used is kept, the rest is dropped with its reason', async () => {
    model.script(says(JSON.stringify({ memories: [memory, { ...memory, quote: 'bananas are blue and round' }, 7] })))
    const done = await run(order, noon)
    expect(done).toMatchObject({ letters: [], current: [judged], candidates: [] })
    expect(done.calls).toMatchObject([
      { result: 'ok', memoriesSaved: 1, dropped: 2, drops: [{ reason: 'no such quote' }, { reason: 'no memory' }] },
    ])
  })

  it('that finds nothing worth keeping is answered', async () => {
    model.script(says('{"memories":[]}'))
    expect(await run(order, noon)).toMatchObject({ letters: [], current: [], candidates: [], unjudged: 0 })
    await run(order, evening)
    expect(model.asked).toHaveLength(1)
  })

  it('stays visible after three rounds, until a user asks again', async () => {
    model.script(status(500))
    for (const hour of ['01T12', '01T19', '02T02', '02T09']) await run(order, `2026-09-${hour}:00:00Z`)
    const asked = model.asked.length
    const held = await run(order, '2026-09-03T12:00:00Z')
    expect(model.asked.length).toBe(asked)
    expect(held.shown).toMatchObject({ count: 1, quarantined: 1, nextMs: null, needsUser: true })
    model.script(says(answer))
    expect(await run(order, '2026-09-03T13:00:00Z', retry)).toMatchObject({ letters: [], current: [judged] })
  })

  it('is kept in the same way where there are no rules', async () => {
    model.script(status(401))
    expect(await run([provider], noon)).toMatchObject({ letters: [{ cause: 'access' }], candidates: [], unjudged: 0 })
    model.script(says(answer))
    expect(await run([provider], evening)).toMatchObject({ letters: [], current: [judged] })
  })
})

describe('SPEC A.22: what two failures leave', () => {
  beforeEach(async () => {
    model = await modelOf('openai')
    writeSessions(5)
  })
  const order = ['openai', 'heuristic']

  it('is kept and judged once the model answers', async () => {
    model.script(status(500))
    const down = await run(order, noon)
    expect(down.letters.map(({ cause }) => cause)).toEqual(['failed', 'failed', 'not asked', 'not asked', 'not asked'])
    expect(down.lines[0]).toContain('5 questions wait for a model')
    const asked = model.asked.length
    model.script(says(answer))
    // Two by themselves per run; an answer ends the cool-down of what was never asked.
    for (const minute of ['30', '31', '32']) await run(order, `2026-09-01T18:${minute}:00Z`)
    const up = await run(order, '2026-09-01T18:33:00Z')
    expect(up.letters).toEqual([])
    expect(up.current).toEqual([judged])
    expect(model.asked.length).toBe(asked + 5)
  })

  it('is asked at once, in one run, with --retry', async () => {
    model.script(status(403))
    await run(order, noon)
    model.script(says(answer))
    expect(await run(order, soon, retry)).toMatchObject({ letters: [], current: [judged] })
  })

  it('is not asked in every run while the model is down', async () => {
    model.script(status(500))
    await run(order, noon)
    const asked = model.asked.length
    await run(order, soon, retry)
    await run(order, '2026-09-01T12:20:00Z')
    // Two questions of three attempts each.
    expect(model.asked.length).toBe(asked + 6)
    for (const minute of ['30', '31', '32']) await run(order, `2026-09-01T18:${minute}:00Z`)
    expect(model.asked.length).toBe(asked + 12)
  })
})

describe('SPEC A.22: access', () => {
  it('is tried again at once with another key', async () => {
    model = await modelOf('anthropic')
    writeSessions(1)
    model.script(status(401))
    await run(['anthropic', 'heuristic'], noon)
    model.script(says(answer))
    env = { ANTHROPIC_API_KEY: 'another' }
    expect(await run(['anthropic', 'heuristic'], soon)).toMatchObject({ letters: [], current: [judged] })
  })

  it('that is refused for days does not put questions into quarantine', async () => {
    model = await modelOf('claude')
    writeSessions(1)
    model.script(status(401))
    for (let day = 1; day <= 4; day++) await run(['claude', 'heuristic'], `2026-09-0${day}T12:00:00Z`)
    model.script(says(answer))
    expect(await run(['claude', 'heuristic'], '2026-09-07T12:00:00Z')).toMatchObject({ letters: [], current: [judged] })
  })

  it('is missed if an allowed program is gone', async () => {
    model = await modelOf('claude')
    writeSessions(1)
    env = { PATH: '' }
    const gone = await run(['claude', 'heuristic'], noon)
    expect(gone.letters).toMatchObject([{ cause: 'access', reason: 'claude: the claude program is not installed' }])
  })

  it('is an outage if nothing answers at the address of Ollama', async () => {
    model = await modelOf('ollama')
    writeSessions(1)
    env = { OLLAMA_HOST: '127.0.0.1:9' }
    const down = await run(['ollama', 'heuristic'], noon)
    expect(down.letters).toMatchObject([{ cause: 'not asked', reason: expect.stringContaining('nothing answers at') }])
    expect(down.lines.join('\n')).toContain('Asked again from 2026-09-01 18:00 on')
  })

  it('is not missed if no model is allowed', async () => {
    model = await modelOf('claude')
    writeSessions(1)
    const refuse = (ledger: Ledger, app: App) => setConsent(ledger, app.clock, 'claude', 'refused')
    const refused = await run(['claude', 'heuristic'], noon, refuse)
    expect(refused).toMatchObject({ letters: [], current: [], unjudged: 1 })
    expect(refused.candidates).toHaveLength(1)
  })
})

describe.each(sample(['claude', 'anthropic'] as const, 1))('SPEC A.22: the budget of %s', (provider) => {
  beforeEach(async () => {
    model = await modelOf(provider)
    writeSessions(3)
    settings = 'daily_calls = 1\n'
    model.script(says(answer))
  })
  const order = [provider, 'heuristic']

  it('lets the rest wait for the next day', async () => {
    const today = await run(order, noon)
    expect(today.letters).toMatchObject([{ cause: 'budget' }, { cause: 'budget' }])
    expect(today.lines.join('\n')).toContain('Asked again tomorrow')
    expect((await run(order, evening)).letters).toHaveLength(2)
    expect(model.asked).toHaveLength(1)
    expect((await run(order, tomorrow)).letters).toHaveLength(1)
    const last = await run(order, '2026-09-03T09:00:00Z')
    expect(last).toMatchObject({ letters: [], current: [judged] })
    expect(model.asked).toHaveLength(3)
  })

  it('is spent at once if it is raised', async () => {
    await run(order, noon)
    settings = 'daily_calls = 10\n'
    expect((await run(order, soon)).letters).toEqual([])
  })
})

it('SPEC A.22: the share for memories that is used up lets them wait, and the wiki is still asked', async () => {
  model = await modelOf('anthropic')
  writeSessions(3)
  settings = 'daily_calls = 10\n[models.share]\nmemories = 10\n'
  model.script(says(answer))
  const today = await run(['anthropic', 'heuristic'], noon, rememberThree, ['memories', 'wiki'])
  const waiting = today.letters.filter(({ purpose }) => purpose === 'memories')
  expect(waiting).toMatchObject([{ cause: 'budget' }, { cause: 'budget' }])
  expect(waiting[0]!.reason).toBe('anthropic: the limit of 1 call a day is reached for memories (models.share)')
  expect(today.calls.map(({ purpose }) => purpose)).toContain('wiki')
  settings = 'daily_calls = 10\n[models.share]\nmemories = 50\n'
  const raised = await run(['anthropic', 'heuristic'], soon)
  expect(raised.letters.filter(({ purpose }) => purpose === 'memories')).toEqual([])
})

it('SPEC A.22: exchanges of a session that were not asked are asked together', async () => {
  model = await modelOf('openai')
  settings = '[learn]\nwhen = "turn"\n'
  writeSessions(2, 12)
  model.script(status(500))
  const down = await run(['openai', 'heuristic'], noon)
  // Windows of five, five and two turns: two fail, and the others are joined by session.
  expect(down.letters.map(({ cause }) => cause)).toEqual(['failed', 'failed', 'not asked', 'not asked'])
  const places = down.letters.map(({ session, fromSeq, toSeq }) => ({ session, fromSeq, toSeq }))
  for (const { session, fromSeq } of places.filter(({ fromSeq }) => fromSeq > 0))
    expect(places.some((other) => other.session === session && other.toSeq === fromSeq)).toBe(true)
  model.script(says('{"memories":[]}'))
  expect((await run(['openai', 'heuristic'], soon, retry)).letters).toEqual([])
})

it('SPEC A.22: a letter is not asked again after its exchange was judged in another way', async () => {
  model = await modelOf('openai')
  writeSessions(1)
  model.script(status(500))
  await run(['openai', 'heuristic'], noon)
  model.script(says(answer))
  expect(await run(['openai', 'heuristic'], soon, resetLearning)).toMatchObject({ letters: [], current: [judged] })
})

describe('SPEC C.6: a fork of the session', () => {
  const memory = `---\nname: pnpm\ntype: feedback\nkind: preference\n---\n${judged}\n`
  beforeEach(async () => {
    model = await modelOf('claude')
    writeSessions(1, 3)
  })

  it.each([
    ['with rules behind it', ['claude-fork', 'heuristic']],
    ['alone', ['claude-fork']],
  ])('that fails %s is asked again with --retry, and the session is judged once', async (_, order) => {
    model.script(status(500))
    const failed = await run(order, noon)
    expect(failed).toMatchObject({ unjudged: 0, current: [] })
    expect(failed.letters).toMatchObject([
      { cause: 'failed', reason: expect.stringMatching(/^claude-fork: API Error/) },
    ])
    expect(failed.shown).toMatchObject({ count: 1 })
    model.script(says(memory))
    await run(order, soon)
    expect(model.asked).toHaveLength(1)
    const later = await run(order, '2026-09-01T12:20:00Z', retry)
    expect(later).toMatchObject({ letters: [], unjudged: 0 })
    expect(later.current).toContain(judged)
    expect(model.asked).toHaveLength(2)
  })

  it('alone keeps a long session as one question', async () => {
    writeSessions(1, 12)
    model.script(status(500), says(memory))
    const failed = await run(['claude-fork'], noon)
    expect(failed).toMatchObject({ letters: [{ fromSeq: 0 }], unjudged: 0 })
    expect(await run(['claude-fork'], evening)).toMatchObject({ letters: [], unjudged: 0, current: [judged] })
    expect(model.asked).toHaveLength(2)
  })

  it('is asked again by itself after six hours', async () => {
    model.script(status(500), says(memory))
    await run(['claude-fork', 'heuristic'], noon)
    expect((await run(['claude-fork', 'heuristic'], evening)).letters).toEqual([])
  })

  it('that fails is no loss if a model answers', async () => {
    model.script(status(500), says(answer))
    expect(await run(['claude-fork', 'claude', 'heuristic'], noon)).toMatchObject({ letters: [], current: [judged] })
  })

  it('SPEC C.9: is told the number of all messages of user and assistant', async () => {
    model.script(says(memory))
    await run(['claude-fork', 'heuristic'], noon)
    const { input } = JSON.parse(model.asked[0]!) as { input: string }
    // Three turns of a prompt, a tool call, its result and a reply, and what they think.
    const records = claudeSession(sessionName(0), 3).length
    const told = Number(/from the last (\d+) messages/.exec(input)?.[1])
    expect(told).toBeGreaterThanOrEqual(12)
    expect(told).toBeLessThanOrEqual(records)
  })

  it('SPEC C.10, C.11: leaves turns, cache, files, memories, refused tools and its model in the books', async () => {
    model.script(says(memory))
    const { calls, log } = await run(['claude-fork', 'heuristic'], noon)
    expect(calls).toMatchObject([
      {
        provider: 'claude-fork',
        model: 'claude-opus-4-6',
        memoriesSaved: 1,
        dropped: 0,
        fork: {
          turns: 2,
          cacheReadTokens: 80,
          filesWritten: 1,
          isCutShort: false,
          refused: [{ tool: 'WebFetch', reason: 'WebFetch is not for this task' }],
        },
      },
    ])
    expect(log).toMatchObject([
      { what: 'judged', detail: '3 messages judged by a model: 1 kept' },
      { what: 'denied', detail: 'WebFetch: WebFetch is not for this task' },
      { what: 'read' },
    ])
  })
})
