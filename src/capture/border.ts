// The border: every string of what was gathered is redacted and cut to a bound here, before anything is written.
import { isSecretValue, type Redaction } from '../core/redact.ts'
import type { Event, Json } from '../core/session.ts'
import type { Gathered } from './gather.ts'
import type { Part } from './read.ts'

export type Redact = (texts: readonly string[]) => Redaction

/**
 * Redacts in place and says what was removed, by kind. What a reader keeps for the next sweep and what it says about lines
 * that it could not read come from the transcript too, and cross the border with the rest.
 */
export function crossBorder(
  sessions: readonly Gathered[],
  parts: readonly Part[],
  redact: Redact,
): Record<string, number> {
  const before: string[] = []
  const everything = (change: (text: string) => string) => {
    for (const session of sessions) visit(session, change)
    for (const part of parts) visitPart(part, change)
  }
  everything((text) => {
    before.push(text)
    return text
  })
  const { texts, counts } = redact(before)
  if (Object.keys(counts).length === 0 && before.every((text) => text.length <= max)) return counts
  let next = 0
  everything(() => clip(texts[next++]!)) // never before: a cut could leave half of a secret
  return counts
}

/** Every string that will be stored, in a fixed order. */
function visit({ about, events }: Gathered, change: (text: string) => string): void {
  for (const name of ['title', 'cwd', 'branch', 'remote'] as const) {
    if (about[name] !== undefined) about[name] = change(about[name])
  }
  for (const event of events) visitEvent(event, change)
}

function visitEvent(event: Event, change: (text: string) => string): void {
  if (event.text !== '') event.text = change(event.text)
  if (event.input !== undefined) event.input = mapStrings(event.input, change)
  if (event.files) event.files = event.files.map((file) => ({ ...file, path: change(file.path) }))
}

function visitPart({ cursor, load }: Part, change: (text: string) => string): void {
  if (cursor.state !== undefined) cursor.state = mapStrings(cursor.state, change)
  for (const one of load.bad) one.reason = change(one.reason)
  load.unknown = new Map([...load.unknown].map(([type, count]) => [change(type), count]))
}

/**
 * A copy. Keys such as `__proto__` in a tool's input stay plain keys; a value under a name that speaks of a secret is one,
 * although nothing in the value itself says so.
 */
function mapStrings(value: Json, change: (text: string) => string, name = ''): Json {
  if (typeof value === 'string') {
    if (value === '') return value
    return isSecretValue(name, value) ? change(`${name}="${value}"`).slice(name.length + 2, -1) : change(value)
  }
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, name))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.length < shortestSecret ? key : change(key),
      item === undefined ? null : mapStrings(item, change, key),
    ]),
  )
}

/** No token is shorter: the names of a tool's arguments are not looked at one by one. */
const shortestSecret = 16

const max = 200_000
const keptEnd = 40_000

/** A text longer than this keeps its beginning and its end, and says what is missing. */
function clip(text: string): string {
  if (text.length <= max) return text
  const cut = text.length - max
  return `${text.slice(0, max - keptEnd)}\n[${cut} characters cut]\n${text.slice(-keptEnd)}`
}
