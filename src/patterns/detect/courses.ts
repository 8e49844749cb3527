// Signals of how a session went as a whole: what it cost, how it ended, what was left undone.
import { formatUsd, plural } from '../../core/units.ts'
import type { Signal } from '../signal.ts'
import { type SeenSession, signal } from './session.ts'

export function courses(session: SeenSession): Signal[] {
  return [expensive(session), abandoned(session), cleanPass(session)].filter((one) => one !== undefined)
}

function expensive(session: SeenSession): Signal | undefined {
  const { costUsd, usualUsd } = session
  if (usualUsd === null || costUsd <= usualUsd) return undefined
  return signal(session, {
    type: 'expensive session',
    locus: driverOf(session),
    magnitude: costUsd,
    detail: `${formatUsd(costUsd)}, where nine of ten cost at most ${formatUsd(usualUsd)}`,
    costUsd: costUsd - usualUsd,
  })
}

/** What makes it stand out, as far as that can be told. */
function driverOf({ state: { counts, errors }, toolCalls }: SeenSession): string {
  const failed = Object.values(errors).reduce((sum, { count }) => sum + count, 0)
  if (counts.compactions > 0) return 'outgrew the context'
  if (failed >= 5 && failed / toolCalls > 0.15) return 'many failures'
  return counts.corrections >= 2 ? 'many corrections' : ''
}

function abandoned(session: SeenSession): Signal | undefined {
  const { judgement, toolCalls, costUsd } = session
  if (judgement.outcome !== 'abandoned') return undefined
  return signal(session, {
    type: 'abandoned',
    locus: judgement.because,
    magnitude: toolCalls,
    detail: `${judgement.because} after ${plural(toolCalls, 'call')}`,
    seq: session.state.signals.interrupt ?? session.state.signals.prompt?.seq ?? null,
    costUsd,
  })
}

/** Proven by a test or a commit: an answer that nobody contradicts may be good or not. */
function cleanPass(session: SeenSession): Signal | undefined {
  const { state, judgement, toolCalls } = session
  const { corrections, interrupts, denials, retries, undone } = state.counts
  const proof = proofs[judgement.because]
  const isClean = corrections + interrupts + denials + retries + undone === 0 && Object.keys(state.errors).length === 0
  if (judgement.outcome !== 'success' || !proof || !isClean || toolCalls < 5) return undefined
  return signal(session, {
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

/** Code that was changed after the last run of tests; whether its project runs tests is known at the end. */
export function untestedChange(session: SeenSession): Signal | undefined {
  const { friction } = session.state
  if (friction?.codeEdit == null || session.judgement.outcome === 'abandoned') return undefined
  if (friction.testRun !== null && friction.testRun > friction.codeEdit) return undefined
  return signal(session, {
    type: 'untested change',
    magnitude: 1,
    detail:
      friction.testRun === null ? 'code was changed and no test was run' : 'code was changed after the last test run',
    seq: friction.codeEdit,
  })
}
