// Rows of the ledger that a person or damage has changed: JSON of another shape counts as missing, and a sweep goes on.
import { appendFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Agent, LogTranscript } from '../src/agents/agent.ts'
import { agents } from '../src/agents/registry.ts'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import type { Json } from '../src/core/session.ts'
import { listProblems } from '../src/store/sessions/transcripts.ts'
import { sweep } from '../src/sweep.ts'
import { outInto, readLog } from './agents/collect.ts'
import { copyFixture, fixtureEnv, type TestHome, testHome } from './corpus/home.ts'
import { claudeSession, lines, sessionName } from './program.ts'
import { sample } from './proof.ts'

const shapes = ['not JSON', '5', '{"at":"x"}', '[7]', '"x"', 'null', '[]', '{}', '[null]', '{"a":{"b":[]}}']
const path = `.claude/projects/-a/${sessionName(1)}.jsonl`
const rules = [
  'Remember that we never use npm, always pnpm, because the lockfile is pnpm-lock.yaml.',
  'Remember that we never deploy on Fridays.',
]
const session = (turns: number) =>
  claudeSession(sessionName(1), turns, { says: (turn) => (turn % 3 === 1 ? rules[(turn - 1) / 3] : undefined) })

let base: TestHome
beforeAll(async () => {
  base = testHome()
  base.write(path, lines(session(3)))
  await base.sweep()
  await base.sweep()
})
afterAll(() => base.remove())

describe('rows of another shape', () => {
  it.each([
    'digests.state',
    'memories.tags',
    'memories.keywords',
    'memories.evidence',
    'briefs.memories',
    'articles.head',
    'articles.sections',
    'cursors.state',
    'memory_versions.after',
    'notes.value',
  ])('SPEC 12: in %s do not stop a sweep', async (place) => {
    const [table, column] = place.split('.') as [string, string]
    for (const shape of sample(shapes, 1)) {
      const { report, events } = await sweepWith(`UPDATE ${table} SET ${column} = '${shape}'`)
      expect({ failed: report.failed, failedStages: report.failedStages, skipped: report.skipped, shape }).toEqual({
        failed: [],
        failedStages: [],
        skipped: [],
        shape,
      })
      expect(events).toHaveLength(20)
      expect(report.briefs).toBe(1)
    }
  })

  it('SPEC A.26: a stamp of another shape is reported, and the wiki is built', async () => {
    const { report, problems } = await sweepWith(`UPDATE notes SET value = '{"at":"x"}' WHERE name = 'wiki compiled'`)
    expect(report.articles).toBeGreaterThan(0)
    expect(problems).toMatchObject([
      { path: expect.stringMatching(/ledger\.db: wiki compiled$/), reason: expect.stringMatching(/of another shape/) },
    ])
  })
})

/** Two days later, with a new rule in the session. */
async function sweepWith(change: string) {
  const home = testHome()
  try {
    cpSync(base.path, home.path, { recursive: true })
    home.look((ledger) => {
      for (const column of ['cursors SET path', 'sessions SET source'])
        ledger.sql(`UPDATE ${column} = replace(${column.split(' ').at(-1)}, ?, ?)`).run(base.path, home.path)
      ledger.raw.exec(change)
    })
    appendFileSync(join(home.path, path), lines(session(5).slice(12)))
    const swept = await sweep(createApp({ machine: home.machine, clock: fixedClock('2026-11-03T12:00:00Z') }))
    if (swept.kind !== 'done') throw new Error('another sweep holds the lock')
    const problems = home.look((ledger) => listProblems(ledger))
    return { report: swept.report, events: home.events(`claude-code:${sessionName(1)}`), problems }
  } finally {
    home.remove()
  }
}

describe('states of readers of another shape', () => {
  it.each(
    sample(
      agents.map((agent) => [agent.id, agent] as const),
      6,
    ),
  )('do not stop the reader of %s', (_, agent) => {
    const home = testHome(fixtureEnv(agent.id))
    try {
      copyFixture(agent.id, home)
      for (const log of logsOf(agent, home)) {
        for (const wrong of wrongStates(read(log, undefined)))
          expect(() => read(log, wrong), `${log.path} with ${JSON.stringify(wrong)}`).not.toThrow()
      }
    } finally {
      home.remove()
    }
  })
})

function logsOf({ id }: Agent, home: TestHome): LogTranscript[] {
  return home
    .found()
    .flatMap(({ agent, transcript }) => (agent.id === id && transcript.shape === 'log' ? transcript : []))
}

/** Returns the state after all records. */
function read(log: LogTranscript, state: Json | undefined): Json {
  return readLog(log, outInto({ sessions: new Map(), bad: [], unknown: [] }), state, 0).state
}

/** Other types for the whole state, and for each of its members. */
function* wrongStates(state: Json): Generator<Json> {
  const others: Json[] = [5, 'x', null, [], {}, [7], [null], { a: { b: [] } }]
  yield* others
  if (typeof state !== 'object' || state === null) return
  for (const name of Object.keys(state)) for (const other of others) yield { ...state, [name]: other } as Json
}
