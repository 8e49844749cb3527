// The format of a body file: a sequence of zstd frames.
// A skippable frame with the session (agent, folder, project) comes first, so that a body can be
// read without the ledger. Each run of events follows a skippable frame with its range and sizes, so
// that parts can be read alone. A run is a frame of events and a frame of their texts that are not
// indexed, which search and recall need not decompress. Lines of the transcript, from which it can be
// restored, are in skippable frames too. `zstd -d` skips these and prints the events.
import { isAscii } from 'node:buffer'
import { readSync } from 'node:fs'
import type { Event, Lineage } from '../../core/session.ts'
import { compress, decompress } from '../../core/zstd.ts'
import { isIndexedText } from '../search/indexed-text.ts'

/** The session of a body, as far as it was known when the body was written. */
export interface BodyHeader {
  version: 1
  session: string
  agent: string
  kind: Lineage
  parent: string | null
  forkedFrom: string | null
  inherited: number
  cwd: string | null
  remote: string | null
  branch: string | null
  project: { key: string; kind: 'remote' | 'repository' | 'folder' } | null
  title: string | null
  titleRank: number
  model: string | null
  agentVersion: string | null
  startedAt: string | null
}

/** A run of consecutive events, compressed. */
export interface BodyFrame {
  events: number
  /** Size of both frames before compression. */
  raw: number
  data: Uint8Array
  /** Texts that are not indexed; missing if they are among the events. */
  unindexed?: Uint8Array
}

/** An event as it is packed. `key` is from `packKey` or `hashKey`; bodies of earlier versions have none. */
export type PackedEvent = Omit<Event, 'key'> & { key?: string }

/** Larger frames hardly compress better, and reading a single event takes longer. */
export const frameRaw = 1024 * 1024

/** With fewer bytes of texts that are not indexed, a frame for them takes more than it saves. */
const minUnindexed = 16 * 1024

const rangeSize = 20
/** With the size of the frame of texts that are not indexed. */
const longRangeSize = 24
const rangeMagic = 0x184d2a50
const headerMagic = 0x184d2a51
const copyMagic = 0x184d2a52
const maxHeaderBytes = 64 * 1024

/** The frames of a run, decompressed; `unindexed` is left out if nobody needs those texts. */
export interface RunSource {
  events: Buffer
  unindexed?: Buffer | undefined
}

/** The last field of a head says where the text is and how long. */
type EventHead = Omit<PackedEvent, 'text'> & {
  /** Bytes behind the head. */
  bytes?: number
  /** Bytes in the frame of texts that are not indexed. */
  unindexed?: number
  /** UTF-16 units behind the head, in bodies of earlier versions. */
  length?: number
}

/**
 * Body format: a line of JSON without the text, then the raw text. Texts are most of a body, and
 * quoting them costs more than compressing them. The place follows from the frame. Skipped events
 * are not decoded: a search shows a few of thousands. Texts that are not indexed are empty if their
 * frame is left out.
 */
export function* eventsIn({ events, unindexed }: RunSource, skip = 0, isKeyed = true): Generator<PackedEvent> {
  let left = skip
  let apart = 0
  for (let at = 0; at < events.length; ) {
    const end = events.indexOf(newline, at)
    if (left-- > 0) {
      const { place, size } = sizeBefore(events, end)
      if (place === 'unindexed') apart += size
      const text = end + 1
      at = 1 + (place === 'length' ? textEnd(events, text, size) : place === 'bytes' ? text + size : text)
      continue
    }
    const head = JSON.parse(events.toString('utf8', at, end)) as EventHead
    const { bytes = 0, unindexed: unindexedBytes = 0, length, key, ...event } = head
    const last = length === undefined ? end + 1 + bytes : textEnd(events, end + 1, length)
    const inline = events.toString('utf8', end + 1, last)
    const text = unindexedBytes > 0 ? (unindexed?.toString('utf8', apart, apart + unindexedBytes) ?? '') : inline
    yield isKeyed && key !== undefined ? { ...event, text, key } : { ...event, text }
    apart += unindexedBytes
    at = last + 1
  }
}

