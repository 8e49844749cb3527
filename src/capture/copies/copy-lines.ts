// Keeps the lines of a log as the agent wrote them, so that the transcript can be restored. What the
// events of a line have in the body already is replaced by references to them; only the rest takes
// room.
import { isUtf8 } from 'node:buffer'
import type { JsonlLine } from '../../core/jsonl.ts'
import { redactFile, type SecretFileKind, secretFileKind } from '../../core/redact/secret-files.ts'
import type { Event } from '../../core/session.ts'
import { copyFrameSize, encodeLines } from '../../store/sessions/body-copies.ts'
import type { BodyCopy } from '../../store/sessions/body-frames.ts'
import {
  bytesText,
  changePlainText,
  eventStrings,
  gapText,
  inJson,
  isWellMarked,
  plainText,
  reference,
  relativeReferences,
} from '../../store/sessions/copy-text.ts'
import type { CollectedCopy, CopyLine, LineEvent } from '../collect.ts'
import type { RedactTexts } from '../context.ts'
import type { RedactedEvent } from '../redact-batch.ts'

export interface CopyRecorder {
  add(line: JsonlLine, events: readonly LineEvent[]): void
  /** In characters. */
  size(): number
  take(): CollectedCopy
}

export function createCopyRecorder(from: number): CopyRecorder {
  let begun = from
  let session: string | undefined
  let lines: CopyLine[] = []
  let size = 0
  /** Places of ids that later lines repeat, as that of the record before. */
  let places = new Map<string, number>()
  return {
    add(line, events) {
      session ??= events[0]?.session
      const own = events.filter((one) => one.session === session)
      const plain = textOf(line)
      const text = (line.isTooLong ? plain : withReferences(plain, own, places)) + (line.isWhole ? '\n' : '')
      lines.push({ text, bytes: line.length + (line.isWhole ? 1 : 0), events: own.map(({ event }) => event) })
      size += text.length
    },
    size: () => size,
    take() {
      const taken = { session, from: begun, lines }
      begun = lines.reduce((at, { bytes }) => at + bytes, begun)
      lines = []
      size = 0
      places = new Map()
      session = undefined
      return taken
    },
  }
}

function textOf({ bytes, length, isTooLong }: JsonlLine): string {
  if (isTooLong) return gapText(length)
  return isUtf8(bytes) ? plainText(bytes.toString('utf8')) : bytesText(bytes)
}

/** A shorter string costs less than a reference to it. */
const minLength = 24
/** Longer texts are cut in the body. */
const maxLength = 200_000
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
/** Ids are at the beginning and at the end of a record; what is between may be megabytes. */
const idReach = 1200

/** References name the number of the event; a frame has distances. */
function withReferences(text: string, events: readonly LineEvent[], places: Map<string, number>): string {
  const wanted = events.flatMap(({ index, event }) =>
    eventStrings(event).flatMap((string, number) => {
      if (string.length < minLength || string.length > maxLength || !string.isWellFormed()) return []
      return { index, number, literal: plainText(inJson(string)) }
    }),
  )
  for (const { index, event } of events) if (event.id !== '' && !places.has(event.id)) places.set(event.id, index)
  return pieces(text, wanted)
    .map((piece) => {
      if (typeof piece !== 'string') return reference(piece.index, piece.number)
      if (places.size === 0) return piece
      if (piece.length <= 2 * idReach) return withIds(piece, places)
      const [start, end] = [piece.slice(0, idReach), piece.slice(-idReach)]
      return withIds(start, places) + piece.slice(idReach, -idReach) + withIds(end, places)
    })
    .join('')
}

function withIds(text: string, places: ReadonlyMap<string, number>): string {
  return text.replace(uuid, (id) => (places.has(id) ? reference(places.get(id)!, 'id') : id))
}

interface WantedString {
  index: number
  number: number
  literal: string
}

