// Redacts every collected string and limits its length, before anything is written.
import { cutMiddle } from '../core/redact/cut-middle.ts'
import { isOpaqueName, isSecretValue } from '../core/redact/redact.ts'
import { redactFile, type SecretFileKind, secretFileOf } from '../core/redact/secret-files.ts'
import type { Event, Json } from '../core/session.ts'
import type { CollectedSession } from './collect.ts'
import type { RedactTexts, TranscriptPart } from './context.ts'

export interface BatchRedaction {
  /** Number of redactions by kind. */
  counts: Record<string, number>
  /** Events of which something was removed. */
  changed: Set<RedactedEvent>
  /** Events that have the content of a file that holds secrets. */
  secretFiles: Map<RedactedEvent, SecretFileKind>
  /** Values that were removed from events because of their names. */
  secretValues: Map<RedactedEvent, string[]>
}

/**
 * Redacts in place. Reader states and problem reports are covered too, because they quote the
 * transcript.
 */
export function redactAll(
  sessions: readonly CollectedSession[],
  parts: readonly TranscriptPart[],
  redact: RedactTexts,
): BatchRedaction {
  const redactor = createRedactor(redact)
  for (const session of sessions) redactSession(session, redactor)
  for (const part of parts) redactPart(part, redactor)
  const { counts, changed, secretFiles, secretValues } = redactor
  return { counts, changed, secretFiles, secretValues }
}

/** Redacts the events of a session one after the other, in place; `counts` says what was found. */
export function createEventRedactor(redact: RedactTexts): {
  counts: Record<string, number>
  redactEvent(event: RedactedEvent): void
} {
  const redactor = createRedactor(redact)
  const files = new Map<string, SecretFileKind>()
  return { counts: redactor.counts, redactEvent: (event) => redactEvent(event, files, redactor) }
}

export type RedactedEvent = Omit<Event, 'key'>

interface Redactor {
  counts: Record<string, number>
  /** A text, or the content of a file that holds secrets. */
  text(text: string, file?: SecretFileKind): string
  /** The value of a name by which a ciphertext is told from a token. */
  sealed(name: string, value: string): string
  /** A name that occurs again and again: of a tool, a model, a program. */
  name(name: string): string
  /** The value of a name that says that it is a secret. */
  value(value: string): string
  /** Values that were removed from the present event. */
  values: string[]
  changed: Set<RedactedEvent>
  /** How often something was removed so far. */
  removals(): number
  secretFiles: Map<RedactedEvent, SecretFileKind>
  secretValues: Map<RedactedEvent, string[]>
}

function createRedactor(redact: RedactTexts): Redactor {
  const counts: Record<string, number> = {}
  const names = new Map<string, string>()
  let removals = 0
  const count = (kind: string, by: number) => {
    counts[kind] = (counts[kind] ?? 0) + by
    removals += by
  }
  const redacted = (given: string) => {
    const { texts, counts: found } = redact([given])
    for (const kind in found) count(kind, found[kind]!)
    return texts[0]!
  }
  const text = (given: string, file?: SecretFileKind) => {
    let clean = redacted(given)
    if (file) {
      const content = redactFile(clean, file)
      if (content.count > 0) count('file', content.count)
      clean = content.text
    }
    return clipText(clean) // after redaction: a cut could leave half of a secret
  }
  return {
    counts,
    values: [],
    changed: new Set(),
    removals: () => removals,
    secretFiles: new Map(),
    secretValues: new Map(),
    text,
    sealed(name, value) {
      const head = `"${name}":"`
      return clipText(redacted(`${head}${value}"`)).slice(head.length, -1)
    },
    name(name) {
      const known = names.get(name) ?? text(name)
      names.set(name, known)
      return known
    },
    value(value) {
      this.values.push(value)
      count('password', 1)
      return '[secret: password]'
    },
  }
}

