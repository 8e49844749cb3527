// The gate: every text that an agent is given passes here, by who wrote each part of it. The person's
// words pass unless they imitate a system message. An agent's words may not direct their reader. What a
// program printed is told by its form only, commands and code if they are known to be harmless. What
// is held back stays in the ledger, where the person can read it.
import { directsReader, excluded } from '../memory/exclusions.ts'
import type { Memory } from '../memory/memory.ts'
import { toldCode } from './code.ts'
import { whyCommandIsHeld } from './commands.ts'
import { directsAgents, directsInWords, namesHarm, wordsIn } from './directions.ts'
import { missingPackages } from './packages.ts'
import { printedForm } from './printed.ts'
import { parseShellLine } from './shell-line.ts'

/** Told, perhaps in another form, or held back. */
export type Told<T> = { told: T } | { held: string }

export type Voice = 'person' | 'agent'

const directing = 'text that tries to direct whoever reads it'

/** Prose of a person or an agent. */
export function tellWords(text: string, voice: Voice): Told<string> {
  const isDirecting = voice === 'person' ? directsReader(text) : directsAgents(text)
  return isDirecting ? { held: directing } : { told: text }
}

/** A sentence of an agent in which the person is quoted: “…”. */
export function tellQuoting(text: string): Told<string> {
  const quotes = [...text.matchAll(/“([^”]*)”/g)].map(([, quote = '']) => tellWords(quote, 'person'))
  const isHeld = quotes.some((one) => 'held' in one) || 'held' in tellWords(text.replace(/“[^”]*”/g, '“”'), 'agent')
  return isHeld ? { held: directing } : { told: text }
}

/** Prose line by line: those that are held back are marked. */
export function tellLines(text: string, voice: Voice): string {
  const whole = tellWords(text, voice)
  if ('told' in whole) return whole.told
  const lines = text.split('\n').map((line) => ('told' in tellWords(line, voice) ? line : leftOut))
  // A direction may be spread over lines.
  return 'told' in tellWords(lines.filter((line) => line !== leftOut).join('\n'), voice) ? lines.join('\n') : leftOut
}

export const leftOut = `[left out: ${directing}]`

/**
 * A command on its own; `same` are programs that the reader runs or asks for, `error` is the message
 * that it helped with.
 */
