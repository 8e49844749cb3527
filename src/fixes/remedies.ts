// Says what made a command succeed after it had failed: it was called differently, another command
// ran in between, or the agent found a cause outside of the code. Broader than what becomes a memory,
// because it is told only to someone who has the same error.
import { causeOf, reportsState } from '../learn/causes/causes.ts'
import { isBypassed, isTransient, isUsageError, remedyOf } from '../learn/causes/changed-call.ts'
import type { ResolvedFailure } from '../learn/causes/resolved.ts'
import { remedyText, shownCommand, shownMessage } from '../learn/causes/wording.ts'
import type { Fix, FixKind } from '../store/fixes/fixes.ts'
import { type ErrorLine, errorLineOf } from './error-lines.ts'

interface FixRemedy {
  kind: FixKind
  text: string
}

/** Undefined if what made the difference is not known. */
export function remedyFix(resolved: ResolvedFailure, cwd: string | null): Fix | undefined {
  const { failed, passed } = resolved
  if (failed.message === '' || isBypassed(resolved) || isGuess.test(failed.message)) return undefined
  if (reportsState.test(failed.command)) return undefined
  const command = shownCommand(failed.command, cwd) ?? shownCommand(firstLine(failed.command), cwd)
  const remedy = command && joined(calledRemedy(resolved, cwd), explainedRemedy(resolved, cwd))
  if (!command || !remedy) return undefined
  const { shape, details }: ErrorLine = errorLineOf(failed.message)
  return {
    kind: remedy.kind,
    program: failed.programs.find((name) => passed.programs.includes(name)) ?? failed.programs.at(-1)!,
    command: command.slice(1, -1),
    error: shownMessage(failed.message, cwd),
    ...{ shape, details, remedy: remedy.text, file: null, diff: '' },
    ...{ failedSeq: failed.seq, seq: passed.seq, atMs: passed.at === null ? null : Date.parse(passed.at) },
  }
}

/** What was done, and why it was needed if the agent said so. */
function joined(called: FixRemedy | undefined, explained: FixRemedy | undefined): FixRemedy | undefined {
  if (!called || !explained) return called ?? explained
  return explained.text.includes(called.text) ? called : { ...called, text: `${called.text} ${explained.text}` }
}

/** Wrong guesses of folders, ids and states: the next guess is another one. */
const isGuess =
  /no such file or directory|did not match any file|no Go files in|cannot find main module|does not contain main module|directory not found|HTTP (?:40[134]|5\d\d)|interrupted by user|^Blocked:|^CONFLICT|timed? ?out|deadline exceeded|already exists|no pull requests? found|no checks reported/i

function firstLine(command: string): string {
  return command
    .trim()
    .split('\n')[0]!
    .replace(/\s*\\$/, '')
}

function calledRemedy(resolved: ResolvedFailure, cwd: string | null): FixRemedy | undefined {
  const known = remedyOf(resolved)
  const text = known && remedyText(resolved, known, cwd)
  if (known && text) return { kind: known.kind === 'step' ? 'step' : 'call', text }
  const { failed, passed, prompts, commands } = resolved
  if (prompts > 0 || passed.seq - failed.seq > maxEvents || isTransient.test(failed.message)) return undefined
  const pulled = isBehind.test(failed.message) ? stepText(pullIn(resolved), cwd) : undefined
  if (pulled) return { kind: 'step', text: pulled }
  if (resolved.edits.length > 0) return undefined
  const isSameCall = shownCommand(failed.command, cwd) === shownCommand(passed.command, cwd)
  if (isSameCall) {
    const step = commands.length === 1 ? stepText(commands[0], cwd) : undefined
    return step ? { kind: 'step', text: step } : undefined
  }
  if (passed.seq - failed.seq > (isUsageError.test(failed.message) ? maxEvents : maxEventsOfCall)) return undefined
  const works = shownCommand(passed.command, cwd)
  return works ? { kind: 'call', text: `${works} works.` } : undefined
}

const maxEvents = 24
/** A call that follows at once is a reaction to the error. */
const maxEventsOfCall = 8

/** A push that was rejected because the remote has more. */
const isBehind = /\[rejected\]|fetch first|non-fast-forward/

function pullIn({ passed, commands }: ResolvedFailure): string | undefined {
  return [...commands, passed.command]
    .flatMap((command) => command.split(/&&|;/))
    .findLast((part) => /^\s*git (?:-C \S+ )?(?:pull|rebase)\b/.test(part))
}

function stepText(command: string | undefined, cwd: string | null): string | undefined {
  const step = command && shownCommand(command, cwd)
  return step && `It works after ${step}.`
}

function explainedRemedy(resolved: ResolvedFailure, cwd: string | null): FixRemedy | undefined {
  const cause = causeOf(resolved, cwd)
  // The text begins with the command and its message, which are shown anyway.
  const told = cause?.text.replace(/^`[^`]*` failed(?: with `[^`]*`)?[:.]\s*/, '')
  return told ? { kind: 'cause', text: `${told.charAt(0).toUpperCase()}${told.slice(1)}` } : undefined
}
