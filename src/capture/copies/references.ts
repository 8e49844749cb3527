// Splits a line at the strings that the events of its session have in the body already: a reference to
// them takes their place, and only the rest takes room.
import { nounOf } from '../../core/redact/names.ts'
import { isOpaqueName, isSecretValue } from '../../core/redact/redact.ts'
import { eventStrings, inJson, type StringReference } from '../../store/sessions/copy-text.ts'
import type { LineEvent } from '../collect.ts'
import { decodedString, mayBeJson, visitStrings } from './json-strings.ts'

/** Text of the line, or a reference that stands for a part of it. */
export type LinePiece = string | StringReference

export interface SplitLine {
  pieces: LinePiece[]
  /** Whether a value stands under the name of a secret, also in JSON inside a string. */
  hasSecretValue: boolean
  /**
   * What is to be searched for secrets, because no event has it: long values, decoded, and the rest of
   * the line as it stands. Escapes in long values would cost more than the search.
   */
  searched: string[]
}

export interface SplitOptions {
  wanted: WantedStrings
  /** Numbers of events by their id; lines repeat ids, as that of the record before. */
  places: ReadonlyMap<string, number>
  /** Long values that need not be searched again; those of the line are added. */
  seen: Set<string>
}

/** Strings of events as they stand in JSON. */
export interface WantedStrings {
  strings: ReadonlyMap<string, StringReference>
  /** Most strings of a line have another length than any of these, and are not looked up. */
  lengths: ReadonlySet<number>
}

/** A shorter string costs less than a reference to it. */
const minLength = 24
/** Longer texts are cut in the body. */
const maxLength = 200_000

const noStrings: WantedStrings = { strings: new Map(), lengths: new Set() }

/** The strings of the events of a line; references name the number of the event. */
export function wantedStrings(events: readonly LineEvent[]): WantedStrings {
  if (events.length === 0) return noStrings
  const strings = new Map<string, StringReference>()
  const lengths = new Set<number>()
  for (const { index, event } of events)
    for (const [number, string] of eventStrings(event).entries()) {
      if (string.length < minLength || string.length > maxLength || !string.isWellFormed()) continue
      const literal = inJson(string)
      if (strings.has(literal)) continue
      strings.set(literal, { event: index, string: number })
      lengths.add(literal.length)
    }
  return { strings, lengths }
}

const [space, hyphen, colon, backslash] = [32, 45, 58, 92]
const idLength = 36
/** Of JSON with a name and a value that is long enough for a secret. */
const minJsonLength = 12

/** Splits at whole strings, in one pass over the line, however many there are. */
export function splitAtStrings(text: string, { wanted, places, seen }: SplitOptions): SplitLine {
  const pieces: LinePiece[] = []
  const searched: string[] = []
  let rest = ''
  let [pieceFrom, restFrom] = [0, 0]
  let hasNoun = false
  let name = ''
  let hasSecretValue = false
  for (let open = text.indexOf('"'); open >= 0; ) {
    const start = open + 1
    const end = endOfString(text, start)
    open = text.indexOf('"', end + 1)
    if (isName(text, end + 1)) {
      name = text.slice(start, end)
      hasNoun = nounOf(name) !== undefined
      continue
    }
    const length = end - start
    if (hasNoun && length >= minSecretLength)
      hasSecretValue ||= isSecretValue(name, decodedString(text.slice(start, end)))
    if (length < minJsonLength) continue
    const found = length < minLength ? undefined : referenceTo(text, start, end, wanted, places)
    if (found === undefined) {
      if (mayBeJson(text, start)) hasSecretValue ||= hasSecretInJson(decodedString(text.slice(start, end)))
      if (length < minLongLength) continue
    } else {
      pieces.push(text.slice(pieceFrom, start), found)
      pieceFrom = end
    }
    rest += text.slice(restFrom, start)
    restFrom = end
    if (found !== undefined) continue
    const literal = text.slice(start, end)
    if (!hasNoun && seen.has(literal)) continue
    seen.add(literal)
    const value = decodedString(literal)
    searched.push(hasNoun || isOpaqueName(name) ? `"${name}":"${value}"` : value)
  }
  pieces.push(text.slice(pieceFrom))
  searched.push(rest + text.slice(restFrom))
  return { pieces, hasSecretValue, searched }
}

/** Of a value under the name of a secret. */
const minSecretLength = 5
/** Shorter values are searched together with their neighbours, as the arguments of a command. */
const minLongLength = 100

function referenceTo(
  text: string,
  start: number,
  end: number,
  { strings, lengths }: WantedStrings,
  places: ReadonlyMap<string, number>,
): StringReference | undefined {
  const found = lengths.has(end - start) ? strings.get(text.slice(start, end)) : undefined
  if (found || end - start !== idLength || text.charCodeAt(start + 8) !== hyphen) return found
  const event = places.get(text.slice(start, end))
  return event === undefined ? undefined : { event, string: 'id' }
}

/** Place of the closing quote; the end of the text if it is torn. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start); end >= 0; end = text.indexOf('"', end + 1)) {
    let before = end
    while (text.charCodeAt(before - 1) === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return text.length
}

/** Whether a colon follows the closing quote. */
function isName(text: string, after: number): boolean {
  let at = after
  while (text.charCodeAt(at) === space || text.charCodeAt(at) === 9) at++
  return text.charCodeAt(at) === colon
}

function hasSecretInJson(value: string): boolean {
  let isFound = false
  visitStrings(value, (inner, name) => {
    isFound ||= isSecretValue(name, inner)
  })
  return isFound
}

/** Each of these is searched in all of the line. */
const maxSearched = 32
/** Length of a string times that of the line: a search in text that repeats itself takes time like that. */
const maxEffort = 4e10

/**
 * Splits at parts of strings, the longest first: a short one may be a part of a longer one. Only for
 * lines without secrets: a reference in the middle of one would hide it.
 */
export function splitAtParts(pieces: LinePiece[], wanted: WantedStrings): LinePiece[] {
  if (wanted.strings.size === 0) return pieces
  let parts = pieces
  const length = pieces.reduce((sum, piece) => sum + (typeof piece === 'string' ? piece.length : 0), 0)
  for (const [literal, found] of [...wanted.strings].sort(([a], [b]) => b.length - a.length).slice(0, maxSearched)) {
    if (literal.length * length > maxEffort) continue
    if (!parts.some((piece) => typeof piece === 'string' && piece.includes(literal))) continue
    parts = parts.flatMap((piece) => {
      if (typeof piece !== 'string') return [piece]
      return piece.split(literal).flatMap((text, at) => (at === 0 ? [text] : [found, text]))
    })
  }
  return parts
}
