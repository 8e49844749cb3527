// The format of a body file: a sequence of zstd frames.
// A skippable frame with the session (agent, folder, project) comes first, so that a body can be
// read without the ledger. Each frame of events follows a skippable frame with its range and size,
// so that parts can be read alone. Lines of the transcript, from which it can be restored, are in
// skippable frames too. `zstd -d` skips these and prints the events.
import { isAscii } from 'node:buffer'
import { readSync } from 'node:fs'
import type { Event, Lineage } from '../../core/session.ts'

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
  raw: number
  data: Uint8Array
}

/** An event as it is packed. `key` is from `packKey` or `hashKey`; bodies of earlier versions have none. */
export type PackedEvent = Omit<Event, 'key'> & { key?: string }

/** Larger frames hardly compress better, and reading a single event takes longer. */
export const frameRaw = 1024 * 1024

const rangeSize = 20
const rangeMagic = 0x184d2a50
const headerMagic = 0x184d2a51
const copyMagic = 0x184d2a52
const maxHeaderBytes = 64 * 1024

/**
 * Body format: a line of JSON without the text, then the raw text. Texts are most of a body, and
 * quoting them costs more than compressing them. The place follows from the frame. Skipped events
 * are not decoded: a search shows a few of thousands.
 */
export function* eventsIn(source: Buffer, skip = 0, isKeyed = true): Generator<PackedEvent> {
  let left = skip
  for (let at = 0; at < source.length; ) {
    const end = source.indexOf(newline, at)
    if (left-- > 0) {
      at = textEnd(source, end + 1, lengthBefore(source, end)) + 1
      continue
    }
    const { length, key, ...event } = JSON.parse(source.toString('utf8', at, end)) as Omit<PackedEvent, 'text'> & {
      length: number
    }
    const last = textEnd(source, end + 1, length)
    const text = source.toString('utf8', end + 1, last)
    yield isKeyed && key !== undefined ? { ...event, text, key } : { ...event, text }
    at = last + 1
  }
}

/** `length` is the last field of the line, so skipped events need no parsing. */
function lengthBefore(source: Buffer, end: number): number {
  return Number(source.toString('latin1', source.lastIndexOf(colon, end) + 1, end - 1))
}

const newline = 10
const colon = 58

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
  let count = 0
  let raw = 0
  const close = () => {
    frames.push({ events: count, raw, data: compress(page.subarray(0, raw)) })
    count = 0
    raw = 0
  }
  for (const event of events) {
    raw = writeEvent(event, raw)
    count++
    if (raw >= frameRaw) close()
  }
  if (count > 0) close()
  return frames
}

/**
 * Buffer in which frames are assembled. Joining strings first takes longer than everything else.
 */
let page = Buffer.alloc(0)
const defaultPageSize = 2 * frameRaw
const maxKeptPage = 16 * frameRaw
const maxReserved = 64 * 1024

function writeEvent({ text, ...event }: PackedEvent, at: number): number {
  const header = JSON.stringify({ ...event, length: text.length })
  reservePage(at + 3 * (header.length + text.length) + 2, at)
  let end = at + page.write(header, at)
  page[end++] = newline
  end += page.write(text, end)
  page[end++] = newline
  return end
}

/** Packs text that is given in pieces: joining megabytes of them first would copy them once more. */
export function packCopy(pieces: Iterable<string>): Pick<BodyCopy, 'raw' | 'data'> {
  let end = 0
  for (const piece of pieces) {
    // Counting takes less than the memory for the worst case of a long piece.
    reservePage(end + (piece.length > maxReserved ? Buffer.byteLength(piece) : 3 * piece.length), end)
    end += page.write(piece, end)
  }
  return { raw: end, data: compress(page.subarray(0, end), copyLevel) }
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
  for (const { data } of frames) yield* eventsIn(decompress(data))
}

// Levels of zstd: 8 takes 0.3 s more for 265 MB of transcripts, for two percent less; lines are larger.
const eventLevel = 6
const copyLevel = 3

/**
 * The checksum lets a reader find bytes that changed on disk. Returns a copy: zlib returns a part of a
 * buffer of 64 KB, all of which stays in memory and is sent to another thread with it. For the same
 * reason small data gets a small chunk.
 */
