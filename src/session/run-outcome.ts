// Whether a run passed or failed: the one definition for everything that reads sessions.
import type { StoredEvent } from '../store/sessions/bodies.ts'

/** `unclear` where the output is filtered and says nothing of a failure. */
export type RunOutcome = 'passed' | 'failed' | 'unclear'

type RunResult = Pick<StoredEvent, 'error' | 'exit' | 'tests' | 'text'>

export function hasFailed({ error, exit, tests }: Pick<StoredEvent, 'error' | 'exit' | 'tests'>): boolean {
  return error === 'failed' || (exit ?? 0) !== 0 || (tests?.failed ?? 0) > 0
}

/** Undefined for a call that was denied or stopped. */
export function runOutcome(command: string, result: RunResult): RunOutcome | undefined {
  if (result.error !== undefined && result.error !== 'failed') return undefined
  if (hasFailed(result) || endsInFailure(result.text)) return 'failed'
  return result.tests === undefined && hidesExit.test(command) ? 'unclear' : 'passed'
}

/** The exit code of a pipe is that of its last command, which passes whatever it reads. */
export const hidesExit =
  /(?<!\|)\|(?!\|)\s*(?:head|grep|rg|sed|awk|sort|uniq|wc|cat|less|tee|cut|tr|Select-\w+)\b[^\n]*$|\|\| *(?:true|echo)\b|; *(?:echo|true)\b[^\n]*$/

const maxEnd = 8000

/** The end of an output that a pipe or a wrapper has let pass. */
export function endsInFailure(text: string): boolean {
  const end = text.slice(-maxEnd)
  return tellsFailure.test(end) || (mayEndInFailure.test(end) && failsAtEnd.test(end))
}

const tellsFailure =
  /^[ \t]*(?:(?:error|fatal|panic|fail(?:ed|ure)?)\b(?:\[\w+\])?:|FAIL\b|--- FAIL|✗|✖|npm ERR|Traceback \(most|Exit code:? [1-9])/im
const failsAtEnd = /^[^\n]{0,200}(?:: (?:command not found|No such file or directory)$|exited with code [1-9])/im
/** Holds for every output that `failsAtEnd` holds for, without going through each line several times. */
const mayEndInFailure = /: (?:command not found|No such file or directory)$|exited with code [1-9]/im
