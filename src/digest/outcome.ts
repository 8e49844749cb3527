// Judges how a session ended. Success needs evidence after the last request: passed tests, a
// commit, or the person's acceptance. Words in the output of tools never count as a result.
import { isCorrection } from './classify-prompt.ts'
import type { DigestState, Signals } from './digest-state.ts'

/**
 * - success: evidence that the last request was done
 * - waiting: the agent ended with a question or a choice for the person
 * - open: ends in the middle of work, with failing tests, or at a usage limit
 * - fail: ends with an error, or with the person's word that it does not work
 * - abandoned: the person stopped it or gave up, or no answer came
 * - unknown: answered, and nothing shows whether it was right
 */
export const outcomes = ['success', 'waiting', 'open', 'fail', 'abandoned', 'unknown'] as const
export type Outcome = (typeof outcomes)[number]

export interface OutcomeJudgement {
  outcome: Outcome
  /** Reason, for people. */
  because: string
}

export function judgeOutcome(state: DigestState): OutcomeJudgement {
  const { signals } = state
  const answeredAt = Math.max(signals.assistant ?? -1, signals.result?.seq ?? -1, signals.edit ?? -1)
  return (
    stoppedByLimit(signals, answeredAt) ??
    unanswered(signals, answeredAt) ??
    stopped(signals, answeredAt) ??
    undone(signals) ??
    acceptance(signals) ??
    openEnd(state) ??
    closingWord(state) ??
    failingTests(signals) ??
    evidence(signals) ??
    withoutEvidence(signals)
  )
}

function stoppedByLimit({ limit, error }: Signals, answeredAt: number): OutcomeJudgement | undefined {
  return limit != null && limit > answeredAt && limit === error
    ? { outcome: 'open', because: 'a usage limit was reached' }
    : undefined
}

function unanswered({ assistant, prompt, request, error }: Signals, answeredAt: number): OutcomeJudgement | undefined {
  const hasFailed = error !== null && error > answeredAt
  if (assistant === null)
    return hasFailed
      ? { outcome: 'fail', because: 'the agent or its service failed' }
      : { outcome: 'abandoned', because: 'the agent never answered' }
  if (!prompt || prompt.seq < answeredAt) return undefined
  if (prompt.act === 'approval')
    return request == null
      ? { outcome: 'unknown', because: 'nothing was asked' }
      : { outcome: 'success', because: 'the user accepted the result' }
  if (prompt.act === 'give-up') return { outcome: 'abandoned', because: 'the user gave up' }
  if (isCorrection(prompt.act)) return { outcome: 'fail', because: 'the last prompt is a correction' }
  if (hasFailed) return { outcome: 'fail', because: 'the agent or its service failed' }
  return { outcome: 'abandoned', because: 'the last prompt has no answer' }
}

function stopped({ interrupt, error, prompt }: Signals, answeredAt: number): OutcomeJudgement | undefined {
  if (interrupt !== null && interrupt >= answeredAt) return { outcome: 'abandoned', because: 'stopped by the user' }
  if (error !== null && error > answeredAt) return { outcome: 'fail', because: 'the agent or its service failed' }
  return prompt?.act === 'give-up' ? { outcome: 'abandoned', because: 'the user gave up' } : undefined
}

/** Nothing of the last request is left. */
function undone({ undo, commit, request }: Signals): OutcomeJudgement | undefined {
  const isLeft = (commit ?? -1) > (request ?? -1)
  return undo != null && undo > (request ?? -1) && !isLeft
    ? { outcome: 'fail', because: 'the user undid the changes' }
    : undefined
}

/** Thanks are the end, unless the agent went on working and that failed. */
function acceptance({ prompt, request, edit, test }: Signals): OutcomeJudgement | undefined {
  if (prompt?.act !== 'approval' || request == null) return undefined
  const isUndone = test !== null && !test.isOk && test.seq > prompt.seq
  return isUndone || (edit ?? -1) > prompt.seq
    ? undefined
    : { outcome: 'success', because: 'the user accepted the result' }
}

