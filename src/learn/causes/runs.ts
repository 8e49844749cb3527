// Reads tool calls as runs: a shell command with its result. Only runs confirm a cause, because an
// exit code or counted tests say whether they passed.
import { commandOf } from '../../core/commands.ts'
import type { Json } from '../../core/session.ts'
import { commandNames, isInspection } from '../../digest/command-names.ts'
import { errorMessage } from '../../digest/fingerprint.ts'
import { endsInFailure, hasFailed, hidesExit } from '../../session/run-outcome.ts'
import type { StoredEvent } from '../../store/sessions/bodies.ts'
import { sharedCount } from '../../text/similarity.ts'
import { truncateMiddle } from '../../text/truncate.ts'

export interface CommandRun {
  /** Place of the result. */
  seq: number
  /** The agent's record id of the result. */
  event: string
  at: string | null
  command: string
  /** Programs in it that change or check something: `npm test`, `gh api`. */
  programs: string[]
  /** Read on first use: most runs are compared with nothing. */
  readonly words: Set<string>
  isTest: boolean
  /** Run outside of the agent's sandbox. */
  isUnconfined: boolean
  hasFailed: boolean
  /** The line of the output with the actual message; '' if there is none. */
  message: string
  /** Start and end of the output of a failure, to see what the agent repeats of it. */
  printed: string
}

/** Undefined for a call that ran no command, one that only inspects, or a long script. */
export function runOf(call: StoredEvent, result: StoredEvent): CommandRun | undefined {
  if (last?.call !== call || last.result !== result) last = { call, result, run: readRun(call, result) }
  return last.run
}

/** A cache: several readers ask for the same run in a row. */
let last: { call: StoredEvent; result: StoredEvent; run: CommandRun | undefined } | undefined

function readRun(call: StoredEvent, result: StoredEvent): CommandRun | undefined {
  if (result.error !== undefined && result.error !== 'failed') return undefined
  const command = commandOf(call.input)
  if (command === '' || command.length > maxCommand) return undefined
  const programs = commandNames(command).filter((name) => !isInspection(name) && !isTrifle.test(name))
  if (programs.length === 0) return undefined
  const isFailure = hasFailed(result)
  let words: Set<string> | undefined
  return {
    ...{ seq: result.seq, event: result.id, at: result.ts, command, programs },
    get words() {
      words ??= wordsOf(command)
      return words
    },
    isTest: result.kind === 'test_run',
    isUnconfined: isUnconfined(call.input),
    hasFailed: isFailure,
    message: isFailure ? messageOf(result.text) : '',
    printed: isFailure ? truncateMiddle(result.text, maxPrinted) : '',
  }
}

/** Whether a run that did not fail has passed for sure. */
export function hasPassed({ command }: CommandRun, { tests, text }: StoredEvent): boolean {
  // Exit code 0 without any output is no result of a program that should have printed one.
  if (tests === undefined && (hidesExit.test(command) || text.trim() === '')) return false
  return !endsInFailure(text)
}

/** As Codex (since 0.2) and Claude Code (since 2.0) write it. */
function isUnconfined(input: Json | undefined): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
  const { sandbox_permissions, with_escalated_permissions, dangerouslyDisableSandbox } = input
  return (
    sandbox_permissions === 'require_escalated' ||
    with_escalated_permissions === true ||
    dangerouslyDisableSandbox === true
  )
}

function messageOf(output: string): string {
  const message = errorMessage(output)
  return message.length < minMessage || saysNothing.test(message) ? '' : message
}

const minMessage = 8
const maxPrinted = 6000

/** The first line of an output that names no error. */
const saysNothing =
  /^(?:(?:error: )?expect\(|AssertionError|=== RUN|--- (?:FAIL|PASS)|Exit code|Error Trace|# |\[[\w:]+\] \$|==>|> |\$ |FAIL\b|exec_command failed|failed to parse function|Error: exit status|Process exited|exit status|Traceback|\{|total \d)/

/** The same program with the same target: most words of the shorter command are in the other. */
export function isSameRun(failed: CommandRun, next: CommandRun): boolean {
  const shared = sharedCount(failed.words, next.words)
  const least = Math.min(failed.words.size, next.words.size)
  // A wrapper or a prefix: `python x.py` and `uv run python x.py`.
  const isWithin = shared === failed.words.size && shared > 1
  if (!isWithin && !failed.programs.some((name) => next.programs.includes(name))) return false
  if (differInVerb(failed.words, next.words)) return false
  if (failed.isTest) return shared >= Math.max(failed.words.size, next.words.size) * 0.7
  return shared === least || (shared >= 3 && shared >= least * 0.6) || haveSameOperands(failed.words, next.words)
}

/** They differ in flags only. */
function haveSameOperands(a: Set<string>, b: Set<string>): boolean {
  const [one, other] = [a, b].map((words) => [...words].filter((word) => !word.startsWith('-')).sort())
  return one!.length > 1 && one!.join(' ') === other!.join(' ')
}

/** `tool.sh verify` and `tool.sh cleanup` do different things. */
function differInVerb(a: Set<string>, b: Set<string>): boolean {
  const hasOwn = (one: Set<string>, other: Set<string>) =>
    [...one].some((word) => isVerb.test(word) && !other.has(word))
  return hasOwn(a, b) && hasOwn(b, a)
}

const isVerb = /^[a-z]+(?:[-:][a-z]+)*$/

const maxCommand = 3000

const isTrifle =
  /^(?:pwd|code|mktemp|rmdir|exit|time|env|printenv|date|printf|read|wait|kill|pkill|mkdir|rm|cp|mv|touch|chmod|ln|less|more|basename|dirname|continue|break|return|git (?:stash|add|reset|restore|checkout|switch))(?: |$)/

/** Without change of folder, here-documents, redirections and what only shortens the output. */
function wordsOf(command: string): Set<string> {
  const plain = command
    .replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*?(?:\n\s*\1\b|$)/g, ' ')
    .replace(/^\s*(?:cd|pushd)\s+(?:"[^"]*"|\S+)\s*(?:&&|;)/, ' ')
    .replace(/\|\s*(?:head|tail|grep|rg|sed|less|cat)\b[^|;&\n]*/g, ' ')
    .replace(/\d?>&\d?|&>>?|\d?>\s*\S+/g, ' ')
  return new Set(plain.match(/[^\s'"`|&;()]+/g) ?? [])
}
