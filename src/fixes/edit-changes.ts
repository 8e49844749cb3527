// Finds the edit that removed an error: the one that replaced the line of source that the tool had
// printed below it.
import { pathsOf } from '../core/commands.ts'
import { diffLinesOf } from '../core/diff-lines.ts'
import type { Json } from '../core/session.ts'
import { baseName } from '../digest/tool-call.ts'
import { jaccard, sharedCount } from '../text/similarity.ts'
import { ellipsize, oneLine } from '../text/truncate.ts'
import type { ErrorLine } from './error-lines.ts'

/** A change that a call made to a file: the lines that it removed and added, with their signs. */
export interface EditChange {
  path: string
  lines: string[]
  /** The unchanged lines next to them. */
  context: string[]
}

const maxHunk = 60

/** The changes of one call; each run of changed lines by itself. */
export function changesOf(input: Json | undefined): EditChange[] {
  const changes: EditChange[] = []
  let [path = ''] = pathsOf(input)
  let hunk: string[] = []
  let before = ''
  const close = (after = '') => {
    if (hunk.length > 0 && hunk.length <= maxHunk && path)
      changes.push({ path, lines: hunk, context: [before, after].map((line) => oneLine(line)) })
    hunk = []
  }
  for (const { kind, text } of diffLinesOf(input)) {
    if (kind === 'add' || kind === 'del') {
      // A new removal after an addition begins another run.
      if (kind === 'del' && hunk.at(-1)?.startsWith('+')) close()
      hunk.push(text)
    } else {
      close(text)
      before = text
      path = /^(?:\*\*\* (?:Update|Add) File: |\+\+\+ (?:b\/)?)(\S.*)$/.exec(text)?.[1]?.trim() ?? path
    }
  }
  close()
  return changes
}

/** Whether the change is in the file of the error and replaces the line that the error is about. */
export function removesError({ file, source, details }: ErrorLine, { path, lines, context }: EditChange): boolean {
  const removed = lines.filter((line) => line.startsWith('-')).map((line) => oneLine(line.slice(1)))
  if (file === null) return replacesNames(details, removed, lines)
  if (baseName(file) !== baseName(path)) return false
  // A comment for the linter stands in front of the line.
  if (source !== '') return removed.includes(source) || (removed.length === 0 && context.includes(source))
  return lines.length <= maxBlind && details.length > 0 && details.every((name) => lines.join('\n').includes(name))
}

/** An error without a place is removed by an edit that replaces the value that it quotes. */
function replacesNames(names: readonly string[], removed: readonly string[], lines: readonly string[]): boolean {
  const added = lines.filter((line) => line.startsWith('+')).join('\n')
  const isGone = (name: string) => removed.some((line) => line.includes(name)) && !added.includes(name)
  return names.length > 0 && names.every((name) => name.length >= minName && isGone(name))
}

const minName = 6

/** Without the line of source, only a small change that names everything in the message counts. */
const maxBlind = 8

const maxShownLines = 3
const maxLineLength = 110

/** The changed lines around the error, few and short; '' if the change does not show what was done. */
export function gistOf(error: ErrorLine, { lines, context }: EditChange): string {
  const removed = lines.filter((line) => line.startsWith('-')).map((line) => oneLine(line.slice(1)))
  const added = lines.filter((line) => line.startsWith('+')).map((line) => oneLine(line.slice(1)))
  const source = error.source || (removed.find((line) => error.details.some((name) => line.includes(name))) ?? '')
  const isNew = (line: string) => line.length > 1 && !removed.includes(line)
  if (source === '' || (removed.length === 0 && context.includes(source)))
    return lines.length <= maxShownLines + 1 ? shown(removed, added.filter(isNew)) : ''
  const at = nearestLine(added, source)
  if (at < 0) {
    const fresh = added.filter(isNew)
    return fresh.length <= 2 && removed.length <= maxShownLines ? shown([source], fresh) : ''
  }
  // A comment in front of the line, the line itself, and what follows it.
  const from = at > 0 && isNew(added[at - 1]!) && isComment.test(added[at - 1]!) ? at - 1 : at
  const near = added.slice(from, at + maxShownLines)
  // Where the old text goes on, the change ends.
  const next = removed[removed.indexOf(source) + 1]
  const end = near.findIndex((line, index) => from + index > at && line === next)
  const part = end < 0 ? near : near.slice(0, end)
  const fresh = part.filter((line, index) => isNew(line) || (from + index > at && line.length > 1))
  if (fresh.length === 0) return ''
  // A line that stays is shown below the comment that was put in front of it.
  return isNew(added[at]!) ? shown([source], fresh) : `${shown([], fresh)}\n  ${ellipsize(source, maxLineLength)}`
}

/** The line itself, else the one with most of its names. */
function nearestLine(added: readonly string[], source: string): number {
  const exact = added.indexOf(source)
  if (exact >= 0) return exact
  const words = wordsOf(source)
  const names = new Set([...words].filter((word) => !isKeyword.test(word)))
  const scores = added.map((line) => {
    const other = wordsOf(line)
    // A line of keywords alone, such as `return err`, must be there as a whole.
    const isLike = names.size === 0 ? sharedCount(words, other) === words.size : sharedCount(names, other) > 0
    return isLike ? sharedCount(words, other) / words.size + jaccard(words, other) : 0
  })
  const best = Math.max(...scores, 0)
  return best >= minSimilarity ? scores.indexOf(best) : -1
}

/** In front of a line: a comment or a decorator, such as one for the linter. */
const isComment = /^(?:\/\/|#|\/\*|\*|--|;|@|<!--)/

const isKeyword =
  /^(?:return|if|else|for|while|err|error|nil|null|none|undefined|true|false|const|let|var|func|function|def|async|await|self|this|new|string|int|t|s|e|i|_)$/i
const minSimilarity = 0.6
const minKept = 40

function wordsOf(line: string): Set<string> {
  return new Set(line.match(/\w+/g) ?? [])
}

function shown(removed: readonly string[], added: readonly string[]): string {
  const short = (line: string) => ellipsize(line, maxLineLength)
  // Of a line that only grew, what was added.
  const rest = (line: string) => removed.find((one) => one.length >= minKept && line.startsWith(one))
  return [
    ...removed.map((line) => `- ${short(line)}`),
    ...added.map((line) => `+ ${short(rest(line) ? `… ${line.slice(rest(line)!.length).trim()}` : line)}`),
  ].join('\n')
}