export function compress(source: Uint8Array, level = eventLevel): Uint8Array {
  const { zstdCompressSync, constants } = zlib()
  const compressed = zstdCompressSync(source, {
    params: { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 },
    pledgedSrcSize: source.length,
    chunkSize: Math.min(source.length + minChunk, constants.Z_DEFAULT_CHUNK),
  })
  return new Uint8Array(compressed)
}

/**
 * In one chunk of output: joining several takes half as long again. The byte more than needed lets
 * zlib see that nothing follows.
 */
export function decompress(data: Uint8Array): Buffer {
  const chunkSize = Math.max(minChunk, Math.min(contentSize(data), maxChunk) + 1)
  return zlib().zstdDecompressSync(data, { chunkSize })
}

const minChunk = 64
/** Of a damaged frame the size may be anything. */
const maxChunk = 64 * frameRaw

/**
 * The size of the content, which `compress` has zstd write into the head of the frame (RFC 8878,
 * 3.1.1.1): behind the magic number a descriptor, and a byte for the window unless bit 5 is set.
 */
function contentSize(frame: Uint8Array): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  const descriptor = view.byteLength > 16 ? view.getUint8(4) : 0
  const isSingle = (descriptor & 0x20) !== 0
  const at = isSingle ? 5 : 6
  switch (descriptor >> 6) {
    case 0:
      return isSingle ? view.getUint8(at) : frameRaw
    case 1:
      return view.getUint16(at, true) + 256
    case 2:
      return view.getUint32(at, true)
    default:
      return Number(view.getBigUint64(at, true))
  }
}

/** Loaded on first use, so that a sweep without new events does not pay for it. */
function zlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib')
}

/** Frames as bytes of the file; the first event is at `firstSeq`. */
export function encodeFrames(frames: readonly BodyFrame[], firstSeq: number): Buffer {
  const chunks: Uint8Array[] = []
  let seq = firstSeq
  for (const { events, data } of frames) {
    const range = Buffer.alloc(rangeSize)
    range.writeUInt32LE(rangeMagic, 0)
    range.writeUInt32LE(rangeSize - 8, 4)
    range.writeUInt32LE(data.length, 8)
    range.writeUInt32LE(seq, 12)
    range.writeUInt32LE(seq + events - 1, 16)
    chunks.push(range, data)
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
  | { kind: 'events'; at: number; size: number; firstSeq: number; lastSeq: number }
  /** Bytes that are no frame, up to the next one or the end. */
  | { kind: 'damaged'; at: number; size: number }

/** The frames of a file up to `bytes`. */
export function* bodyParts(handle: number, bytes: number): Generator<BodyPart> {
  for (let at = 0; at < bytes; ) {
    const part = partAt(handle, at, bytes) ?? { kind: 'damaged', at, size: nextPart(handle, at + 1, bytes) - at }
    yield part
    at = part.at + part.size
  }
}

function partAt(handle: number, at: number, bytes: number): BodyPart | undefined {
  const start = Buffer.alloc(rangeSize)
  const read = readSync(handle, start, 0, Math.min(rangeSize, bytes - at), at)
  if (read < 8) return undefined
  const magic = start.readUInt32LE(0)
  const length = start.readUInt32LE(4)
  if (magic === headerMagic && length <= maxHeaderBytes && at + 8 + length <= bytes)
    return { kind: 'header', at: at + 8, size: length }
  if (magic === copyMagic && length > copyHeadSize && at + 8 + length <= bytes)
    return { kind: 'copy', at: at + 8, size: length }
  if (magic !== rangeMagic || length !== rangeSize - 8 || read < rangeSize) return undefined
  const [size, firstSeq, lastSeq] = [start.readUInt32LE(8), start.readUInt32LE(12), start.readUInt32LE(16)]
  if (at + rangeSize + size > bytes || firstSeq > lastSeq) return undefined
  return { kind: 'events', at: at + rangeSize, size, firstSeq, lastSeq }
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

/** The bytes of a part; undefined if the file ends before it. */
export function readPart(handle: number, { at, size }: BodyPart): Buffer | undefined {
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
