// The border: every string of what was gathered is cut to a bound and redacted here, before anything is written.
import type { Redaction } from '../core/redact.ts'
import type { Event, Json } from '../core/session.ts'
import type { Gathered } from './gather.ts'

export type Redact = (texts: readonly string[]) => Redaction

/** Redacts in place and says what was removed, by kind. */
export function crossBorder(sessions: Iterable<Gathered>, redact: Redact): Record<string, number> {
  const all = [...sessions]
  const before: string[] = []
  for (const session of all) {
    visit(session, (text) => {
      const cut = clip(text)
      before.push(cut)
      return cut
    })
  }
  const { texts, counts } = redact(before)
  if (Object.keys(counts).length === 0) return counts
  let next = 0
  for (const session of all) visit(session, () => texts[next++]!)
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

/** A copy; keys such as `__proto__` in a tool's input stay plain keys. */
function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return value === '' ? value : change(value)
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, item === undefined ? null : mapStrings(item, change)]),
  )
}

const most = 200_000
const keptEnd = 40_000

/** A text longer than this keeps its beginning and its end, and says what is missing. */
function clip(text: string): string {
  if (text.length <= most) return text
  const cut = text.length - most
  return `${text.slice(0, most - keptEnd)}\n[${cut} characters cut]\n${text.slice(-keptEnd)}`
}