function redactSession({ about, events, usages }: CollectedSession, redactor: Redactor): void {
  for (const name of ['title', 'cwd', 'branch', 'remote', 'model', 'version'] as const) {
    if (about[name] !== undefined) about[name] = redactor.name(about[name])
  }
  // A call and its result are in the same part as a rule: a sweep follows the end of a turn.
  const files = new Map<string, SecretFileKind>()
  for (const event of events) redactEvent(event, files, redactor)
  for (const usage of usages.values()) if (usage.model !== null) usage.model = redactor.name(usage.model)
}

function redactEvent(event: RedactedEvent, files: Map<string, SecretFileKind>, redactor: Redactor): void {
  const file = secretFileOf(event.input) ?? (event.call === undefined ? undefined : files.get(event.call))
  if (file && event.call !== undefined) files.set(event.call, file)
  if (file) redactor.secretFiles.set(event, file)
  const before = redactor.removals()
  if (event.text !== '') event.text = redactor.text(event.text, file)
  if (event.input !== undefined) event.input = redactJson(event.input, redactor, '', file)
  if (redactor.removals() > before) redactor.changed.add(event)
  if (redactor.values.length > 0) redactor.secretValues.set(event, redactor.values.splice(0))
  if (event.tool !== undefined) event.tool = redactor.name(event.tool)
  if (event.model !== undefined) event.model = redactor.name(event.model)
  if (event.files) event.files = event.files.map((change) => ({ ...change, path: redactor.text(change.path) }))
}

function redactPart({ cursor, data: load }: TranscriptPart, redactor: Redactor): void {
  if (cursor.state !== undefined) cursor.state = redactState(cursor.state, redactor)
  for (const one of load.problems) one.reason = redactor.text(one.reason)
  load.unknownTypes = new Map([...load.unknownTypes].map(([type, count]) => [redactor.text(type), count]))
}

/**
 * The names in a reader's state are its own: `session` is followed by an id that the reader needs, not
 * by a secret.
 */
function redactState(value: Json, redactor: Redactor): Json {
  if (typeof value === 'string') return value === '' ? value : redactor.text(value)
  if (Array.isArray(value)) return value.map((item) => redactState(item, redactor))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.length < minSecretLength ? key : redactor.text(key),
      item === undefined ? null : redactState(item, redactor),
    ]),
  )
}

/**
 * Returns a copy. Keys such as `__proto__` in a tool's input stay plain keys. A value under a name
 * such as `password` is redacted although the value itself does not look like a secret.
 */
function redactJson(value: Json, redactor: Redactor, name = '', file?: SecretFileKind): Json {
  if (typeof value === 'string') {
    if (value === '') return value
    if (isSecretValue(name, value)) return redactor.value(value)
    return file === undefined && isOpaqueName(name) ? redactor.sealed(name, value) : redactor.text(value, file)
  }
  if (Array.isArray(value)) return value.map((item) => redactJson(item, redactor, name, file))
  if (typeof value !== 'object' || value === null) return value
  const valueName = nameOfValue(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key.length < minSecretLength ? key : redactor.text(key),
      item === undefined ? null : redactJson(item, redactor, key === 'value' ? valueName : key, file),
    ]),
  )
}

/** `{ "name": "DB_PASSWORD", "value": "x" }` */
function nameOfValue(pair: { [key: string]: Json | undefined }): string {
  const name = pair.name ?? pair.key
  return typeof name === 'string' ? name : 'value'
}

/** No token is shorter, so short keys (the names of a tool's arguments) are not checked. */
const minSecretLength = 16

const maxTextLength = 200_000
const keptEnd = 40_000
const maxNoticeLength = 40

/** Keeps the beginning and the end of a long text and states how much was cut. */
function clipText(text: string): string {
  if (text.length <= maxTextLength + maxNoticeLength) return text // a clipped text stays as it is
  return cutMiddle(text, { max: maxTextLength, end: keptEnd })
}
