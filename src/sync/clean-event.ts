// An event as it may leave this machine. It was redacted when it was captured; the rules may have learned more since, and the server
// refuses what looks like a secret. And it has to fit: into a part, and into what PostgreSQL can store.
import { isSecretValue } from '../core/redact.ts'
import type { Event, Json } from '../core/session.ts'
import type { TravelContext } from './traveller.ts'

type Redact = TravelContext['redact']

/** The largest event that is sent, as JSON; what is longer is cut. */
const maxBytes = 230_000

export function cleanEvent(event: Event, redact: Redact): { event: Event; bytes: number } {
  for (const max of [Number.POSITIVE_INFINITY, 80_000, 20_000, 4000]) {
    const bounded = cleanValue(jsonOf(event), { redact, max })
    const bytes = sizeOf(bounded)
    if (bytes <= maxBytes) return { event: bounded as unknown as Event, bytes }
  }
  // Thousands of small values, or paths: what was said is kept.
  const { input: _, files: __, replaces: ___, ...rest } = event
  const left = cleanValue(jsonOf({ ...rest, input: '[too large to be sent]' }), { redact, max: 4000 })
  return { event: left as unknown as Event, bytes: sizeOf(left) }
}

/** Events are JSON; their types cannot say so. */
function jsonOf(event: Event): Json {
  return event as unknown as Json
}

export interface Cleaning {
  redact: Redact
  /** Longer texts keep their beginning and their end. */
  max: number
}

/** A copy without secrets, of the depth that a server takes. */
export function cleanValue(value: Json, cleaning: Cleaning, name = '', depth = 0): Json {
  if (typeof value === 'string') return cleanText(value, cleaning, name)
  if (typeof value === 'number') return isOrdinary(value) ? value : String(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth === deepest) return cleanText(JSON.stringify(value), cleaning, name)
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, cleaning, name, depth + 1))
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] =>
    // A key of this name would be lost on the way.
    item === undefined || key === '__proto__'
      ? []
      : [[cleanText(key, cleaning, key), cleanValue(item, cleaning, key, depth + 1)]],
  )
  return Object.fromEntries(entries)
}

const deepest = 12

/** Others are not taken: PostgreSQL writes them out in full. */
function isOrdinary(value: number): boolean {
  const size = Math.abs(value)
  return size === 0 || (size > 1e-30 && size < 1e30)
}

function cleanText(text: string, { redact, max }: Cleaning, name: string): string {
  const stored = clip(text.replaceAll('\u0000', '').toWellFormed(), max)
  if (isSecretValue(name, stored)) return '[secret: password]'
  let clean = stored
  for (let pass = 0; pass < 3; pass++) {
    const { texts, counts } = redact([clean])
    if (Object.keys(counts).length === 0) return clean
    clean = texts[0]!
  }
  return '[left out: it looks like a secret]'
}

function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const end = Math.floor(max / 5)
  const cut = `${text.slice(0, max - end)}\n[${text.length - max} characters cut]\n${text.slice(-end)}`
  return cut.toWellFormed()
}

export function sizeOf(value: Json): number {
  return Buffer.byteLength(JSON.stringify(value))
}
