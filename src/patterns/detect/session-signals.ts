// Signals of a session as a whole: its cost, its end, and untested changes.
import { formatUsd, plural } from '../../core/units.ts'
import type { Signal } from '../types.ts'
import { createSignal, type ScannedSession } from './scanned-session.ts'

export function sessionSignals(session: ScannedSession): Signal[] {
  return [expensive(session), abandoned(session), cleanPass(session)].filter((one) => one !== undefined)
}

function expensive(session: ScannedSession): Signal | undefined {
  const { costUsd, usualUsd } = session
  if (usualUsd === null || costUsd <= usualUsd) return undefined
  return createSignal(session, {
    type: 'expensive session',
    locus: costDriver(session),
    magnitude: costUsd,
    detail: `${formatUsd(costUsd)}, where nine of ten cost at most ${formatUsd(usualUsd)}`,
    costUsd: costUsd - usualUsd,
  })
}

/** The probable reason of the cost. */
function costDriver({ state: { counts, errors }, toolCalls }: ScannedSession): string {
  const failed = Object.values(errors).reduce((sum, { count }) => sum + count, 0)
  if (counts.compactions > 0) return 'outgrew the context'
  if (failed >= 5 && failed / toolCalls > 0.15) return 'many failures'
  return counts.corrections >= 2 ? 'many corrections' : ''
}

function abandoned(session: ScannedSession): Signal | undefined {
  const { judgement, toolCalls, costUsd } = session
  if (judgement.outcome !== 'abandoned') return undefined
  return createSignal(session, {
    type: 'abandoned',
    locus: judgement.because,
    magnitude: toolCalls,
    detail: `${judgement.because} after ${plural(toolCalls, 'call')}`,
    seq: session.state.signals.interrupt ?? session.state.signals.prompt?.seq ?? null,
    costUsd,
  })
}

/** Requires a test run or a commit as proof of success. */
function cleanPass(session: ScannedSession): Signal | undefined {
  const { state, judgement, toolCalls } = session
  const { corrections, interrupts, denials, retries, undone } = state.counts
  const proof = proofs[judgement.because]
  const isClean = corrections + interrupts + denials + retries + undone === 0 && Object.keys(state.errors).length === 0
  if (judgement.outcome !== 'success' || !proof || !isClean || toolCalls < 5) return undefined
  return createSignal(session, {
    type: 'clean pass',
    polarity: 'success',
    locus: proof,
    magnitude: toolCalls,
    detail: `${plural(toolCalls, 'call')} without an error or a correction, ending in ${proof}`,
    seq: proof === 'tests' ? (state.signals.test?.seq ?? null) : state.signals.commit,
  })
}

const proofs: Record<string, string> = {
  'the last test run passed': 'tests',
  'ended with a commit': 'git commit',
}

/** Code changed after the last test run. Reported at the end, if the project runs tests at all. */
export function untestedChange(session: ScannedSession): Signal | undefined {
  const { friction } = session.state
  if (friction?.codeEdit == null || session.judgement.outcome === 'abandoned') return undefined
  if (friction.testRun !== null && friction.testRun > friction.codeEdit) return undefined
  return createSignal(session, {
    type: 'untested change',
    magnitude: 1,
    detail:
      friction.testRun === null ? 'code was changed and no test was run' : 'code was changed after the last test run',
    seq: friction.codeEdit,
  })
}

type TestHabits = Map<string, { changed: number; tested: number; untested: Signal[] }>

export function createTestHabits(): TestHabits {
  return new Map()
}

const minChangedSessions = 3
/** Minimum share of sessions with changed code that ran tests. */
const minTestedShare = 1 / 3

export function recordTests(habits: TestHabits, session: ScannedSession, untested: Signal | undefined): void {
  const { friction } = session.state
  if (friction?.codeEdit == null || session.project === null) return
  const known = habits.get(session.project) ?? { changed: 0, tested: 0, untested: [] }
  habits.set(session.project, known)
  known.changed++
  if (friction.testRun !== null) known.tested++
  if (untested) known.untested.push(untested)
}

export function untestedSignals(habits: TestHabits): Signal[] {
  return [...habits.values()]
    .filter(({ changed, tested }) => changed >= minChangedSessions && tested / changed >= minTestedShare)
    .flatMap(({ untested }) => untested)
}