/** Splits a text at the strings, the longest first: a short one may be a part of a longer one. */
function pieces(text: string, wanted: WantedString[]): (string | WantedString)[] {
  let parts: (string | WantedString)[] = [text]
  for (const one of wanted.sort((a, b) => b.literal.length - a.literal.length)) {
    if (!parts.some((part) => typeof part === 'string' && part.includes(one.literal))) continue
    parts = parts.flatMap((part) => {
      if (typeof part !== 'string') return [part]
      return part.split(one.literal).flatMap((plain, at) => (at === 0 ? [plain] : [one, plain]))
    })
  }
  return parts
}

/** The lines of a part, without secrets; references count the events of its session in the part. */
export interface PreparedCopy {
  path: string
  frames: BodyCopy[]
}

/** To be called after the events were redacted: `secretFiles` are those with the content of such a file. */
export function prepareCopy(
  path: string,
  { from, lines }: CollectedCopy,
  secretFiles: ReadonlyMap<RedactedEvent, SecretFileKind>,
  redact: RedactTexts,
): PreparedCopy {
  const frames: BodyCopy[] = []
  let text = ''
  let last = 0
  let [begun, end] = [from, from]
  /** The last such file that a line without events has named: later lines may have its content. */
  let named: SecretFileKind | undefined
  const flush = () => {
    if (text !== '') frames.push(encodeLines({ path, from: begun, to: end }, text))
    text = ''
    last = 0
    begun = end
  }
  for (const line of lines) {
    const clean = redactLine(line.text, redact)
    if (line.events.length === 0) named = fileNamedIn(line.text) ?? named
    const file = line.events.length === 0 ? named : fileOf(line.events, secretFiles)
    const relative = relativeReferences(file ? withoutFile(clean, file) : clean, last)
    text += relative.text
    last = relative.last
    end += line.bytes
    if (text.length >= copyFrameSize) flush()
  }
  flush()
  return { path, frames }
}

export function redactLine(text: string, redact: RedactTexts): string {
  const clean = (plain: string) => redact([plain]).texts[0]!
  const whole = clean(text)
  return whole === text || isWellMarked(whole) ? whole : changePlainText(text, clean)
}

function fileOf(
  events: readonly Event[],
  secretFiles: ReadonlyMap<RedactedEvent, SecretFileKind>,
): SecretFileKind | undefined {
  for (const event of events) {
    const kind = secretFiles.get(event)
    if (kind) return kind
  }
  return undefined
}

const maxPath = 300

function fileNamedIn(text: string): SecretFileKind | undefined {
  for (const { start, end } of stringsIn(text)) {
    const kind = end - start < maxPath ? secretFileKind(text.slice(start, end)) : undefined
    if (kind) return kind
  }
  return undefined
}

/** Fields with names of things, and not with the content of a file. */
const structural =
  /^(?:type|role|model|version|cwd|path|file_?path|timestamp|.*[iI]d|.*[uU][uU][iI][dD]|name|level|status)$/

/** Removes what the content of such a file says from every string of a line. */
function withoutFile(text: string, kind: SecretFileKind): string {
  let changed = ''
  let from = 0
  let name = ''
  for (const { start, end, isName } of stringsIn(text)) {
    const content = text.slice(start, end)
    if (isName) name = content
    if (isName || structural.test(name)) continue
    changed += text.slice(from, start) + changePlainText(content, (plain) => cleanString(plain, kind))
    from = end
  }
  return changed + text.slice(from)
}

function cleanString(literal: string, kind: SecretFileKind): string {
  try {
    return inJson(redactFile(JSON.parse(`"${literal}"`) as string, kind).text)
  } catch {
    return literal === '' ? '' : '[secret: file]' // half of an escape: what it holds cannot be told
  }
}

/** The contents of the strings of a line of JSON, without quotes. Regular expressions run out of stack on long ones. */
function* stringsIn(text: string): Generator<{ start: number; end: number; isName: boolean }> {
  for (let open = text.indexOf('"'); open >= 0; ) {
    let close = text.indexOf('"', open + 1)
    while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1)
    if (close < 0) return
    yield { start: open + 1, end: close, isName: /^\s*:/.test(text.slice(close + 1, close + 4)) }
    open = text.indexOf('"', close + 1)
  }
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}
