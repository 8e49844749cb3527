// Shortens a sentence to the length of a title so that what is to be done stays: first without the
// condition before it and the clause that only leads to the request, then at the end of a clause.
import { contentWords } from '../text/content-words.ts'
import { ellipsize, oneLine } from '../text/truncate.ts'

export const maxTitleLength = 80

export interface ShortTitle {
  text: string
  /** Nothing was cut off that the sentence is about. */
  isWhole: boolean
}

export function shortenTitle(sentence: string): ShortTitle {
  const full = plainLine(sentence)
  const line = full.length <= maxTitleLength ? full : shortPaths(full)
  if (line.length <= maxTitleLength) return { text: line, isWhole: true }
  const rest = withoutAsides(line)
  const { before, text } = requestIn(rest) ?? afterCondition(rest) ?? { before: '', text: rest }
  if (before === '') return cutAtClause(rest)
  const isThin = refersBack.test(text) || contentWords(text).length < 3
  return { text: isThin ? joinTitle(before, text) : cutAtClause(text).text, isWhole: false }
}

/** The beginning of what leads to a request, and the request: `the log writes to out/ … include that in .npmignore`. */
export function joinTitle(context: string, request: string): string {
  const end = cutAtClause(request).text
  const room = maxTitleLength - end.length - gap.length
  if (room < minContext) return end
  const start = context.replace(/[\s,;:.…-]+$/, '')
  return start.length <= room ? `${start}${gap}${end}` : `${ellipsize(start, room + 1).replace(/…$/, '')}${gap}${end}`
}

const gap = ' … '
const minContext = 12

/** Without marks of Markdown and trailing punctuation. */
function plainLine(text: string): string {
  return oneLine(text.replace(/\*\*/g, ''))
    .replace(/^[#>*\-•\s]+/, '')
    .replace(/[\s:;,.…]+$/, '')
}

/** `docs/plans/2026/tides.md` becomes `tides.md`. */
function shortPaths(line: string): string {
  return line.replace(/(?<![\w:/.])@?(?:[\w.~-]*\/){1,12}([\w.-]+\.\w{1,5})(?=$|[\s,;:)`'"?!])/g, '$1')
}

/** What is said in brackets is less important than the rest. */
function withoutAsides(line: string): string {
  return line.replace(/\s\([^()]{3,}\)/g, '')
}

/** "in the header, add a clock" has "add a clock" after its condition. */
function afterCondition(line: string): { before: string; text: string } | undefined {
  const before = condition.exec(line)?.[0]
  if (before === undefined) return undefined
  const text = line.slice(before.length)
  return contentWords(text).length < 2 ? undefined : { before: before.replace(/[\s,;]+(?:then\s+)?$/, ''), text }
}

const condition =
  /^(?:(?:if|when|while|since|because|after|before|given|based on|for|in|on|with|from|now that)\b[^,;]{3,80}[,;] (?:then )?|if\b.{3,80}? then )(?=[\p{L}"'`$/])/iu

/** The clause of a sentence that says what is wanted, and what comes before it. */
export function requestIn(line: string): { before: string; text: string } | undefined {
  const found = requestMark.exec(line)
  if (!found) return undefined
  const text = line.slice(found.index + found[0].length).trim()
  return contentWords(text).length === 0 ? undefined : { before: line.slice(0, found.index).trim(), text }
}

const requestMark =
  /(?<=\S{2}.{10})[\s,;:—–-]+(?:(?:so|and|then|but|or)\s+)*(?:(?:can|could|would|will) (?:you|we|u)|please|pls|plz|(?:i(?:'d| would) like|i want|i need|we (?:need|want))(?: you)? to|we should|let'?s)\s+(?:(?:please|just|also|maybe|now)\s+)*(?=\w)/i

/** Needs what is said before it. */
export const refersBack =
  /\b(?:it|them|why)\b(?!')|\b(?:this|that|these|those)(?:$|[.,!?]| (?:in|on|to|into|for|with|from|at|by|and|as|now|again|automatically|instead|too|right)\b)/i

/** At the end of a clause where one fits, else at a word. */
function cutAtClause(line: string): ShortTitle {
  if (line.length <= maxTitleLength) return { text: line, isWhole: true }
  const end = [...line.slice(0, maxTitleLength + 1).matchAll(clauseStart)]
    .map(({ index }) => line.slice(0, index).replace(danglingEnd, ''))
    .findLast((start) => start.length >= minClause && contentWords(start).length >= 3)
  if (end === undefined) return { text: ellipsize(line, maxTitleLength), isWhole: false }
  return { text: end, isWhole: false }
}

const minClause = 36
const clauseStart =
  /,? (?:and|but|so|so that|because|since|which|if|when|while|then|in order|e\.g\.|instead)(?= )|; | (?:[-–—]+>?|=>) /gi
const danglingEnd = /(?:[\s,;:.–—-]+|\s(?:and|but|or|so|then|that|the|a|an|of|to|which))+$/i