export function tellCommand(command: string, same: readonly string[], error = ''): Told<string> {
  if (/\[secret|REDACTED/.test(command)) return { held: 'a command with a secret' }
  if (directsInWords(command)) return { held: directing }
  const reason = whyCommandIsHeld(command, { same, missing: missingPackages(error) })
  return reason ? { held: reason } : { told: command }
}

/** A call in the record of a session: whole if it is harmless, else only which programs it ran, and why. */
export function tellCall(command: string, cwd: string | null = null): string {
  const inProject = cwd === null ? command : command.replaceAll(`${cwd}/`, '').replaceAll(cwd, '.')
  const one = tellCommand(inProject, [programOf(inProject)])
  if ('told' in one) return command
  const programs = (parseShellLine(inProject) ?? [])
    .map(({ words }) => words[0]?.text ?? '')
    .filter((program) => /^[\w./-]{1,40}$/.test(program) && !directsInWords(program))
  return `${[...new Set(programs)].slice(0, 5).join(', ')} … [left out: ${one.held}]`.trim()
}

/** What failed and what helped, as it is stored. */
export interface RecordedFix {
  /** The command that failed. */
  command: string
  /** Its message, as the program printed it; '' if there is none. */
  error: string
  /** What made the difference, as this program worded it, with words of the agent behind it. */
  remedy: string
  /** For an edit: the changed lines; else ''. */
  diff: string
}

export interface ToldFix extends RecordedFix {
  /** The form of the message; '' if nothing of it can be told. */
  error: string
}

export function tellFix({ command, error, remedy, diff }: RecordedFix): Told<ToldFix> {
  const same = [programOf(command)]
  const failed = command.replace(/ …(?: \S+)?$/, '')
  const called = tellCommand(failed, same, error)
  if ('held' in called) return called
  const code = diff === '' ? { lines: [] } : toldCode(diff, /^Edited (\S+?)\.?(?: |$)/.exec(remedy)?.[1], error)
  if ('reason' in code) return { held: code.reason }
  const helped = diff === '' ? tellRemedy(remedy, { command: failed, error, same }) : { told: remedy }
  if ('held' in helped) return helped
  const form = printedForm(error, [command, ...code.lines, helped.told.replace(agentPart(helped.told), '')].join('\n'))
  return { told: { command, error: form, remedy: helped.told, diff: code.lines.join('\n') } }
}

/** With its subcommand, if it has one. */
function programOf(command: string): string {
  return /^(?:\w+=\S*\s+)*(\S+(?:\s+[a-z][\w-]*)?)/.exec(command)?.[1] ?? ''
}

interface FailedCall {
  command: string
  error: string
  same: readonly string[]
}

/** The forms in which a remedy begins; the agent's explanation follows. */
const remedyForms: [form: RegExp, asCommand: (words: string, failed: string) => string][] = [
  [/^(?:Fix: )?`([^`]+)` works\.?/, (words) => words],
  [/^It works after `([^`]+)`\.?/, (words) => words],
  [/^It works with `([^`]+)` in front\.?/, (words, failed) => `${words} ${failed}`],
  [/^It works with `(\w+=[^`]+)`\.?/, (words, failed) => `${words} ${failed}`],
  [/^It works with `([^`]+)`\.?/, (words, failed) => `${failed} ${words}`],
  [/^It works without `([^`]+)`\.?/, (words, failed) => (guards.test(words) ? '' : failed)],
  [/^It works outside of the sandbox\.?/, (_, failed) => failed],
]

/** Options that protect somebody: leaving them out is no remedy to tell. */
const guards = /verif|secur|safe|sandbox|sign|audit|frozen|strict|ignore-scripts|dry-run|confirm|interactive|preserve/i

function tellRemedy(remedy: string, { command, error, same }: FailedCall): Told<string> {
  for (const [form, asCommand] of remedyForms) {
    const [whole, words = ''] = form.exec(remedy) ?? []
    if (whole === undefined) continue
    if (/^\S/.test(remedy.slice(whole.length))) return { held: 'a command whose parts cannot be read' }
    const tried = tellCommand(asCommand(words, command), same, error)
    if ('held' in tried) return tried
    const said = tellExplanation(remedy.slice(whole.length), error)
    // Without the explanation the call still helps.
    return { told: 'held' in said ? whole : remedy }
  }
  return tellExplanation(remedy, error)
}

function agentPart(remedy: string): string {
  const form = remedyForms.map(([pattern]) => pattern.exec(remedy)?.[0]).find((found) => found !== undefined)
  return form === undefined ? remedy : remedy.slice(form.length)
}

/** Words of an agent about a failure: not what the program printed, and no way round a check. */
export function tellExplanation(text: string, printed: string): Told<string> {
  if (directsAgents(text)) return { held: directing }
  if (namesHarm(text)) return { held: 'it names something harmful' }
  if (repeats(text, printed)) return { held: 'it repeats what a program printed' }
  if (/``|\w`\w/.test(text.replace(/```/g, '')) || (text.match(/`/g) ?? []).length % 2 > 0)
    return { held: 'a command whose parts cannot be read' }
  for (const [, code = ''] of text.matchAll(/`([^`\n]+)`/g)) {
    if (!/\s/.test(code)) continue
    const called = tellCommand(code, [programOf(code)], printed)
    if ('held' in called) return called
  }
  return { told: text }
}

/** A run of words that stands in the output, too, and says more than its form. */
function repeats(text: string, printed: string): boolean {
  const words = wordsIn(text)
  const output = ` ${wordsIn(printed).join(' ')} `
  for (let at = 0; at + minRepeated <= words.length; at++) {
    const run = words.slice(at, at + minRepeated).join(' ')
    if (output.includes(` ${run} `) && printedForm(run) !== run) return true
  }
  return false
}

const minRepeated = 5

type TellableMemory = Pick<Memory, 'text' | 'why' | 'apply' | 'trust' | 'because'>
export type ToldMemory = Pick<Memory, 'text' | 'why' | 'apply'>

/** A memory as an agent may be told it: notes that direct their reader are left out. */
export function tellMemory(memory: TellableMemory): Told<ToldMemory> {
  const { text, why, apply, trust, because } = memory
  const reason = excluded({ text, trust })
  if (reason) return { held: reason }
  const voice = trust === 'user said' || because === 'person' ? 'person' : 'agent'
  const note = (said: string | null) => (said === null ? null : toldOrNull(tellWords(said, voice)))
  if (voice === 'agent' && readCause(text).command !== '') return tellCause(text, apply)
  const said = because === 'run' && voice === 'agent' ? tellExplanation(text, '') : tellWords(text, voice)
  return 'held' in said ? said : { told: { text: said.told, why: note(why), apply: note(apply) } }
}

function toldOrNull<T>(one: Told<T>): T | null {
  return 'held' in one ? null : one.told
}

/** A cause with its fix, as a failed and a passing run gave it. */
function tellCause(text: string, apply: string | null): Told<ToldMemory> {
  const { command, error, joint, remedy } = readCause(text)
  const fix = tellFix({ command, error, remedy, diff: '' })
  if ('held' in fix) return fix
  const call = apply === null ? null : toldOrNull(tellRemedy(apply, { command, error, same: [programOf(command)] }))
  const message = fix.told.error === '' ? '' : ` with \`${fix.told.error}\``
  return { told: { text: `\`${command}\` failed${message}${joint} ${fix.told.remedy}`, why: null, apply: call } }
}

/** "`npm test` failed with `Error: …`: the database does not run. Fix: start it." */
function readCause(text: string): { command: string; error: string; joint: string; remedy: string } {
  const [, command = '', error = '', joint = '.', remedy = ''] =
    /^`([^`]*)` failed(?: with `([^`]*)`)?([.:]) ([\s\S]*)$/.exec(text) ?? []
  return { command, error, joint, remedy }
}
