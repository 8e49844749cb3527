// Words a cause with its fix so that it can be read alone.
import { maxMemoryLength } from '../../memory/memory.ts'
import { ellipsize, oneLine } from '../../text/truncate.ts'
import type { Remedy } from './changed-call.ts'
import type { Explanation } from './explanation.ts'
import type { ResolvedFailure } from './resolved.ts'
import type { CommandRun } from './runs.ts'

export interface CauseText {
  text: string
  /** The call that passed, if the text does not contain it. */
  apply: string | null
}

/** Undefined if the text would not tell what to do. Paths are relative to `cwd`. */
export function causeText(
  resolved: ResolvedFailure,
  { explanation, remedy }: { explanation: Explanation | undefined; remedy: Remedy | undefined },
  cwd: string | null,
): CauseText | undefined {
  const { failed, edits } = resolved
  const message = shownMessage(failed.message, cwd)
  const isFull = explanation !== undefined || remedy?.kind === 'call' || remedy?.kind === 'step'
  const what = (isFull && shownCommand(failed.command, cwd)) || shortCommand(failed, remedy)
  const call =
    edits.length > 0 ? undefined : (remedyText(resolved, remedy, cwd) ?? (explanation && addedText(resolved)))
  const fix = explanation?.fix ? `Fix: ${lowerStart(explanation.fix)}` : call
  if (fix === undefined || fix.startsWith(what) || (!explanation && !message && remedy?.kind !== 'call'))
    return undefined
  const failure = `${what} failed${message ? ` with \`${message}\`` : ''}`
  const text = explanation
    ? `${failure}: ${lowerStart(relativeTo(cwd, explanation.cause))} ${relativeTo(cwd, fix)}`
    : `${failure}. ${fix}`
  if (text.length > maxMemoryLength) return undefined
  return { text, apply: fix !== call && failed.programs.length === 1 ? (call ?? null) : null }
}

export function remedyText(
  { failed, passed }: ResolvedFailure,
  remedy: Remedy | undefined,
  cwd: string | null,
): string | undefined {
  const works = shownCommand(passed.command, cwd)
  if (remedy?.kind === 'without') return `It works without \`${remedy.flag}\`.`
  if (remedy?.kind === 'unconfined') return 'It works outside of the sandbox.'
  if (remedy?.kind === 'wrapper') return `It works with \`${remedy.words}\` in front.`
  if (remedy?.kind === 'step') {
    const step = shownCommand(remedy.command, cwd)
    return step && `It works after ${step}.`
  }
  return works && works !== shownCommand(failed.command, cwd) ? `${works} works.` : undefined
}

/** The flag with its value, or the variable, that a long command has now. */
function addedText({ failed, passed }: ResolvedFailure): string | undefined {
  const words = [...passed.words]
  const at = words.findIndex((word) => !failed.words.has(word) && /^(?:--?[A-Za-z]|[A-Z_]+=)/.test(word))
  if (at < 0 || [...failed.words].some((word) => !passed.words.has(word))) return undefined
  const value = words[at + 1]
  const hasValue = value !== undefined && !failed.words.has(value) && !value.startsWith('-')
  return `It works with \`${words[at]}${hasValue ? ` ${value}` : ''}\`.`
}

/** `gh pr view …`: the words before the first flag or value, and the flag that is the cause. */
function shortCommand({ command, programs }: CommandRun, remedy: Remedy | undefined): string {
  const words = command.slice(Math.max(0, command.indexOf(programs[0]!))).split(/\s+/)
  const isDeep = /^(?:gh|glab|bd|docker|aws|gcloud|az|kubectl)$/.test(words[0]!) || words[1] === 'run'
  const verbs = words.slice(1, isDeep ? 3 : 2)
  const end = verbs.findIndex((word) => !/^[a-z][\w:-]*$/.test(word))
  const shown = [words[0]!.split('/').at(-1)!, ...verbs.slice(0, end < 0 ? verbs.length : end)].join(' ')
  const flag = remedy?.kind === 'without' ? ` ${remedy.flag}` : ''
  return `\`${shown} …${flag}\``
}

const maxShown = 180

/**
 * On one line, without change of folder, redirections and what shortens the output. Undefined if
 * it is too long.
 */
export function shownCommand(command: string, cwd: string | null): string | undefined {
  const plain = relativeTo(cwd, command.trim())
    .replace(/^(?:cd|pushd)\s+(?:"[^"]*"|\S+)\s*(?:&&|;)\s*/, '')
    .replace(/\s*\|\s*(?:head|tail|less|cat)\b[^|;&\n]*$/g, '')
    .replace(/\s*2>&1|\s*\d?>\s*\/dev\/null/g, '')
    .replace(/\\\n\s*/g, ' ')
    .replace(/'[^'\n]*\s[^'\n]*'/g, (quoted) => (quoted.length > 40 ? "'…'" : quoted))
    .replace(/^(?:gh|glab) .*/s, (call) => call.replace(numbers, '<n>'))
    .trim()
  return plain === '' || plain.length > maxShown || /[\n`]|<</.test(plain) ? undefined : `\`${oneLine(plain)}\``
}

/** Numbers of issues, pull requests and comments, which are other ones next time. */
const numbers = /(?<=[\s/])\d{2,}(?=[\s/?"']|$)/g

const maxMessage = 140

export function shownMessage(message: string, cwd: string | null): string {
  const plain = oneLine(relativeTo(cwd, message).replace(/\u001b?\[[\d;]*m/g, '')).replace(/`/g, "'")
  return ellipsize(plain, maxMessage).replace(/[.:]+$/, '')
}

const maxPath = 50

/** Paths in the project are relative to it; of long other ones the end is shown. */
export function relativeTo(cwd: string | null, text: string): string {
  const own = !cwd || cwd.length < 4 ? text : text.replaceAll(`${cwd}/`, '').replaceAll(`${cwd}\\`, '')
  return own.replace(/(?<![:/\w])(?:[A-Za-z]:)?(?:[/\\][\w.@~+-]+){4,}/g, (path) =>
    path.length > maxPath ? `…/${path.split(/[/\\]/).at(-1)}` : path,
  )
}

/** Behind a colon, a word that is not a name begins small. */
function lowerStart(text: string): string {
  return /^[A-Z][a-z]+(?:'\w+)? /.test(text) && !isName.test(text)
    ? `${text.charAt(0).toLowerCase()}${text.slice(1)}`
    : text
}

const isName =
  /^(?:[A-Z][a-z]+[A-Z]|Zsh|Bash|Fish|Windows|Linux|Darwin|Docker|Postgres|Node|Python|Java|Ruby|Rust|Cargo|Bun|Deno|Npm|Git|Codex|Claude|Gemini|Playwright|Vite|Vitest|Jest|Next|React|Redis|Chrome|Chromium|Kubernetes|Terraform)\b/
