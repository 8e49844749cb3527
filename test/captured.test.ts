// Captured is captured: whatever agents do to their transcripts, and whatever is done to the store in between, no session
// ever has fewer events, tokens, cost or searchable words than before. A failure prints the shortest history that shows it.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markAdoptionDue } from '../src/capture/adoption-note.ts'
import { rebuild } from '../src/rebuild.ts'
import { writeValue } from '../src/store/key-values.ts'
import type { Ledger } from '../src/store/ledger.ts'
import { bestPassages } from '../src/store/search/passage-search.ts'
import { passageSource } from '../src/store/search/passages.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { deleteCursors } from '../src/store/sessions/transcripts.ts'
import { termsOf } from '../src/text/terms.ts'
import { appOfHome, eventsOf, type TestHome, testHome } from './corpus/home.ts'
import { GrowingTranscripts, growingAgents, isSearched } from './growing-transcripts.ts'
import type { KilledRun } from './killed-run.ts'
import { scaled } from './proof.ts'
import { seed } from './random.ts'

const share = fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100)
/** Which of the transcripts, as a share of all that there are. The first one often, so that much happens to its session. */
const which = fc.oneof(fc.constant(0), share)
const turns = fc.integer({ min: 1, max: 4 })
/** Small parts are written one after the other, as those of large transcripts are. */
const partSize = fc.constantFrom(undefined, 100, 2000)
const isFull = fc.boolean()
const sweepPart = fc.constantFrom('capture', 'capture', 'capture', 'all')
const atWrite = fc.integer({ min: 1, max: 400 })

function weighted<const T>(weight: number, fields: { [Name in keyof T]: fc.Arbitrary<T[Name]> }) {
  return { weight, arbitrary: fc.record<T>(fields) }
}

