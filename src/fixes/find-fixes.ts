// Finds what helped with an error before: the same error first, then errors that are nearly the same.
// A wrong answer costs more than none, so an answer must fit the names in the message, too.
import { tellFix } from '../gate/gate.ts'
import { isUsageError } from '../learn/causes/changed-call.ts'
import { listFixes, listShapes, type StoredFix } from '../store/fixes/fixes.ts'
import type { Ledger } from '../store/ledger.ts'
import { jaccard, sharedCount } from '../text/similarity.ts'
import { type ErrorLine, errorLineOf, errorLinesIn, isTestFile } from './error-lines.ts'

export interface FixQuery {
  /** An output, or a line of it, with paths, numbers and colours as they are. */
  text: string
  /** The command that failed; unknown if it is missing. */
  command?: string
  /** Fixes of this project come first. */
  project?: string | null
  /** Only fixes of this project. */
  isOnly?: boolean
  /** Sessions whose fixes are left out. */
  without?: (session: string) => boolean
  limit: number
}

/** `same`: also the names in the message. `form`: other names. `near`: another wording. */
export type FixMatch = 'same' | 'form' | 'near'

export interface FoundFix extends StoredFix {
  match: FixMatch
  /** The line of the question that it answers. */
  asked: string
  /** How many fixes of this form are known, and in how many sessions. */
  times: number
  sessions: number
}

export interface FixAnswer {
  /** As they may be told. */
  fixes: FoundFix[]
  held: HeldFix[]
}

/** A fix that answers but is not told, with the reason. */
export interface HeldFix extends Pick<FoundFix, 'session' | 'failedSeq'> {
  reason: string
}

export function findFixes(ledger: Ledger, query: FixQuery): FixAnswer {
  const lines = askedLines(query.text).filter(({ shape }) => isTelling(shape))
  if (lines.length === 0) return { fixes: [], held: [] }
  const shapes = listShapes(ledger)
  const found = lines.flatMap((line) => fixesOf(ledger, line, shapes, query))
  const { fixes, held } = toldFixes(found.toSorted((a, b) => rankOf(a, query) - rankOf(b, query)))
  return { fixes: distinct(fixes).slice(0, query.limit), held }
}

/** What a program printed and an agent did, in the form in which anybody may read it. */
export function toldFixes<T extends StoredFix>(found: readonly T[]): { fixes: T[]; held: HeldFix[] } {
  const fixes: T[] = []
  const held: HeldFix[] = []
  for (const fix of found) {
    const one = tellFix(fix)
    if ('told' in one) fixes.push({ ...fix, ...one.told })
    else held.push({ session: fix.session, failedSeq: fix.failedSeq, reason: one.held })
  }
  return { fixes, held }
}

const maxLines = 12

/** A short text is an error as it is; in an output the lines that tell one are looked for. */
function askedLines(text: string): ErrorLine[] {
  const found = errorLinesIn(text)
  if (found.length > 0) return found
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.length <= 3 ? lines.map(errorLineOf).slice(0, maxLines) : []
}

/** Forms without at least two words of their own match everything. */
export function isTelling(shape: string): boolean {
  return wordsOf(shape).size >= 2 && !saysNothing.test(shape)
}

const saysNothing =
  /^(?:error: )?(?:exit(?:ed)?(?: with)? (?:status|code)|task failed|command failed|process exited|found <n> errors?|build failed|script <text> exited|context deadline exceeded|test(?:s)? failed)\b/

function fixesOf(ledger: Ledger, line: ErrorLine, shapes: readonly string[], query: FixQuery): FoundFix[] {
  const near = shapes.filter((shape) => shape !== line.shape && isNear(line.shape, shape))
  const known = listFixes(ledger, {
    shapes: [line.shape, ...near],
    ...(query.isOnly && query.project ? { project: query.project } : {}),
  }).filter(({ session }) => !query.without?.(session))
  const fits = known.flatMap((fix) => {
    const match = matchOf(line, fix)
    return match && isSameProgram(fix, query.command) ? [{ ...fix, match }] : []
  })
  const sessions = new Set(fits.map(({ session }) => session)).size
  return fits
    .map((fix) => ({ ...fix, asked: line.message, times: fits.length, sessions }))
    .toSorted((a, b) => likeness(line, b) - likeness(line, a))
}

/** Of edits, one of the same kind of file and of a similar line comes first. */
function likeness({ file, source }: ErrorLine, { kind, file: edited, diff }: StoredFix): number {
  if (kind !== 'edit' || file === null) return 0
  const lines = diff.split('\n')
  const before = lines.find((line) => line.startsWith('-'))?.slice(2) ?? lines.at(-1)!
  const isSameKind = isTestFile.test(file) === isTestFile.test(edited ?? '')
  const isSameForm = source !== '' && formOfLine(source) === formOfLine(before)
  return (isSameKind ? 1 : 0) + (isSameForm ? 1 : 0) + jaccard(wordsOf(source), wordsOf(before)) - lines.length / 20
}