interface TextSize {
  /** The name of the field. */
  place: 'bytes' | 'unindexed' | 'length'
  size: number
}

/** The size is the last field of a head, so skipped events need no parsing. */
function sizeBefore(source: Buffer, end: number): TextSize {
  const colonAt = source.lastIndexOf(colon, end)
  const size = Number(source.latin1Slice(colonAt + 1, end - 1))
  // The last letter of the name tells which one it is.
  const letter = source[colonAt - 2]
  return { place: letter === letterS ? 'bytes' : letter === letterD ? 'unindexed' : 'length', size }
}

const newline = 10
const colon = 58
const letterS = 115
const letterD = 100

/** Where a text of so many UTF-16 units ends. A unit takes at least a byte. */
function textEnd(source: Buffer, from: number, length: number): number {
  if (isAscii(source.subarray(from, from + length))) return from + length
  let end = from
  for (let left = length; left > 0; ) {
    let next = end + left
    while (isContinuation(source[next])) next++
    left -= source.toString('utf8', end, next).length
    end = next
  }
  return end
}

/** Whether a byte belongs to the character before it. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

export function packEvents(events: Iterable<PackedEvent>): BodyFrame[] {
  const frames: BodyFrame[] = []
  let run: UnpackedEvent[] = []
  let size = 0
  const close = () => {
    frames.push(packRun(run))
    run = []
    size = 0
  }
  for (const event of events) {
    const unpacked = unpackedEvent(event)
    run.push(unpacked)
    size += unpacked.head.length + unpacked.text.length
    if (size >= frameRaw) close()
  }
  if (run.length > 0) close()
  return frames
}

interface UnpackedEvent {
  /** JSON without the text. */
  head: string
  text: string
  isIndexed: boolean
}

function unpackedEvent(event: PackedEvent): UnpackedEvent {
  const { text, ...head } = event
  return { head: JSON.stringify(head), text, isIndexed: isIndexedText(event) }
}

function packRun(run: readonly UnpackedEvent[]): BodyFrame {
  const apart = run.filter(({ isIndexed }) => !isIndexed)
  const isApart = apart.reduce((sum, { text }) => sum + text.length, 0) >= minUnindexed
  const raw = writeRun(run, isApart)
  const data = compress(page.subarray(0, raw))
  if (!isApart) return { events: run.length, raw, data }
  const unindexed = writeTexts(apart.map(({ text }) => text))
  return { events: run.length, raw: raw + unindexed, data, unindexed: compress(page.subarray(0, unindexed)) }
}

/**
 * Buffer in which frames are assembled. Joining strings first takes longer than everything else.
 */
let page = Buffer.alloc(0)
const defaultPageSize = 2 * frameRaw
const maxKeptPage = 16 * frameRaw
const maxReserved = 64 * 1024

/** Writes events to the page; returns their size. */
function writeRun(run: readonly UnpackedEvent[], isApart: boolean): number {
  let end = 0
  for (const { head, text, isIndexed } of run) {
    const isInline = isIndexed || !isApart
    const bytes = Buffer.byteLength(text)
    const size = isInline ? `,"bytes":${bytes}}\n` : `,"unindexed":${bytes}}\n`
    reservePage(end + 3 * head.length + size.length + (isInline ? bytes : 0) + 1, end)
    end += page.write(head, end) - 1 // without the closing brace
    end += page.latin1Write(size, end, size.length)
    if (isInline) end += page.write(text, end)
    page[end++] = newline
  }
  return end
}

/** Packs text that is given in pieces: joining megabytes of them first would copy them once more. */
export function packCopy(pieces: Iterable<string>): Pick<BodyCopy, 'raw' | 'data'> {
  const raw = writeTexts(pieces)
  return { raw, data: compress(page.subarray(0, raw), copyLevel) }
}

