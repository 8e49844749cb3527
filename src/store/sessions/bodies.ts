// Session bodies: the full text of events, one file per session of zstd frames of at most about 1
// MB.
// Each frame follows a skippable frame with its range of events, so that parts can be read alone
// and `zstd -d` still reads the file. Compressing events one by one would double the size; one file
// per session makes eviction the deletion of a file.

import { createHash } from 'node:crypto'
import {
  closeSync,
  constants as fileFlags,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Event } from '../../core/session.ts'

/** An event with its place in the session, without the key, which only the ledger holds. */
export type StoredEvent = Omit<Event, 'key'> & { seq: number }

/**
 * Body format: a line of JSON without the text, then the raw text. Texts are most of a body, and
 * quoting them costs more than compressing them. The place follows from the frame.
 */
function* eventsIn(source: string, skip = 0): Generator<Omit<Event, 'key'>> {
  let left = skip
  for (let at = 0; at < source.length; ) {
    const end = source.indexOf('\n', at)
    if (left-- > 0) {
      at = end + lengthBefore(source, end) + 2
      continue
    }
    const { length, ...event } = JSON.parse(source.slice(at, end)) as Omit<Event, 'key' | 'text'> & { length: number }
    yield { ...event, text: source.slice(end + 1, end + 1 + length) }
    at = end + length + 2
  }
}

/** `length` is the last field of the line, so skipped events need no parsing. */
function lengthBefore(source: string, end: number): number {
  return Number(source.slice(source.lastIndexOf(':', end) + 1, end - 1))
}

export interface SessionBody {
  /** Path relative to the folder of bodies. */
  file: string
  bytes: number
  raw: number
  frames: number
}

/** Reads the body columns of a session row. */
export function bodyFromRow(row: Record<string, unknown>): SessionBody | null {
  if (row.body === null) return null
  return {
    file: String(row.body),
    bytes: Number(row.body_bytes),
    raw: Number(row.body_raw),
    frames: Number(row.body_frames),
  }
}

/** Larger frames hardly compress better, and reading a single event takes longer. */
const frameRaw = 1024 * 1024
const headerSize = 20
const skippable = 0x184d2a50

/** The id is hashed, so that no session id can form a path; the readable suffix is for people. */
export function bodyFile(uid: string, generation: number): string {
  const hash = createHash('sha1').update(uid).digest('hex')
  const readable = uid.replace(/[^A-Za-z0-9-]+/g, '_').slice(-60)
  return join(hash.slice(0, 2), `${readable}-${hash.slice(2, 10)}${generation === 0 ? '' : `.${generation}`}.zst`)
}

/** A run of consecutive events. */
export interface BodyFrame {
  events: number
  raw: number
  /** Whether `data` is compressed already; otherwise the writer compresses it. */
  isCompressed: boolean
  data: Uint8Array
}