/** `data, _ = json.Marshal(empty)` and `tree, _ := commit.Tree()` are `x, _ = x.x(`. */
function formOfLine(line: string): string {
  return line
    .replace(/"[^"]*"|\w{2,}|[A-Za-z]/g, 'x')
    .replace(/:=/g, '=')
    .replace(/\(.*/, '(')
}

/** Undefined if the fix would not help with this error. */
function matchOf({ shape, details, file }: ErrorLine, fix: StoredFix): FixMatch | undefined {
  const isSameForm = fix.shape === shape
  const isSame = details.length === fix.details.length && details.every((name) => fix.details.includes(name))
  if (saysRemedy.test(shape))
    return isSameForm && isSame && details.some((name) => fix.diff.includes(name)) ? 'same' : undefined
  if (isSameForm && isSame) return 'same'
  const rule = ruleOf(shape)
  if (fix.kind === 'edit') {
    if (rule && rule === ruleOf(fix.shape)) return isSameForm ? 'form' : 'near'
    // A long message says what is wrong with the value that it quotes.
    return isSameForm && file === null && wordsOf(shape).size >= minWords ? 'form' : undefined
  }
  // A program that rejects a flag or a field means exactly that one.
  if (isUsageError.test(fix.error) || !isSameForm) return undefined
  const namesOwn = fix.details.some((name) => fix.remedy.includes(name))
  return fix.kind === 'step' && !namesOwn ? 'form' : undefined
}

const minWords = 5

/** The message itself says what to do: only what was done about the same name adds something. */
const saysRemedy =
  /make it a constant|such constant|\brewrite\b|can replace|could be (?:replaced|simplified)|should be (?:replaced|simplified|rewritten|listed|merged)|redundant|ineffectual|consider removing/

/** The rule of a linter: `… is not checked (errcheck)`. Compilers have none, so names must be the same. */
export function ruleOf(shape: string): string | undefined {
  const rule = /\(([a-z@][\w@/-]*)\)$/.exec(shape)?.[1] ?? /^(?:lint\/\S+|[a-z]{1,4}<n>(?=[: ]))/.exec(shape)?.[0]
  return rule && !/^(?:typecheck|ts<n>|e<n>|fetch)$/.test(rule) ? rule : undefined
}

/** Errors of the same rule with most words in common. Other errors must have the same form. */
function isNear(asked: string, known: string): boolean {
  const rule = ruleOf(asked)
  if (!rule || rule !== ruleOf(known)) return false
  const [a, b] = [wordsOf(asked), wordsOf(known)]
  return sharedCount(a, b) >= Math.min(a.size, b.size) * minShared
}

const minShared = 0.6

function wordsOf(shape: string): Set<string> {
  return new Set(shape.replace(/<\w+>/g, ' ').match(/[a-z][a-z_-]{2,}/g) ?? [])
}

/** The same message of another program is another error, unless a linter runs as a part of something else. */
function isSameProgram(fix: StoredFix, asked: string | undefined): boolean {
  return asked === undefined || fix.kind === 'edit' || asked.includes(programWords(fix))
}

/** The program with its subcommand, also of programs whose subcommands are not known: `bd status`. */
export function programWords({ program, command }: Pick<StoredFix, 'program' | 'command'>): string {
  if (program.includes(' ')) return program
  const [name, verb = ''] = command.slice(Math.max(0, command.indexOf(program))).split(/\s+/)
  return isVerb.test(verb) ? `${name} ${verb}` : program
}

const isVerb = /^[a-z]{2,}(?:[-:][a-z]+)*$/

const matchRank: Record<FixMatch, number> = { same: 0, form: 1, near: 2 }

/** Near ones last; then this project first. Those of a line are in order already. */
function rankOf({ match, project }: FoundFix, query: FixQuery): number {
  const isOther = query.project ? project !== query.project : false
  return (match === 'near' ? 100 : 0) + (isOther ? 10 : 0) + matchRank[match]
}

/** One answer for what was done in the same way, and for each line of the question the best ones. */
function distinct(found: readonly FoundFix[]): FoundFix[] {
  const seen = new Set<string>()
  const perLine = new Map<string, number>()
  return found.filter(({ asked, remedy, diff, kind }) => {
    const key = kind === 'edit' ? diff : remedy
    const count = perLine.get(asked) ?? 0
    if (seen.has(key) || count >= maxPerLine) return false
    seen.add(key)
    perLine.set(asked, count + 1)
    return true
  })
}

const maxPerLine = 2