/** Each with how often it is drawn. */
const step = fc.oneof(
  weighted(1, { do: fc.constant('appear'), agent: fc.constantFrom(...growingAgents), turns }),
  weighted(3, { do: fc.constant('grow'), which, turns }),
  weighted(6, { do: fc.constant('split'), which, isCopy: fc.boolean() }),
  weighted(2, { do: fc.constant('fork'), which }),
  weighted(2, { do: fc.constant('rename'), which }),
  weighted(2, { do: fc.constant('truncate'), which, share }),
  weighted(1, { do: fc.constant('clear outputs'), which }),
  weighted(3, { do: fc.constant('delete'), which }),
  // Threads read the newest transcripts first.
  weighted(10, { do: fc.constant('sweep'), isFull, partSize, threads: fc.constantFrom(0, 1, 1, 2), part: sweepPart }),
  weighted(1, { do: fc.constant('rebuild') }),
  weighted(2, { do: fc.constant('upgrade'), empties: fc.constantFrom('cursors', 'index', 'bodies') }),
  weighted(1, {
    do: fc.constant('kill'),
    run: fc.constantFrom('sweep', 'sweep', 'rebuild'),
    isFull,
    partSize,
    atWrite,
  }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const histories = fc.array(step, { minLength: 1, maxLength: scaled(16, 40), size: 'max' })

/**
 * Histories are tried in parts, because a part that fails is tried many times to find the shortest. Open:
 * with 30 parts, the histories of seeds 7723, 7736 and 7740 still lose words or events.
 */
const parts = Array.from({ length: scaled(1, 5) }, (_, part) => part)

describe('what was captured', () => {
  it.each(parts)('stays, whatever happens to transcripts and store (part %i)', async (part) => {
    await fc.assert(fc.asyncProperty(histories, keepsEverything), {
      numRuns: scaled(3, 5),
      seed: seed + part,
      endOnFailure: true,
    })
  })
})

describe('an agent that tells only what its last request used', () => {
  it('lowers no count of the session', async () => {
    const home = testHome()
    const database = new DatabaseSync(home.write('src/app/.crush/crush.db', ''))
    try {
      home.write(
        '.local/share/crush/projects.json',
        JSON.stringify({ projects: [{ path: join(home.path, 'src/app') }] }),
      )
      database.exec(crushSession)
      await home.sweep()
      const [before] = home.sessions()
      expect(before).toMatchObject({ tokens: { input: 9000, output: 20 }, costUsd: 0.5 })
      database.exec(
        'UPDATE sessions SET prompt_tokens = 700, completion_tokens = 80, cost = 0.6, updated_at = 1772359300',
      )
      await home.sweep()
      expect(home.sessions()[0]).toMatchObject({ tokens: { input: 9000, output: 80 }, costUsd: 0.6 })
      await home.sweep({ isFull: true })
      expect(home.sessions()[0]).toMatchObject({ tokens: { input: 9000, output: 80 }, costUsd: 0.6 })
    } finally {
      database.close()
      home.remove()
    }
  })
})

const crushSession = `
  CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, prompt_tokens INTEGER, completion_tokens INTEGER,
    cost REAL, updated_at INTEGER, created_at INTEGER);
  CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER);
  INSERT INTO sessions VALUES ('s1', NULL, 'Wick', 9000, 20, 0.5, 1772359200, 1772359200);
  INSERT INTO messages VALUES
    ('m1', 's1', 'user', '[{"type":"text","data":{"text":"trim the wick"}}]', '', 1772359200)`

async function keepsEverything(history: readonly Step[]): Promise<void> {
  const home = testHome()
  try {
    const transcripts = new GrowingTranscripts(home.path)
    for (const agent of growingAgents) transcripts.appear(agent, 2)
    let before = new Map<string, Captured>()
    for (const one of [...history, { do: 'sweep', isFull: true } as Step]) {
      const changed = await take(one, home, transcripts)
      if (changed === 'transcripts') continue
      const after = await withLedger(home, (ledger) => capturedIn(ledger, transcripts.vocabulary()))
      expect(poorer(before, after)).toEqual([])
      before = after
      if (changed === 'swept') expect(missing(transcripts.words(), after)).toEqual([])
    }
  } finally {
    home.remove()
  }
}

/** What the step has changed; `swept` if a sweep went through to its end. */
async function take(
  one: Step,
  home: TestHome,
  transcripts: GrowingTranscripts,
): Promise<'transcripts' | 'store' | 'swept'> {
  switch (one.do) {
    case 'appear':
      transcripts.appear(one.agent, one.turns)
      return 'transcripts'
    case 'grow':
      transcripts.grow(one.which, one.turns)
      return 'transcripts'
    case 'split':
      transcripts.split(one.which, one.isCopy)
      return 'transcripts'
    case 'fork':
      transcripts.fork(one.which)
      return 'transcripts'
    case 'rename':
      transcripts.rename(one.which)
      return 'transcripts'
    case 'truncate':
      transcripts.truncate(one.which, one.share)
      return 'transcripts'
    case 'clear outputs':
      transcripts.clearOutputs(one.which)
      return 'transcripts'
    case 'delete':
      transcripts.delete(one.which)
      return 'transcripts'
    case 'sweep': {
      const { isFull, partSize, threads: cores } = one
      const threadLimits = { ...(cores > 0 && { minBytes: 1, cores }), ...(partSize && { partSize }) }
      const part = one.part === 'capture' ? { part: one.part } : { waitsForLearning: true }
      const { failed, failedStages } = await home.sweep({ isFull, threadLimits, ...part })
      expect({ failed, failedStages }).toEqual({ failed: [], failedStages: [] })
      return 'swept'
    }
    case 'rebuild':
      await withLedger(home, (ledger) => rebuild(appOfHome(home.path), ledger, () => {}))
      return 'store'
    case 'upgrade':
      await withLedger(home, (ledger) => upgradeSteps[one.empties](ledger))
      return 'store'
    case 'kill':
      return runKilled({ home: home.path, ...one }) ? 'swept' : 'store'
    default:
      return one satisfies never
  }
}

/** What steps of the schema have done to ledgers of earlier versions. */
const upgradeSteps = {
  cursors: deleteCursors,
  index: (ledger: Ledger) => writeValue(ledger, 'index is due', true),
  bodies: markAdoptionDue,
}

async function withLedger<T>(home: TestHome, use: (ledger: Ledger) => T | Promise<T>): Promise<T> {
  const ledger = appOfHome(home.path).ledger()
  try {
    return await use(ledger)
  } finally {
    ledger.close()
  }
}

/** Whether it was a sweep and ended before its last write. */
function runKilled(run: KilledRun): boolean {
  const program = join(import.meta.dirname, 'killed-run.ts')
  const { status, signal, stderr } = spawnSync(process.execPath, [program, JSON.stringify(run)], { encoding: 'utf8' })
  expect([status, signal], stderr).toSatisfy(([status, signal]) => status === 0 || signal === 'SIGKILL')
  return status === 0 && run.run === 'sweep'
}

/** What a session has, each as a number or as a list of words. */
interface Captured {
  counts: Record<string, number>
  /** Words in the text that is kept, and words by which it is found. */
  kept: Set<string>
  found: Set<string>
}

function capturedIn(ledger: Ledger, vocabulary: readonly string[]): Map<string, Captured> {
  const found = foundIn(ledger, vocabulary)
  const sessions = listSessions(ledger).map(({ id, counts, tokens, costUsd }): [string, Captured] => {
    const { number } = ledger.sql('SELECT id AS number FROM sessions WHERE uid = ?').get(id)!
    const { isLowerBound: _, ...used } = tokens
    const text = eventsOf(ledger, id).map(({ text }) => text)
    return [
      id,
      {
        counts: { ...counts, ...used, costUsd: costUsd ?? 0 },
        kept: new Set(text.join(' ').match(/zq\w+/g) ?? []),
        found: found.get(Number(number)) ?? new Set(),
      },
    ]
  })
  return new Map(sessions)
}

/** The words by which each session is found, by its number. */
function foundIn(ledger: Ledger, vocabulary: readonly string[]): Map<number, Set<string>> {
  const found = new Map<number, Set<string>>()
  for (const word of vocabulary) {
    for (const id of bestPassages(ledger, { any: termsOf(word).slice(0, 1) }, {}, 1000)) {
      const source = passageSource(id)
      if (source.kind !== 'event') continue
      found.set(source.session, (found.get(source.session) ?? new Set()).add(word))
    }
  }
  return found
}

/** What sessions have lost. */
function poorer(before: ReadonlyMap<string, Captured>, after: ReadonlyMap<string, Captured>): string[] {
  return [...before].flatMap(([id, was]) => {
    const is = after.get(id)
    if (!is) return [`${id} is gone`]
    const counts = Object.entries(was.counts)
      .filter(([name, count]) => is.counts[name]! < count - 1e-9)
      .map(([name, count]) => `${id}: ${name} ${count} → ${is.counts[name]}`)
    const words = [...was.kept]
      .filter((word) => !is.kept.has(word))
      .map((word) => `${id}: ${word} is not kept any more`)
    const hidden = [...was.found]
      .filter((word) => !is.found.has(word))
      .map((word) => `${id}: ${word} is not found any more`)
    return [...counts, ...words, ...hidden]
  })
}

/** Words of transcripts that are in no session after a sweep. */
function missing(words: ReadonlySet<string>, captured: ReadonlyMap<string, Captured>): string[] {
  const all = [...captured.values()]
  return [...words].filter(
    (word) =>
      !all.some(({ kept }) => kept.has(word)) || (isSearched(word) && !all.some(({ found }) => found.has(word))),
  )
}