function openEnd({ signals, question, isAnnouncing, isCutOff }: DigestState): OutcomeJudgement | undefined {
  const { assistant, reply, result, edit, commit, test } = signals
  if (endsInOpenCall(signals))
    return question
      ? { outcome: 'waiting', because: 'the agent asked a question' }
      : { outcome: 'open', because: 'the last tool call has no result' }
  // Some agents apply the edits of a reply after it, without a tool, and commit them.
  const doneAt = Math.max(reply ?? -1, commit ?? -1)
  const hasUsedTools = (assistant ?? -1) > (reply ?? -1) && !result?.isDenied
  // Tests that passed after the commit of the request end the work.
  const isVerified = test?.isOk && test.seq === result?.seq && (commit ?? -1) > (signals.request ?? -1)
  if (hasUsedTools && !isVerified && Math.max(result?.seq ?? -1, edit ?? -1) > doneAt)
    return { outcome: 'open', because: 'ended in the middle of work' }
  const isLost = isCutOff && result && !result.isOk && !result.isDenied && result.seq > (signals.request ?? -1)
  if (isLost && (reply ?? -1) > Math.max(result.seq, edit ?? -1, commit ?? -1))
    return { outcome: 'open', because: 'the last reply breaks off after a failure' }
  const isAnnounced = isAnnouncing && !question && Math.max(edit ?? -1, commit ?? -1) < (reply ?? -1)
  return isAnnounced ? { outcome: 'open', because: 'the agent announced a step and did not do it' } : undefined
}

/** The agent was killed or closed while a tool ran, so nothing before it is the end of the work. */
export function endsInOpenCall({ assistant, reply, result, edit }: Signals): boolean {
  return assistant !== null && assistant > Math.max(reply ?? -1, result?.seq ?? -1, edit ?? -1)
}

/** An offer to do more does not make committed work unfinished. */
function closingWord({ signals, question, isHealthCheck }: DigestState): OutcomeJudgement | undefined {
  if (!question || (isHealthCheck && signals.prompt)) return undefined
  const isDone = question.isOffer && (signals.commit ?? -1) > (signals.request ?? -1)
  return isDone ? undefined : { outcome: 'waiting', because: 'the agent ended with a question' }
}

function failingTests({ test, edit, commit, request }: Signals): OutcomeJudgement | undefined {
  if (!test || test.isOk || test.seq < (request ?? -1) || (commit ?? -1) > test.seq) return undefined
  return (edit ?? -1) > test.seq
    ? { outcome: 'open', because: 'files changed after failing tests, which were not run again' }
    : { outcome: 'open', because: 'the last test run failed' }
}

/** Evidence counts only after the last request, and only if nothing was changed after it. */
function evidence({ test, check, commit, edit, request }: Signals): OutcomeJudgement | undefined {
  const counts = (seq: number | null | undefined) => seq != null && seq > (request ?? -1)
  const isFinal = (seq: number) => (edit ?? -1) < seq
  const isBroken = check && !check.isOk && check.seq > (commit ?? -1) && (edit ?? -1) < check.seq
  if (counts(commit) && !isBroken) return { outcome: 'success', because: 'ended with a commit' }
  if (test?.isOk && counts(test.seq) && isFinal(test.seq))
    return { outcome: 'success', because: 'the last test run passed' }
  if (check?.isOk && counts(check.seq) && counts(edit) && isFinal(check.seq))
    return { outcome: 'success', because: 'the last build or check passed' }
  return undefined
}

function withoutEvidence({ reply, result, check, edit, prompt, request }: Signals): OutcomeJudgement {
  const after = (seq: number | null | undefined) => seq != null && seq > (request ?? -1)
  if (check && !check.isOk && after(check.seq)) return { outcome: 'open', because: 'the last build or check failed' }
  if (result?.isDenied && after(result.seq) && result.seq > (reply ?? -1) && !after(edit))
    return { outcome: 'abandoned', because: 'the user denied the last step' }
  if (prompt?.act === 'failure-report' && prompt.seq > Math.max(edit ?? -1, result?.seq ?? -1))
    return { outcome: 'fail', because: 'the user said that it does not work, and nothing was changed since' }
  if (prompt && isCorrection(prompt.act))
    return { outcome: 'unknown', because: 'corrected by the user, then answered without evidence' }
  if (after(edit)) return { outcome: 'unknown', because: 'files changed, nothing shows that it works' }
  if (result && !result.isOk && after(result.seq)) return { outcome: 'unknown', because: 'the last tool call failed' }
  return { outcome: 'unknown', because: 'answered, nothing shows whether it was right' }
}