/** Writes texts to the page, one behind the other; returns their size. */
function writeTexts(texts: Iterable<string>): number {
  let end = 0
  for (const text of texts) {
    // Counting takes less than the memory for the worst case of a long text.
    reservePage(end + (text.length > maxReserved ? Buffer.byteLength(text) : 3 * text.length), end)
    end += page.write(text, end)
  }
  return end
}

/**
 * A character takes up to three bytes. The page of usual frames is kept, because V8 collects garbage
 * when large buffers come and go; after one huge event the large buffer is released.
 */
function reservePage(size: number, filled: number): void {
  const isEnough = size <= page.length && (filled > 0 || page.length <= maxKeptPage)
  if (isEnough) return
  const larger = Buffer.allocUnsafeSlow(Math.max(size, filled > 0 ? 2 * page.length : 0, defaultPageSize))
  page.copy(larger, 0, 0, filled)
  page = larger
}

/** Packs the events that pass the filter into new frames. */
export function repackFrames(frames: readonly BodyFrame[], isKept: (index: number) => boolean): BodyFrame[] {
  return packEvents([...eventsOf(frames)].filter((_, index) => isKept(index)))
}

export function* eventsOf(frames: readonly BodyFrame[]): Generator<PackedEvent> {
  for (const { data, unindexed } of frames)
    yield* eventsIn({ events: decompress(data), unindexed: unindexed && decompress(unindexed) })
}

/** Level of zstd for kept lines, which are larger than the events. */
const copyLevel = 3

/** Frames as bytes of the file; the first event is at `firstSeq`. */
export function encodeFrames(frames: readonly BodyFrame[], firstSeq: number): Buffer {
  const chunks: Uint8Array[] = []
  let seq = firstSeq
  for (const { events, data, unindexed } of frames) {
    const range = Buffer.alloc(unindexed ? longRangeSize : rangeSize)
    range.writeUInt32LE(rangeMagic, 0)
    range.writeUInt32LE(range.length - 8, 4)
    range.writeUInt32LE(data.length, 8)
    range.writeUInt32LE(seq, 12)
    range.writeUInt32LE(seq + events - 1, 16)
    chunks.push(range, data)
    if (unindexed) {
      range.writeUInt32LE(unindexed.length, 20)
      chunks.push(unindexed)
    }
    seq += events
  }
  return Buffer.concat(chunks)
}

export function encodeHeader(header: BodyHeader): Buffer {
  const json = Buffer.from(JSON.stringify(header))
  const frame = Buffer.alloc(8 + json.length)
  frame.writeUInt32LE(headerMagic, 0)
  frame.writeUInt32LE(json.length, 4)
  json.copy(frame, 8)
  return frame
}

/** Lines of a transcript, compressed; their references count events from `base`. */
export interface BodyCopy {
  base: number
  raw: number
  data: Uint8Array
}

export const copyHeadSize = 8

export function encodeCopies(copies: readonly BodyCopy[]): Buffer {
  return Buffer.concat(
    copies.flatMap(({ base, raw, data }) => {
      const head = Buffer.alloc(8 + copyHeadSize)
      head.writeUInt32LE(copyMagic, 0)
      head.writeUInt32LE(copyHeadSize + data.length, 4)
      head.writeUInt32LE(base, 8)
      head.writeUInt32LE(raw, 12)
      return [head, data]
    }),
  )
}

export function decodeCopy(content: Buffer): BodyCopy {
  const [base, raw] = [content.readUInt32LE(0), content.readUInt32LE(4)]
  return { base, raw, data: content.subarray(copyHeadSize) }
}

export type BodyPart =
  | { kind: 'header'; at: number; size: number }
  | { kind: 'copy'; at: number; size: number }
  /** `unindexed` bytes of texts that are not indexed follow. */
  | { kind: 'events'; at: number; size: number; firstSeq: number; lastSeq: number; unindexed: number }
  /** Bytes that are no frame, up to the next one or the end. */
  | { kind: 'damaged'; at: number; size: number }