export function packEvents(events: Iterable<Omit<Event, 'key'>>, isCompressed = true): BodyFrame[] {
  const frames: BodyFrame[] = []
  let count = 0
  let raw = 0
  const close = () => {
    const source = page.subarray(0, raw)
    frames.push({ events: count, raw, isCompressed, data: isCompressed ? compress(source) : Uint8Array.from(source) })
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

function writeEvent({ text, ...event }: Omit<Event, 'key'>, at: number): number {
  const header = JSON.stringify({ ...event, key: undefined, length: text.length })
  reservePage(at + 3 * (header.length + text.length) + 2, at)
  let end = at + page.write(header, at)
  page[end++] = newline
  end += page.write(text, end)
  page[end++] = newline
  return end
}

const newline = 10

/** A character takes up to three bytes. After one huge event the large buffer is released. */
function reservePage(size: number, filled: number): void {
  const isEnough = size <= page.length && (filled > 0 || page.length <= defaultPageSize)
  if (isEnough) return
  const larger = Buffer.allocUnsafeSlow(Math.max(size, defaultPageSize))
  page.copy(larger, 0, 0, filled)
  page = larger
}

/** Packs the events that pass the filter into new frames. */
export function repackFrames(frames: readonly BodyFrame[], isKept: (index: number) => boolean): BodyFrame[] {
  return packEvents([...eventsOf(frames)].filter((_, index) => isKept(index)))
}

function* eventsOf(frames: readonly BodyFrame[]): Generator<Omit<Event, 'key'>> {
  for (const { data, isCompressed } of frames) {
    yield* eventsIn(isCompressed ? decompress(data) : Buffer.from(data).toString('utf8'))
  }
}

function compress(source: Uint8Array): Buffer {
  const { zstdCompressSync, constants } = zlib()
  return zstdCompressSync(source, {
    params: { [constants.ZSTD_c_compressionLevel]: 3 },
    pledgedSrcSize: source.length,
  })
}

/** Output chunks of frame size: joining small ones takes half as long again. */
function decompress(data: Uint8Array): string {
  return zlib()
    .zstdDecompressSync(data, { chunkSize: frameRaw + frameRaw / 8 })
    .toString('utf8')
}

/** Loaded on first use, so that a sweep without new events does not pay for it. */
function zlib(): typeof import('node:zlib') {
  return process.getBuiltinModule('node:zlib')
}

/**
 * Appends frames behind the committed length; the first event is at `firstSeq`. Bytes beyond that
 * length are left over from a killed run and are overwritten.
 */
export function appendBody(
  folder: string,
  body: SessionBody,
  frames: readonly BodyFrame[],
  firstSeq: number,
): SessionBody {
  const path = join(folder, body.file)
  const file = openForWriting(path)
  try {
    if (body.bytes > 0 && fstatSync(file).size < body.bytes)
      throw new Error(`${path} is shorter than recorded in the ledger`)
    ftruncateSync(file, body.bytes)
    const bytes = withHeaders(frames, firstSeq)
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(file, bytes, done, bytes.length - done, body.bytes + done)
    }
    return {
      file: body.file,
      bytes: body.bytes + bytes.length,
      raw: frames.reduce((sum, frame) => sum + frame.raw, body.raw),
      frames: body.frames + frames.length,
    }
  } finally {
    closeSync(file)
  }
}

function openForWriting(path: string): number {
  const flags = fileFlags.O_RDWR | fileFlags.O_CREAT
  try {
    return openSync(path, flags, 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return openSync(path, flags, 0o600)
  }
}

/** Small appends leave many small frames; above this number repacking is worthwhile. */
export function isFragmented({ raw, frames }: SessionBody): boolean {
  return frames > 8 + (2 * raw) / frameRaw
}

export function emptyBody(file: string): SessionBody {
  return { file, bytes: 0, raw: 0, frames: 0 }
}

/**
 * Writes the events as full frames to a new file, behind those that it has. The old file stays until
 * the ledger names the new one.
 */
export function repackBody(folder: string, body: SessionBody, to: SessionBody): SessionBody {
  let packed = to
  let events: StoredEvent[] = []
  let size = 0
  const flush = () => {
    const first = events[0]!.seq
    packed = appendBody(folder, packed, packEvents(events.map(({ seq: _, ...event }) => event)), first)
    events = []
    size = 0
  }
  for (const event of readBody(folder, body.file, body.bytes)) {
    events.push(event)
    size += event.text.length
    if (size >= 2 * frameRaw) flush()
  }
  if (events.length > 0) flush()
  return packed
}

export function deleteBody(folder: string, file: string): void {
  rmSync(join(folder, file), { force: true })
}

/** Reads events from `fromSeq` on, one frame in memory at a time. */
export function* readBody(folder: string, file: string, bytes: number, fromSeq = 0): Generator<StoredEvent> {
  const handle = openSync(join(folder, file), 'r')
  try {
    for (const frame of frameLocations(handle, bytes)) {
      if (frame.lastSeq < fromSeq) continue
      const compressed = Buffer.allocUnsafe(frame.size)
      readSync(handle, compressed, 0, frame.size, frame.at)
      let seq = Math.max(frame.firstSeq, fromSeq)
      for (const event of eventsIn(decompress(compressed), seq - frame.firstSeq)) yield { seq: seq++, ...event }
    }
  } finally {
    closeSync(handle)
  }
}

interface FrameLocation {
  at: number
  size: number
  firstSeq: number
  lastSeq: number
}

function* frameLocations(handle: number, bytes: number): Generator<FrameLocation> {
  const header = Buffer.alloc(headerSize)
  for (let at = 0; at + headerSize <= bytes; ) {
    readSync(handle, header, 0, headerSize, at)
    if (header.readUInt32LE(0) !== skippable) throw new Error(`no frame at byte ${at} of a body`)
    const size = header.readUInt32LE(8)
    yield { at: at + headerSize, size, firstSeq: header.readUInt32LE(12), lastSeq: header.readUInt32LE(16) }
    at += headerSize + size
  }
}

function withHeaders(frames: readonly BodyFrame[], firstSeq: number): Buffer {
  const chunks: Uint8Array[] = []
  let seq = firstSeq
  for (const { events, ...frame } of frames) {
    const data = frame.isCompressed ? frame.data : compress(frame.data)
    const header = Buffer.alloc(headerSize)
    header.writeUInt32LE(skippable, 0)
    header.writeUInt32LE(headerSize - 8, 4)
    header.writeUInt32LE(data.length, 8)
    header.writeUInt32LE(seq, 12)
    header.writeUInt32LE(seq + events - 1, 16)
    chunks.push(header, data)
    seq += events
  }
  return Buffer.concat(chunks)
}

/** Compares the file with the length that the ledger has recorded. */
export function bodyState(folder: string, file: string, bytes: number): 'whole' | 'missing' | 'short' {
  const found = statSync(join(folder, file), { throwIfNoEntry: false })
  if (!found) return 'missing'
  return found.size < bytes ? 'short' : 'whole'
}
