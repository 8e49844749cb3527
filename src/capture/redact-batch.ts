// Redacts every collected string and limits its length, before anything is written.
import { isSecretValue } from '../core/redact.ts'
import type { Event, Json } from '../core/session.ts'
import type { CollectedSession } from './collect.ts'
import type { RedactTexts, TranscriptPart } from './context.ts'

/**
 * Redacts in place and returns the number of redactions by kind. Reader states and problem reports
 * are covered too, because they quote the transcript.
 */
export function redactAll(
  sessions: readonly CollectedSession[],
  parts: readonly TranscriptPart[],
  redact: RedactTexts,
): Record<string, number> {
  const before: string[] = []
  const visitAll = (change: (text: string) => string) => {
    for (const session of sessions) visitSession(session, change)
    for (const part of parts) visitPart(part, change)
  }
  visitAll((text) => {
    before.push(text)
    return text
  })
  const { texts, counts } = redact(before)
  if (Object.keys(counts).length === 0 && before.every((text) => text.length <= maxTextLength)) return counts
  let next = 0
  visitAll(() => clipText(texts[next++]!)) // after redaction: a cut could leave half of a secret
  return counts
}

/** Every string that will be stored, in a fixed order. */
function visitSession({ about, events }: CollectedSession, change: (text: string) => string): void {
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

function visitPart({ cursor, data: load }: TranscriptPart, change: (text: string) => string): void {
  if (cursor.state !== undefined) cursor.state = mapStrings(cursor.state, change)
  for (const one of load.problems) one.reason = change(one.reason)
  load.unknownTypes = new Map([...load.unknownTypes].map(([type, count]) => [change(type), count]))
}

/**
 * Returns a copy. Keys such as `__proto__` in a tool's input stay plain keys. A value under a name
 * such as `password` is redacted although the value itself does not look like a secret.
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
      key.length < minSecretLength ? key : change(key),
      item === undefined ? null : mapStrings(item, change, key),
    ]),
  )
}

/** No token is shorter, so short keys (the names of a tool's arguments) are not checked. */
const minSecretLength = 16

const maxTextLength = 200_000
const keptEnd = 40_000

/** Keeps the beginning and the end of a long text and states how much was cut. */
function clipText(text: string): string {
  if (text.length <= maxTextLength) return text
  const cut = text.length - maxTextLength
  return `${text.slice(0, maxTextLength - keptEnd)}\n[${cut} characters cut]\n${text.slice(-keptEnd)}`
}
