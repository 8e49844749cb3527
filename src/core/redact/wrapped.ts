// Values that continue on the next line: broken by a terminal or a mail program, or put together by code.
// A view without these line breaks is searched, and what was found across one is a secret.
import { looksGenerated, looksLikeWords } from './values.ts'

/** What is left out of a view: a line break with the indentation and quotes around it. */
export interface Joint {
  start: number
  end: number
}

/** A part of the text with joints in it, in order. */
export interface WrappedPart {
  start: number
  end: number
  joints: Joint[]
}

/** A line that continues is not longer, from the marker or the last line break on. */
const maxLine = 250
/** What surrounds a joint is searched with it. */
const before = 400
const after = 500

/** Parts around the line breaks behind these places that look like the middle of a value. */
export function wrappedParts(
  text: string,
  hits: readonly number[],
  ranges: readonly { start: number }[],
): WrappedPart[] {
  const joints: Joint[] = []
  addJoints(text, hits, joints)
  if (ranges.length > 0) {
    const starts = ranges.map(({ start }) => start)
    addJoints(text, starts, joints)
  }
  return joints.length === 0 ? noParts : partsOf(text, joints)
}

const noParts: WrappedPart[] = []

function partsOf(text: string, joints: Joint[]): WrappedPart[] {
  const parts: WrappedPart[] = []
  let behind = -1
  for (const joint of joints.toSorted((a, b) => a.start - b.start)) {
    if (joint.start < behind) continue // seen twice
    behind = joint.end
    const last = parts.at(-1)
    const end = Math.min(text.length, joint.end + after)
    if (last && joint.start - before <= last.end) {
      last.joints.push(joint)
      last.end = end
    } else parts.push({ start: Math.max(0, joint.start - before), end, joints: [joint] })
  }
  return parts
}

/** Each line break is looked at once per list, however many places are before it. */
function addJoints(text: string, places: readonly number[], joints: Joint[]): void {
  if (places.length === 0 || !text.includes('\n', places[0])) return
  /** Line breaks were looked for up to here, and the last one was there. */
  let searched = 0
  let last = -1
  for (let index = 0; index < places.length; index++) {
    let from = places[index]!
    while (from > last) {
      const until = from + maxLine
      if (until <= searched) break
      const start = Math.max(from, searched)
      const found = text.slice(start, until).indexOf('\n')
      searched = found < 0 ? until : start + found + 1
      if (found < 0) break
      last = start + found
      const joint = jointAt(text, last)
      if (!joint) break
      joints.push(joint)
      from = joint.end
    }
  }
}

const carriageReturn = 13

const isBlank = (code: number) => code === 32 || code === 9
const isQuote = (code: number) => code === 34 || code === 39
/** Joins strings in code. */
const isOperator = (code: number) => code === 43 || code === 46 || code === 38

function jointAt(text: string, lineEnd: number): Joint | undefined {
  const close = text.charCodeAt(lineEnd - 1) === carriageReturn ? lineEnd - 1 : lineEnd
  let end = skipBlanks(text, lineEnd + 1)
  let start = close
  if (!isPieceUnit(text.charCodeAt(close - 1)) || isOperator(text.charCodeAt(close - 1))) {
    start = stringEnd(text, close)
    if (start < close) {
      if (isOperator(text.charCodeAt(end))) end = skipBlanks(text, end + 1)
      if (!isQuote(text.charCodeAt(end))) return undefined
      end++
    }
  }
  if (!isPieceUnit(text.charCodeAt(start - 1)) || !isPieceUnit(text.charCodeAt(end))) return undefined
  return isContinued(text, start, end) ? { start, end } : undefined
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (at < from + 40 && isBlank(text.charCodeAt(at))) at++
  return at
}

/** Where a string ends that code continues: before the quote, an operator and a backslash. */
function stringEnd(text: string, close: number): number {
  let at = close
  if (text.charCodeAt(at - 1) === 92) at--
  while (at > close - 8 && isBlank(text.charCodeAt(at - 1))) at--
  if (isOperator(text.charCodeAt(at - 1))) at--
  while (at > close - 8 && isBlank(text.charCodeAt(at - 1))) at--
  return isQuote(text.charCodeAt(at - 1)) ? at - 1 : close
}

const maxPiece = 200
/** Signs that no value has in the middle, and those that stand before one. */
const endsPiece = new Uint8Array(128)
for (let code = 0; code < 128; code++)
  if (code <= 32 || '"\'`=:,;<>(){}[]|@'.includes(String.fromCharCode(code))) endsPiece[code] = 1
const isPieceUnit = (code: number) => code < 127 && endsPiece[code] === 0

