// Learns causes with their fixes, without a model: a command failed, the agent explained it or called
// it differently, and the same command passed. Only what a later session can meet again is kept: the
// environment and the use of programs, not mistakes in code that was being written.

import { tellExplanation, tellMemory } from '../../gate/gate.ts'
import { draftOf, type MemoryDraft } from '../../memory/draft.ts'
import type { StoredEvent } from '../../store/sessions/bodies.ts'
import { sharedCount } from '../../text/similarity.ts'
import { statementTermSet } from '../../text/statement.ts'
import { isBypassed, remedyOf } from './changed-call.ts'
import { type Explanation, explanationIn } from './explanation.ts'
import { type ResolvedFailure, trackFailures } from './resolved.ts'
import type { CommandRun } from './runs.ts'
import { type CauseText, causeText } from './wording.ts'

export interface CauseSource {
  session: string
  project: string
  /** The folder of the session, for relative paths. */
  cwd: string | null
  /** The time of events without one of their own. */
  at: string
}

/** Returns a function that takes the events of a session in order, and returns what it learns. */
export function findCauses(source: CauseSource): (event: StoredEvent) => MemoryDraft | undefined {
  const failures = trackFailures()
  return (event) => {
    const resolved = failures.add(event)
    const cause = resolved && causeOf(resolved, source.cwd)
    return cause ? draftFrom(cause, resolved.passed, source) : undefined
  }
}

export interface Cause extends CauseText {
  quote: string
}

/** Undefined if it is not worth a memory. */
export function causeOf(resolved: ResolvedFailure, cwd: string | null): Cause | undefined {
  if (!isWorthReading(resolved)) return undefined
  const remedy = remedyOf(resolved)
  const explanation = explanationIn(resolved.said)
  if (explanation && isWorthKeeping(resolved, explanation)) {
    const explained = causeText(resolved, { explanation, remedy }, cwd)
    const told =
      explained && 'told' in tellExplanation(explanation.quote, resolved.failed.printed) && toldCause(explained)
    if (told) return { ...told, quote: explanation.quote }
  }
  const called = remedy && causeText(resolved, { explanation: undefined, remedy }, cwd)
  const told = called && toldCause(called)
  return told ? { ...told, quote: told.text } : undefined
}

/** Only what agents may be told becomes a memory: it goes to files, other machines and teams. */
function toldCause({ text, apply }: CauseText): CauseText | undefined {
  const one = tellMemory({ text, apply, why: null, trust: 'agent said', because: 'run' })
  return 'told' in one ? one.told : undefined
}

function draftFrom({ text, apply, quote }: Cause, passed: CommandRun, source: CauseSource): MemoryDraft {
  const { session, project, at } = source
  const said = { text, quote, why: null, importance: 0.6, tags: [] }
  const draft = draftOf(
    { kind: 'debugging', status: 'settled', scope: 'project', ...said },
    {
      project,
      evidence: [{ session, event: passed.event || null, quote }],
      trust: 'agent said',
      because: 'run',
      at: passed.at ?? at,
    },
  )
  return { ...draft, apply }
}

function isWorthReading(resolved: ResolvedFailure): boolean {
  const { failed, prompts } = resolved
  if (prompts > 1 || failed.programs.length > 2 || reportsState.test(failed.command)) return false
  if (isTrivial.test(failed.message) || isBypassed(resolved)) return false
  return !failed.programs.some((name) => checksStyle.test(name)) || wasNotStarted.test(failed.message)
}

/** They fail by what they report. */
export const reportsState = /\bgh (?:pr checks|run (?:watch|view))\b/

const checksStyle =
  /\b(?:lint(?::\w+)?|fmt|format|golangci-lint|eslint|prettier|gofmt|vale|markdownlint\S*|ruff|black|biome|clippy|stylelint|rubocop)\b|^git (?:rebase|merge|cherry-pick)/

const wasNotStarted =
  /not found|no such (?:command|file)|not permitted|permission denied|not trusted|config file|context loading|cannot find|not installed/i

/** Conflicts, and wrong guesses of folders and ids. */
export const isTrivial =
  /^CONFLICT|\[(?:remote )?rejected\]|interrupted by user|^Blocked:|did not match any file|no Go files in|cannot find main module|does not contain main module|directory not found|HTTP 404/i

/** A fix of code says little about the environment, unless its cause does. */
function isWorthKeeping(resolved: ResolvedFailure, { cause, isEnvironmental, isUsage }: Explanation): boolean {
  const { failed, passed, edits } = resolved
  if (edits.length > 0) return isEnvironmental
  if (passed.seq - failed.seq > maxEventsBetween) return false
  if (misreadByShell.test(failed.message)) return isUsage
  return (isEnvironmental || isUsage) && isAbout(cause, failed)
}

const maxEventsBetween = 40

const misreadByShell = /^\(eval\)|^zsh:|no matches found|parse error|unexpected EOF|unterminated/

/** The cause names something of the command or of its message. */
function isAbout(cause: string, { command, message }: CommandRun): boolean {
  return sharedCount(statementTermSet(cause), statementTermSet(`${command.replace(/[/_-]/g, ' ')} ${message}`)) > 0
}
