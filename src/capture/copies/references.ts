// Replaces strings in a line that the events of its session have in the body already by references to
// them; only the rest takes room.
import { eventStrings, inJson, plainText, reference } from '../../store/sessions/copy-text.ts'
import type { LineEvent } from '../collect.ts'
import { stringsIn } from './json-strings.ts'

/** A shorter string costs less than a reference to it. */
const minLength = 24
/** Longer texts are cut in the body. */
const maxLength = 200_000
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/**
 * To be called with a line and events without secrets: a reference in the middle of a secret would hide
 * it. References name the number of the event. `places` has ids that later lines repeat, as that of
 * the record before.
 */
export function withReferences(text: string, events: readonly LineEvent[], places: Map<string, number>): string {
  const wanted = new Map<string, string>()
  for (const { index, event } of events)
    for (const [number, string] of eventStrings(event).entries()) {
      if (string.length < minLength || string.length > maxLength || !string.isWellFormed()) continue
      const literal = plainText(inJson(string))
      if (!wanted.has(literal)) wanted.set(literal, reference(index, number))
    }
  for (const { index, event } of events) if (event.id !== '' && !places.has(event.id)) places.set(event.id, index)
  return withParts(withWholeStrings(plainText(text), wanted), wanted)
    .map(({ text, isReference }) => (isReference || places.size === 0 ? text : withIds(text, places)))
    .join('')
}

/** Ids are at the beginning and at the end of a record; what is between may be megabytes. */
const idReach = 1200

function withIds(text: string, places: ReadonlyMap<string, number>): string {
  if (text.length > 2 * idReach)
    return (
      withIds(text.slice(0, idReach), places) + text.slice(idReach, -idReach) + withIds(text.slice(-idReach), places)
    )
  return text.replace(uuid, (id) => (places.has(id) ? reference(places.get(id)!, 'id') : id))
}

interface Piece {
  text: string
  isReference: boolean
}

/** In one pass, however many strings there are. */
function withWholeStrings(text: string, wanted: ReadonlyMap<string, string>): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  if (wanted.size > 0)
    for (const { start, end } of stringsIn(text)) {
      const found = end - start < minLength ? undefined : wanted.get(text.slice(start, end))
      if (found === undefined) continue
      pieces.push({ text: text.slice(from, start), isReference: false }, { text: found, isReference: true })
      from = end
    }
  pieces.push({ text: text.slice(from), isReference: false })
  return pieces
}

/** Each of these is searched in all of the line. */
const maxSearched = 32
/** Length of a string times that of the line: a search in text that repeats itself takes time like that. */
const maxEffort = 4e10

/** Parts of strings, the longest first: a short one may be a part of a longer one. */
function withParts(pieces: Piece[], wanted: ReadonlyMap<string, string>): Piece[] {
  let parts = pieces
  const length = pieces.reduce((sum, { text }) => sum + text.length, 0)
  for (const [literal, found] of [...wanted].sort(([a], [b]) => b.length - a.length).slice(0, maxSearched)) {
    if (literal.length * length > maxEffort) continue
    if (!parts.some(({ text, isReference }) => !isReference && text.includes(literal))) continue
    parts = parts.flatMap((part) => {
      if (part.isReference) return [part]
      return part.text.split(literal).flatMap((text, at) => {
        const plain = { text, isReference: false }
        return at === 0 ? [plain] : [{ text: found, isReference: true }, plain]
      })
    })
  }
  return parts
}