/** A name with a value of its own, or a number of a line. Padding is none. */
const assignment = /[\w.-]*["'`]?[ \t]{0,4}(?:=[^=\s"'`;,)&]|=["'`]|:[ \t\n]|:$|=>|\()/y

/** Whether the line break seems to be in the middle of a random value. */
function isContinued(text: string, start: number, end: number): boolean {
  // Nearly all lines begin with a word or a sign, or with a name: this is seen without a copy of them.
  const to = pieceEnd(text, end)
  if (to - end < 3 || isName(text, to)) return false
  const isNumbered = hasUnit(text, end, to, 48, 57)
  if (!isNumbered && (to - end < 6 || !hasUnit(text, end + 1, to, 65, 90))) {
    if (to - end < 6 || !hasUnit(text, pieceStart(text, start), start, 48, 57)) return false
  }
  const from = pieceStart(text, start)
  const first = text.slice(from, start)
  const second = text.slice(end, to)
  if (isWordOf(text, from, first) || (isShortId.test(second) && text.charCodeAt(to) === 32)) return false
  if (!isNumbered && !hasUnit(text, from, start, 48, 57) && looksLikeWords(first + second)) return false
  if (!isRandomPiece(second)) return false
  assignment.lastIndex = end
  if (assignment.test(text)) return false
  if (isWhole(first) ? !isHex.test(second) : isWhole(second)) return false
  return first.length < 4 || second.length < 4 || looksRandom(first + second)
}

/** `name: value` and `call(`. */
function isName(text: string, end: number): boolean {
  const code = text.charCodeAt(end)
  return code === 40 || (code === 58 && text.charCodeAt(end + 1) <= 32)
}

function hasUnit(text: string, start: number, end: number, min: number, max: number): boolean {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code >= min && code <= max) return true
  }
  return false
}

/** The last word of a sentence. */
function isWordOf(text: string, at: number, piece: string): boolean {
  if (at > 0 && (text.charCodeAt(at - 1) !== 32 || ':='.includes(text.charAt(at - 2)))) return false
  return /^[a-z]{3,}$/.test(piece) && looksLikeWords(piece)
}

/** Of a commit, at the beginning of a line in a log. */
const isShortId = /^[0-9a-f]{7,12}$/

function pieceStart(text: string, start: number): number {
  let from = start
  while (from > 0 && from > start - maxPiece && isPieceUnit(text.charCodeAt(from - 1))) from--
  return from
}

/** Without the punctuation of a sentence. */
function pieceEnd(text: string, end: number): number {
  let to = end
  while (to < end + maxPiece && isPieceUnit(text.charCodeAt(to))) to++
  while (to > end && '.!?'.includes(text.charAt(to - 1))) to--
  return to
}

const isHex = /^[0-9a-f]{16,}$/i

/** A digest or an id that has its usual length. */
function isWhole(piece: string): boolean {
  return /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})$/i.test(piece)
}

function looksRandom(joined: string): boolean {
  return looksGenerated(joined) || (joined.length < 24 && /\d/.test(joined) && /[A-Za-z]/.test(joined))
}

/** Letters and digits or signs that no word, name, number or version is made of. */
function isRandomPiece(piece: string): boolean {
  if (/\d/.test(piece) && !isPlainWord.test(piece)) return /[A-Za-z]/.test(piece)
  return piece.length >= 6 && (!looksLikeWords(piece) || isMixedCase(piece))
}

const isPlainWord =
  /^[A-Za-z]+\d{1,4}$|^\d{1,4}[A-Za-z]{1,2}$|^v?\d+(?:\.\d+)*$|^(?:[A-Za-z]+\d{0,3}[._/-])*[A-Za-z]+\d{0,3}$/

/** `xKdPqR`, which is not how names change their case. */
function isMixedCase(piece: string): boolean {
  const changes = piece.match(/[a-z][A-Z]|[A-Z]{2,}[a-z]|[A-Z][a-z](?=[A-Z])/g)?.length ?? 0
  return changes * 3 >= piece.length - 2
}

/** The part without its joints, and where a range of it was written. */
export function joinPart(text: string, { start, end, joints }: WrappedPart) {
  let view = ''
  let from = start
  /** Where the joints would be in the view. */
  const places: number[] = []
  for (const joint of joints) {
    view += text.slice(from, joint.start)
    places.push(view.length)
    from = joint.end
  }
  view += text.slice(from, end)
  const shiftAt = (index: number) => (index < 0 ? start : joints[index]!.end - places[index]!)
  /** Undefined if it is in front of the joints, where it was found before, or cut off. */
  const writtenAt = (range: Joint): Joint | undefined => {
    const last = lastBefore(places, range.end)
    if (last < 0 || (range.end === view.length && end < text.length)) return undefined
    const first = lastBefore(places, range.start + 1)
    return { start: range.start + shiftAt(first), end: range.end + shiftAt(last) }
  }
  return { view, writtenAt }
}

/** The last of the numbers, which ascend, that is less; -1 if none is. */
function lastBefore(numbers: readonly number[], limit: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (numbers[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low - 1
}
