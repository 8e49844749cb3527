// The full text of a session's events: one file per session, made of zstd frames of about 256 KB of JSON lines. Each frame
// follows a skippable frame that says which events it holds, so that a part can be read alone, and `zstd -d` still reads
// the file. Single bodies would compress half as well; one file per session makes eviction the deletion of a file.

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
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Event } from '../core/session.ts'

/** An event as it is read back: with its place in the session, without the key that the ledger holds. */
export type StoredEvent = Omit<Event, 'key'> & { seq: number }

/** The line that a body keeps of an event. Its place follows from the frame. */
export function bodyLine({ key: _, ...event }: Event): string {
  return JSON.stringify(event)
}

export interface Body {
  /** Path below the folder of bodies. */
  file: string
  bytes: number
  raw: number
  frames: number
}

const frameRaw = 256 * 1024
const headerSize = 20
const skippable = 0x184d2a50
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 3 } }

/** A name that no session id can turn into a path: the id is hashed, its readable end only helps people. */
export function bodyFile(uid: string, generation: number): string {
  const hash = createHash('sha1').update(uid).digest('hex')
  const readable = uid.replace(/[^A-Za-z0-9-]+/g, '_').slice(-60)
  return join(hash.slice(0, 2), `${readable}-${hash.slice(2, 10)}${generation === 0 ? '' : `.${generation}`}.zst`)
}

/**
 * Appends lines after what is committed; the first one is the event at `firstSeq`. Bytes behind the committed length are
 * left from a run that was killed, and are overwritten.
 */
export function appendBody(folder: string, body: Body, lines: readonly string[], firstSeq: number): Body {
  const { chunks, raw, frames } = encode(lines, firstSeq)
  const path = join(folder, body.file)
  const file = openForWriting(path)
  try {
    if (body.bytes > 0 && fstatSync(file).size < body.bytes) throw new Error(`${path} is shorter than the ledger says`)
    ftruncateSync(file, body.bytes)
    const bytes = Buffer.concat(chunks)
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(file, bytes, done, bytes.length - done, body.bytes + done)
    }
    return { file: body.file, bytes: body.bytes + bytes.length, raw: body.raw + raw, frames: body.frames + frames }
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

/** Growth in small steps leaves many small frames; past this they are worth packing again. */
export function isFragmented({ raw, frames }: Body): boolean {
  return frames > 8 + (2 * raw) / frameRaw
}

/** The same events in full frames, in a new file: the old one stays until the ledger names the new one. */
export function repackBody(folder: string, body: Body, file: string): Body {
  let packed: Body = { file, bytes: 0, raw: 0, frames: 0 }
  let lines: string[] = []
  let first = -1
  let size = 0
  for (const { seq, line } of readLines(folder, body.file, body.bytes, 0)) {
    if (first < 0) first = seq
    lines.push(line)
    size += line.length
    if (size < 8 * frameRaw) continue
    packed = appendBody(folder, packed, lines, first)
    lines = []
    first = -1
    size = 0
  }
  return lines.length > 0 ? appendBody(folder, packed, lines, first) : packed
}

export function deleteBody(folder: string, file: string): void {
  rmSync(join(folder, file), { force: true })
}

/** The events of a body from `fromSeq` on, one frame in memory at a time. */
export function* readBody(folder: string, file: string, bytes: number, fromSeq = 0): Generator<StoredEvent> {
  for (const { seq, line } of readLines(folder, file, bytes, fromSeq)) {
    yield { seq, ...(JSON.parse(line) as Omit<Event, 'key'>) }
  }
}

function* readLines(
  folder: string,
  file: string,
  bytes: number,
  fromSeq: number,
): Generator<{ seq: number; line: string }> {
  const handle = openSync(join(folder, file), 'r')
  try {
    for (const frame of framesOf(handle, bytes)) {
      if (frame.lastSeq < fromSeq) continue
      const compressed = Buffer.allocUnsafe(frame.size)
      readSync(handle, compressed, 0, frame.size, frame.at)
      let seq = frame.firstSeq
      for (const line of zstdDecompressSync(compressed).toString('utf8').split('\n')) {
        if (seq >= fromSeq) yield { seq, line }
        seq++
      }
    }
  } finally {
    closeSync(handle)
  }
}

interface Frame {
  at: number
  size: number
  firstSeq: number
  lastSeq: number
}

function* framesOf(handle: number, bytes: number): Generator<Frame> {
  const header = Buffer.alloc(headerSize)
  for (let at = 0; at + headerSize <= bytes; ) {
    readSync(handle, header, 0, headerSize, at)
    if (header.readUInt32LE(0) !== skippable) throw new Error(`no frame at byte ${at} of a body`)
    const size = header.readUInt32LE(8)
    yield { at: at + headerSize, size, firstSeq: header.readUInt32LE(12), lastSeq: header.readUInt32LE(16) }
    at += headerSize + size
  }
}

function encode(lines: readonly string[], firstSeq: number): { chunks: Buffer[]; raw: number; frames: number } {
  const chunks: Buffer[] = []
  let raw = 0
  for (let start = 0; start < lines.length; ) {
    let end = start
    for (let length = 0; end < lines.length && length < frameRaw; end++) length += lines[end]!.length
    const source = Buffer.from(lines.slice(start, end).join('\n'), 'utf8')
    const compressed = zstdCompressSync(source, compression)
    const header = Buffer.alloc(headerSize)
    header.writeUInt32LE(skippable, 0)
    header.writeUInt32LE(headerSize - 8, 4)
    header.writeUInt32LE(compressed.length, 8)
    header.writeUInt32LE(firstSeq + start, 12)
    header.writeUInt32LE(firstSeq + end - 1, 16)
    chunks.push(header, compressed)
    raw += source.length
    start = end
  }
  return { chunks, raw, frames: chunks.length / 2 }
}

/** Whether a committed body is there as the ledger says. */
export function bodyState(folder: string, file: string, bytes: number): 'whole' | 'missing' | 'short' {
  const found = statSync(join(folder, file), { throwIfNoEntry: false })
  if (!found) return 'missing'
  return found.size < bytes ? 'short' : 'whole'
}
