// The text of a kept transcript. Texts, inputs and ids of events are replaced by references to them,
// because the body has them already; everything else is as the agent wrote it, without secrets.
//
// A mark encloses what is not plain text: a reference (distance from the last referenced event, then
// nothing for its text, `i` for its id, `.n` for the nth string of its input), bytes that are not
// UTF-8 (`b` and base64), the number of bytes that could not be kept (`g`), or nothing for the mark.
import type { Event, Json } from '../../core/session.ts'

/** The transcript and the range of its bytes that a frame holds. */
export interface CopyHead {
  path: string
  from: number
  to: number
}

/** A string of an event: its id, its text (0), or one of its input (from 1 on, in order). */
export type EventString = 'id' | number

/** Stands for a string of the event with this number. */
export interface StringReference {
  event: number
  string: EventString
}

/** The string of the event with this number; undefined if it is missing. */
export type StringLookup = (event: number, string: EventString) => string | undefined

export type ReferencedEvent = Pick<Event, 'id' | 'text' | 'input'>

const mark = '\u0001'
const marked = new RegExp(`${mark}([^${mark}]*)${mark}`, 'g')

export function reference(distance: number, string: EventString): string {
  return `${mark}${distance}${string === 'id' ? 'i' : string === 0 ? '' : `.${string}`}${mark}`
}

export function plainText(text: string): string {
  return text.includes(mark) ? text.replaceAll(mark, mark + mark) : text
}

export function bytesText(bytes: Uint8Array): string {
  return `${mark}b${Buffer.from(bytes).toString('base64')}${mark}`
}

export function gapText(length: number): string {
  return `${mark}g${length}${mark}`
}

/** The text of an event and all strings of its input, in the order in which they are numbered. */
export function eventStrings({ text, input }: Pick<ReferencedEvent, 'text' | 'input'>): string[] {
  const strings = [text]
  if (input !== undefined) collectStrings(input, strings)
  return strings
}

function collectStrings(value: Json | undefined, strings: string[]): void {
  if (typeof value === 'string') strings.push(value)
  else if (typeof value === 'object' && value !== null)
    for (const item of Object.values(value)) collectStrings(item, strings)
}

const collected = new WeakMap<object, string[]>()

/** One string of an event that is not changed any more; an event may have thousands. */
export function eventString(event: ReferencedEvent | undefined, string: EventString): string | undefined {
  if (!event || string === 'id') return event?.id
  const strings = collected.get(event) ?? eventStrings(event)
  collected.set(event, strings)
  return strings[string]
}

/** A string as it stands in JSON, without quotes. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

type Mark =
  | { kind: 'mark' }
  | { kind: 'bytes'; base64: string }
  | { kind: 'gap'; length: number }
  | { kind: 'reference'; distance: number; string: EventString }

function parseMark(content: string): Mark {
  if (content === '') return { kind: 'mark' }
  if (content[0] === 'b') return { kind: 'bytes', base64: content.slice(1) }
  if (content[0] === 'g') return { kind: 'gap', length: Number(content.slice(1)) }
  const [, distance, id, number] = /^(-?\d+)(i)?(?:\.(\d+))?$/.exec(content) ?? []
  return { kind: 'reference', distance: Number(distance ?? 0), string: id ? 'id' : Number(number ?? 0) }
}

/** Turns references that name the number of an event into distances from the reference before, `last`. */
export function relativeReferences(text: string, last: number): { text: string; last: number } {
  if (!text.includes(mark)) return { text, last }
  let before = last
  const relative = text.replace(marked, (whole, content: string) => {
    const found = parseMark(content)
    if (found.kind !== 'reference') return whole
    const distance = found.distance - before
    before = found.distance
    return reference(distance, found.string)
  })
  return { text: relative, last: before }
}

/**
 * Points references to other places, or replaces them by their string. `place` gets the number of an
 * event, counted from `from`, and returns its new number, counted from `to`, or a string.
 */
export function moveReferences(
  text: string,
  { from, to }: { from: number; to: number },
  place: (event: number, string: EventString) => number | string,
): { text: string; last: number } {
  let read = from
  let last = to
  const moved = text.replace(marked, (whole, content: string) => {
    const found = parseMark(content)
    if (found.kind !== 'reference') return whole
    read += found.distance
    const at = place(read, found.string)
    if (typeof at === 'string') return plainText(inJson(at))
    const distance = at - last
    last = at
    return reference(distance, found.string)
  })
  return { text: moved, last }
}

/**
 * Changes lines whose text is given to `change` with the strings of events in place. Lines that stay as
 * they are keep their references, those that change hold all of their text; undefined removes a line. `own`
 * is the line without the strings of events.
 * References of the result count events from 0.
 */
export function changeLines(
  { text, base }: { text: string; base: number },
  stringOf: StringLookup,
  change: (line: string, own: string) => string | undefined,
): string {
  let event = base
  const changed = text.split('\n').map((line) => {
    let [plain, own] = ['', '']
    let from = 0
    const add = (piece: string) => {
      plain += piece
      own += piece
    }
    const absolute = line.replace(marked, (whole, content: string, at: number) => {
      const found = parseMark(content)
      add(line.slice(from, at))
      from = at + whole.length
      if (found.kind === 'mark') add(mark)
      else if (found.kind === 'bytes') add(Buffer.from(found.base64, 'base64').toString('utf8'))
      if (found.kind !== 'reference') return whole
      event += found.distance
      plain += inJson(stringOf(event, found.string) ?? '')
      return reference(event, found.string)
    })
    add(line.slice(from))
    const after = change(plain, own)
    if (after === plain) return absolute
    return after === undefined ? gapText(Buffer.byteLength(plain)) : plainText(after)
  })
  return relativeReferences(changed.join('\n'), 0).text
}

export interface RestoredText {
  bytes: Buffer
  /** Parts that could not be restored. */
  missing: number
}

/** Puts the strings of events back. Undefined strings are missing and leave a note. */
export function restoreText(text: string, base: number, stringOf: StringLookup): RestoredText {
  const parts: Buffer[] = []
  let missing = 0
  let event = base
  let from = 0
  const add = (plain: string) => {
    if (plain !== '') parts.push(Buffer.from(plain, 'utf8'))
  }
  for (const { index, 0: whole, 1: content } of text.matchAll(marked)) {
    add(text.slice(from, index))
    from = index + whole.length
    const found = parseMark(content!)
    if (found.kind === 'mark') add(mark)
    else if (found.kind === 'bytes') parts.push(Buffer.from(found.base64, 'base64'))
    else if (found.kind === 'gap') {
      missing++
      add(`[${found.length} bytes were not kept]`)
    } else {
      event += found.distance
      const string = stringOf(event, found.string)
      if (string === undefined) missing++
      add(string === undefined ? '[not kept]' : inJson(string))
    }
  }
  add(text.slice(from))
  return { bytes: Buffer.concat(parts), missing }
}