/** The frames of a file up to `bytes`. */
export function* bodyParts(handle: number, bytes: number): Generator<BodyPart> {
  for (let at = 0; at < bytes; ) {
    const part = partAt(handle, at, bytes) ?? { kind: 'damaged', at, size: nextPart(handle, at + 1, bytes) - at }
    yield part
    at = partEnd(part)
  }
}

/** Offset of the byte behind a part. */
export function partEnd(part: BodyPart): number {
  return part.at + part.size + (part.kind === 'events' ? part.unindexed : 0)
}

function partAt(handle: number, at: number, bytes: number): BodyPart | undefined {
  const start = Buffer.alloc(longRangeSize)
  const read = readSync(handle, start, 0, Math.min(longRangeSize, bytes - at), at)
  if (read < 8) return undefined
  const magic = start.readUInt32LE(0)
  const length = start.readUInt32LE(4)
  if (magic === headerMagic && length <= maxHeaderBytes && at + 8 + length <= bytes)
    return { kind: 'header', at: at + 8, size: length }
  if (magic === copyMagic && length > copyHeadSize && at + 8 + length <= bytes)
    return { kind: 'copy', at: at + 8, size: length }
  const head = 8 + length
  if (magic !== rangeMagic || (head !== rangeSize && head !== longRangeSize) || read < head) return undefined
  const [size, firstSeq, lastSeq] = [start.readUInt32LE(8), start.readUInt32LE(12), start.readUInt32LE(16)]
  const unindexed = head === longRangeSize ? start.readUInt32LE(20) : 0
  if (at + head + size + unindexed > bytes || firstSeq > lastSeq) return undefined
  return { kind: 'events', at: at + head, size, firstSeq, lastSeq, unindexed }
}

const searchedAtOnce = 64 * 1024

/** Offset of the next frame at or after `from`; `bytes` if there is none. */
function nextPart(handle: number, from: number, bytes: number): number {
  const chunk = Buffer.alloc(searchedAtOnce)
  const magic = Buffer.alloc(4)
  magic.writeUInt32LE(rangeMagic, 0)
  // The bytes after the first are the same in all magic numbers.
  const common = magic.subarray(1)
  for (let at = from; at < bytes; at += searchedAtOnce - 3) {
    const read = readSync(handle, chunk, 0, Math.min(searchedAtOnce, bytes - at), at)
    if (read < 4) return bytes
    for (let found = chunk.indexOf(common, 1); found > 0 && found < read; found = chunk.indexOf(common, found + 1)) {
      if (partAt(handle, at + found - 1, bytes)) return at + found - 1
    }
  }
  return bytes
}

/** The frames of a run, decompressed; undefined if the file ends before them. */
export function readRun(
  handle: number,
  { at, size, unindexed }: Extract<BodyPart, { kind: 'events' }>,
  { isIndexedOnly = false } = {},
): RunSource | undefined {
  const events = readPart(handle, { at, size })
  if (!events || unindexed === 0 || isIndexedOnly) return events && { events: decompress(events) }
  const texts = readPart(handle, { at: at + size, size: unindexed })
  return texts && { events: decompress(events), unindexed: decompress(texts) }
}

/** The bytes of a part; undefined if the file ends before it. */
export function readPart(handle: number, { at, size }: Pick<BodyPart, 'at' | 'size'>): Buffer | undefined {
  const bytes = Buffer.allocUnsafe(size)
  return readSync(handle, bytes, 0, size, at) === size ? bytes : undefined
}

/** The last header wins: a session may get its title or project later. */
export function lastHeader(handle: number, bytes: number): BodyHeader | undefined {
  let last: BodyHeader | undefined
  for (const part of bodyParts(handle, bytes)) if (part.kind === 'header') last = parseHeader(handle, part) ?? last
  return last
}

function parseHeader(handle: number, part: BodyPart): BodyHeader | undefined {
  try {
    const header = JSON.parse(readPart(handle, part)?.toString('utf8') ?? '') as BodyHeader
    return typeof header.session === 'string' && typeof header.agent === 'string' ? header : undefined
  } catch {
    return undefined
  }
}
