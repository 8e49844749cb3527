// Asks a fork of a session under the governor: with consent, within the budget, under the lock, and
// booked.
import type { Clock } from '../../core/clock.ts'
import { LockTimeoutError } from '../../core/lock.ts'
import { readValue, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import { beginCall, endCall, hasFailedSince, saveForkedCall } from '../../store/memories/model-calls.ts'
import { logWork } from '../../store/work-log.ts'
import { mayBeAsked } from '../consent.ts'
import type { ModelContext, ModelObstacle } from '../context.ts'
import { findProgram } from '../find-program.ts'
import { budgetRefusal, remainingUsdToday, withModelLock } from '../governor.ts'
import { canBeForked, type ForkRequest, forkTimeoutMs, runFork } from './run-fork.ts'
import type { StagedFile } from './workspace.ts'

export type ForkQuestion = Pick<ForkRequest, 'cwd' | 'configDir' | 'newMessages' | 'manifest'> & {
  /** The session's id in the ledger, and that of Claude Code. */
  uid: string
  native: string
}

export type ForkAnswer =
  /** `call` is its row in the ledger of spend. */
  | { kind: 'answered'; files: StagedFile[]; call?: number }
  /** It cannot be asked as things are. Without an obstacle no answer was expected. */
  | { kind: 'unavailable'; reason: string; obstacle?: ModelObstacle }
  | { kind: 'failed'; reason: string }

const purpose = 'memories'
/** Most of the input is read from the cache; this limits the cost if the cache is cold. */
const maxUsdPerFork = 0.1
/** After a failure the session is left to the other judges for this long. */
const cooldownMs = 6 * 3_600_000

export async function askFork(context: ModelContext, question: ForkQuestion): Promise<ForkAnswer> {
  const { ledger, clock, machine } = context
  if (!mayBeAsked(context, 'claude-fork'))
    return { kind: 'unavailable', reason: 'not allowed: recollect models allow claude-fork' }
  const program = findProgram('claude', machine)
  if (!program) return { kind: 'unavailable', reason: 'the claude program is not installed', obstacle: 'access' }
  if (!canBeForked(question)) return { kind: 'unavailable', reason: 'its folder or id is gone' }
  const sinceMs = Math.max(clock.nowMs() - cooldownMs, liftedMs(ledger) + 1)
  if (hasFailedSince(ledger, 'claude-fork', question.uid, sinceMs))
    return { kind: 'unavailable', reason: 'it failed less than six hours ago', obstacle: 'outage' }
  try {
    return await withModelLock(context, 'claude-fork', async () => {
      const refusal = budgetRefusal(context, 'claude-fork', { purpose, estimateUsd: maxUsdPerFork })
      if (refusal) return { kind: 'unavailable', reason: refusal, obstacle: 'budget' }
      return askBooked(context, program, question)
    })
  } catch (error) {
    if (!(error instanceof LockTimeoutError)) throw error
    return { kind: 'unavailable', reason: error.message, obstacle: 'outage' }
  }
}

const liftedNote = 'cool-downs of the fork ended'

/** For a user who wants failed questions asked again at once. */
export function endForkCooldowns(ledger: Ledger, clock: Clock): void {
  writeValue(ledger, liftedNote, clock.nowMs())
}

function liftedMs(ledger: Ledger): number {
  return Number(readValue(ledger, liftedNote) ?? 0)
}

async function askBooked(context: ModelContext, program: string, question: ForkQuestion): Promise<ForkAnswer> {
  const { ledger, clock, machine, redact } = context
  const maxUsd = Math.min(maxUsdPerFork, remainingUsdToday(context, purpose))
  const call = beginCall(ledger, {
    at: clock.nowMs(),
    purpose,
    session: question.uid,
    provider: 'claude-fork',
    model: unknownModel,
    inputTokens: 0,
    outputTokens: 0,
    costUsd: maxUsd,
  })
  const { native: session, cwd, configDir, newMessages, manifest } = question
  const place = { session, cwd, configDir, newMessages, manifest, program, run: ledger.layout.run }
  const result = await runFork({ ...place, machine, maxUsd, timeoutMs: forkTimeoutMs, clock, redact })
  const { tokens, costUsd, ms, model, turns } = result.spent
  endCall(ledger, {
    id: call,
    model: model ?? unknownModel,
    inputTokens: tokens.input + tokens.cacheRead + tokens.cacheWrite,
    outputTokens: tokens.output,
    costUsd,
    ms,
    result: result.kind === 'done' ? 'ok' : result.reason.slice(0, 100),
  })
  saveForkedCall(ledger, call, {
    turns,
    cacheReadTokens: tokens.cacheRead,
    filesWritten: result.kind === 'done' ? result.files.length : 0,
    isCutShort: result.kind === 'done' && result.isCutShort,
    refused: result.refused,
  })
  for (const { tool, reason } of result.refused)
    logWork(ledger, { atMs: clock.nowMs(), session: question.uid, what: 'denied', detail: `${tool}: ${reason}` })
  if (result.kind === 'failed') return { kind: 'failed', reason: result.reason }
  return { kind: 'answered', files: result.files, call }
}

/** Until the fork names its model. */
const unknownModel = 'that of the session'
