// Judges how a session ended by its latest signals: test results, exit codes, commits, final state
// and the user's last prompt. Words in the output never count as a result.
import type { DigestState, Signals } from './digest-state.ts'

export type Outcome = 'success' | 'fail' | 'abandoned' | 'unknown'

export interface OutcomeJudgement {
  outcome: Outcome
  /** Reason, for people. */
  because: string
}

export function judgeOutcome({ signals }: DigestState): OutcomeJudgement {
  const { assistant, reply, interrupt, error, prompt } = signals
  if (assistant === null) return { outcome: 'abandoned', because: 'the agent never answered' }
  const answeredAt = Math.max(assistant, signals.result?.seq ?? -1)
  if (prompt && prompt.seq > answeredAt) return unanswered(prompt.act, error !== null && error > answeredAt)
  if (interrupt !== null && interrupt >= answeredAt) return { outcome: 'abandoned', because: 'stopped by the user' }
  if (error !== null && error > answeredAt)
    return { outcome: 'fail', because: 'ended on an error of the agent or its service' }
  if (prompt?.act === 'approval') return { outcome: 'success', because: 'the user said it is good' }
  if (endsInOpenCall(signals)) return { outcome: 'unknown', because: 'the last tool call has no result' }
  return verified(signals) ?? finalState(signals, reply)
}

/** The agent was killed or closed while a tool ran, so nothing before it is the end of the work. */
export function endsInOpenCall({ assistant, reply, result }: Signals): boolean {
  return assistant !== null && assistant > Math.max(reply ?? -1, result?.seq ?? -1)
}

function unanswered(act: string, hasFailed: boolean): OutcomeJudgement {
  if (act === 'approval') return { outcome: 'success', because: 'the user said it is good' }
  if (act === 'correction') return { outcome: 'fail', because: 'the last word is a correction' }
  if (hasFailed) return { outcome: 'fail', because: 'the last prompt met an error of the agent or its service' }
  return { outcome: 'abandoned', because: 'the last prompt has no answer' }
}

/** A test or commit is the strongest signal, unless an edit followed the test. */
function verified({ test, commit, edit, prompt }: Signals): OutcomeJudgement | undefined {
  const latest = Math.max(test?.seq ?? -1, commit ?? -1)
  if (latest < 0) return undefined
  if (test && test.seq === latest) {
    if (!test.isOk && (edit ?? -1) < test.seq) return { outcome: 'fail', because: 'the last test run failed' }
    if (test.isOk && (edit ?? -1) < test.seq) return { outcome: 'success', because: 'the last test run passed' }
    return undefined
  }
  // A commit before a correction by the user does not decide.
  if (prompt?.act === 'correction' && latest < prompt.seq) return undefined
  return { outcome: 'success', because: 'ended with a commit' }
}

function finalState({ result, test, prompt, edit }: Signals, reply: number | null): OutcomeJudgement {
  const hasLastWord = reply !== null && (!prompt || reply > prompt.seq) && (!result || reply > result.seq)
  if (result && !result.isOk && (!prompt || result.seq > prompt.seq)) {
    return hasLastWord && (edit ?? -1) > result.seq
      ? { outcome: 'unknown', because: 'changed after the last failure, not tried again' }
      : { outcome: 'fail', because: 'the last tool call failed' }
  }
  if (test && !test.isOk) return { outcome: 'unknown', because: 'changed after failing tests, not run again' }
  if (!hasLastWord) return { outcome: 'unknown', because: 'ends in the middle of work' }
  if (prompt?.act === 'correction')
    return { outcome: 'unknown', because: 'corrected by the user, then answered without proof' }
  return { outcome: 'success', because: 'the last prompt was answered and nothing failed after it' }
}
