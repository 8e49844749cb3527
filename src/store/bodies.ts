// The full text of a session's events: one file per session, made of zstd frames of about 256 KB of JSON lines. Each frame
// follows a skippable frame that says which events it holds, so that a part can be read alone, and `zstd -d` still reads
// the file. Single bodies would compress half as well; one file per session makes eviction the deletion of a file.

import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
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

/** An event as it is kept: with its place in the session, without the key that the ledger holds. */
export type StoredEvent = Omit<Event, 'key'> & { seq: number }

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

/** Appends after what is committed. Bytes behind that point are left from a run that was killed, and are overwritten. */
export function appendBody(folder: string, body: Body, events: readonly StoredEvent[]): Body {
  const { chunks, raw, frames } = encode(events)
  const path = join(folder, body.file)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, existsSync(path) ? 'r+' : 'w', 0o600)
  try {
    if (fstatSync(file).size < body.bytes) throw new Error(`${path} is shorter than the ledger says`)
    ftruncateSync(file, body.bytes)
    let position = body.bytes
    for (const chunk of chunks) position += writeSync(file, chunk, 0, chunk.length, position)
    return { file: body.file, bytes: position, raw: body.raw + raw, frames: body.frames + frames }
  } finally {
    closeSync(file)
  }
}

/** Growth in small steps leaves many small frames; past this they are worth packing again. */
export function isFragmented({ raw, frames }: Body): boolean {
  return frames > 8 + (2 * raw) / frameRaw
}

/** The same events in full frames, in a new file: the old one stays until the ledger names the new one. */
export function repackBody(folder: string, body: Body, file: string): Body {
  const events = [...readBody(folder, body.file, body.bytes)]
  return appendBody(folder, { file, bytes: 0, raw: 0, frames: 0 }, events)
}

export function deleteBody(folder: string, file: string): void {
  rmSync(join(folder, file), { force: true })
}

/** The events of a body from `fromSeq` on, one frame in memory at a time. */
export function* readBody(folder: string, file: string, bytes: number, fromSeq = 0): Generator<StoredEvent> {
  const handle = openSync(join(folder, file), 'r')
  try {
    for (const frame of framesOf(handle, bytes)) {
      if (frame.lastSeq < fromSeq) continue
      const compressed = Buffer.allocUnsafe(frame.size)
      readSync(handle, compressed, 0, frame.size, frame.at)
      for (const line of zstdDecompressSync(compressed).toString('utf8').split('\n')) {
        if (line === '') continue
        const event = JSON.parse(line) as StoredEvent
        if (event.seq >= fromSeq) yield event
      }
    }
  } finally {
    closeSync(handle)
  }
}

interface Frame {
  at: number
  size: number
  lastSeq: number
}

function* framesOf(handle: number, bytes: number): Generator<Frame> {
  const header = Buffer.alloc(headerSize)
  for (let at = 0; at + headerSize <= bytes; ) {
    readSync(handle, header, 0, headerSize, at)
    if (header.readUInt32LE(0) !== skippable) throw new Error(`no frame at byte ${at} of a body`)
    const size = header.readUInt32LE(8)
    yield { at: at + headerSize, size, lastSeq: header.readUInt32LE(16) }
    at += headerSize + size
  }
}

function encode(events: readonly StoredEvent[]): { chunks: Buffer[]; raw: number; frames: number } {
  const chunks: Buffer[] = []
  let lines: string[] = []
  let length = 0
  let raw = 0
  let firstSeq = 0
  const close = (lastSeq: number) => {
    const source = Buffer.from(lines.join('\n'), 'utf8')
    const compressed = zstdCompressSync(source, compression)
    const header = Buffer.alloc(headerSize)
    header.writeUInt32LE(skippable, 0)
    header.writeUInt32LE(headerSize - 8, 4)
    header.writeUInt32LE(compressed.length, 8)
    header.writeUInt32LE(firstSeq, 12)
    header.writeUInt32LE(lastSeq, 16)
    chunks.push(header, compressed)
    raw += source.length
    lines = []
    length = 0
  }
  for (const [index, event] of events.entries()) {
    if (lines.length === 0) firstSeq = event.seq
    const line = JSON.stringify(event)
    lines.push(line)
    length += line.length
    if (length >= frameRaw || index === events.length - 1) close(event.seq)
  }
  return { chunks, raw, frames: chunks.length / 2 }
}

/** Whether a committed body is there as the ledger says. */
export function bodyState(folder: string, file: string, bytes: number): 'whole' | 'missing' | 'short' {
  const found = statSync(join(folder, file), { throwIfNoEntry: false })
  if (!found) return 'missing'
  return found.size < bytes ? 'short' : 'whole'
}
