// Asks a fork of a session under the governor: with consent, within the budget, under the lock, and
// booked.
import { beginCall, endCall, hasFailedSince } from '../../store/memories/model-calls.ts'
import { mayBeAsked } from '../consent.ts'
import type { ModelContext } from '../context.ts'
import { findProgram } from '../find-program.ts'
import { budgetRefusal, remainingUsdToday, withModelLock } from '../governor.ts'
import { type ForkRequest, type ForkResult, forkTimeoutMs, runFork } from './run-fork.ts'
import type { StagedFile } from './workspace.ts'

export type ForkQuestion = Pick<ForkRequest, 'cwd' | 'configDir' | 'newMessages' | 'manifest'> & {
  /** The session's id in the ledger, and that of Claude Code. */
  uid: string
  native: string
}

export type ForkAnswer =
  | { kind: 'answered'; files: StagedFile[] }
  /** It cannot be asked as things are. */
  | { kind: 'unavailable'; reason: string }
  | { kind: 'failed'; reason: string }

/** Most of the input is read from the cache; this limits the cost if the cache is cold. */
const maxUsdPerFork = 0.1
/** After a failure the session is left to the other judges for this long. */
const cooldownMs = 6 * 3_600_000

export async function askFork(context: ModelContext, question: ForkQuestion): Promise<ForkAnswer> {
  const { ledger, clock, machine } = context
  const program = findProgram('claude', machine)
  if (!program) return { kind: 'unavailable', reason: 'the claude program is not installed' }
  if (!mayBeAsked(context, 'claude-fork')) return { kind: 'unavailable', reason: 'not allowed yet' }
  if (hasFailedSince(ledger, 'claude-fork', question.uid, clock.nowMs() - cooldownMs))
    return { kind: 'unavailable', reason: 'it failed recently' }
  return withModelLock(context, 'claude-fork', async () => {
    const refusal = budgetRefusal(context, 'claude-fork', maxUsdPerFork)
    if (refusal) return { kind: 'unavailable', reason: refusal }
    return answerOf(await booked(context, program, question))
  })
}

async function booked(context: ModelContext, program: string, question: ForkQuestion): Promise<ForkResult> {
  const { ledger, clock, machine, redact } = context
  const maxUsd = Math.min(maxUsdPerFork, remainingUsdToday(context))
  const id = beginCall(ledger, {
    at: clock.nowMs(),
    purpose: 'memories',
    session: question.uid,
    provider: 'claude-fork',
    model: 'that of the session',
    inputTokens: 0,
    outputTokens: 0,
    costUsd: maxUsd,
  })
  const { native: session, cwd, configDir, newMessages, manifest } = question
  const place = { session, cwd, configDir, newMessages, manifest, program, run: ledger.layout.run }
  const result = await runFork({ ...place, machine, maxUsd, timeoutMs: forkTimeoutMs, clock, redact })
  const { tokens, costUsd, ms } = result.spent
  endCall(ledger, {
    id,
    model: 'that of the session',
    inputTokens: tokens.input + tokens.cacheRead + tokens.cacheWrite,
    outputTokens: tokens.output,
    costUsd,
    ms,
    result: result.kind === 'done' ? 'ok' : result.reason.slice(0, 100),
  })
  return result
}

function answerOf(result: ForkResult): ForkAnswer {
  if (result.kind === 'failed') return { kind: 'failed', reason: result.reason }
  return { kind: 'answered', files: result.files }
}
