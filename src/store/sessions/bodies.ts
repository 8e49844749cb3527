// Session bodies: the full text of events, one file per session of zstd frames of at most about 1
// MB (the format is in body-frames.ts). Compressing events one by one would double the size; one
// file per session makes eviction the deletion of a file.

import { createHash } from 'node:crypto'
import {
  closeSync,
  constants as fileFlags,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import type { Event } from '../../core/session.ts'
import { copyFrameSize, type MergeOptions, mergedCopies, readCopies } from './body-copies.ts'
import {
  type BodyCopy,
  type BodyFrame,
  type BodyHeader,
  type BodyPart,
  bodyParts,
  copyHeadSize,
  decodeCopy,
  encodeCopies,
  encodeFrames,
  encodeHeader,
  eventsIn,
  frameRaw,
  lastHeader,
  type PackedEvent,
  packEvents,
  partEnd,
  type RunSource,
  readPart,
  readRun,
} from './body-frames.ts'
import { eventString, type StringLookup } from './copy-text.ts'

/** An event with its place in the session, without the key, which stages do not need. */
export type StoredEvent = Omit<Event, 'key'> & { seq: number }

/** An event with its key from `packKey`, if the body has it. */
export type KeyedEvent = PackedEvent & { seq: number }

export interface SessionBody {
  /** Path relative to the folder of bodies. */
  file: string
  bytes: number
  /** Of events. */
  raw: number
  /** Without full frames of lines. */
  frames: number
  /** Of the bytes, those of the lines from which the transcript can be restored. */
  copyBytes: number
}

/** Reads the body columns of a session row. */
export function bodyFromRow(row: Record<string, unknown>): SessionBody | null {
  if (row.body === null) return null
  return {
    file: String(row.body),
    bytes: Number(row.body_bytes),
    raw: Number(row.body_raw),
    frames: Number(row.body_frames),
    copyBytes: Number(row.copy_bytes),
  }
}

/** The id is hashed, so that no session id can form a path; the readable suffix is for people. */
export function bodyFile(uid: string, generation: number): string {
  const hash = createHash('sha1').update(uid).digest('hex')
  const readable = readableName(uid)
  return join(hash.slice(0, 2), `${readable}-${hash.slice(2, 10)}${generation === 0 ? '' : `.${generation}`}.zst`)
}

const readableLength = 60

function readableName(uid: string): string {
  return uid.replace(/[^A-Za-z0-9-]+/g, '_').slice(-readableLength)
}

/** Splits the name of a body file. The hash is the part of it that the name holds. */
export function parseBodyFile(file: string): { readable: string; hash: string; generation: number } | undefined {
  const match = /(?:^|[\\/])([0-9a-f]{2})[\\/](.+)-([0-9a-f]{8})(?:\.(\d+))?\.zst$/.exec(file)
  if (!match) return undefined
  return { readable: match[2]!, hash: match[1]! + match[3]!, generation: Number(match[4] ?? 0) }
}

/**
 * Appends frames behind the committed length; the first event is at `firstSeq`. A header that differs
 * from the one in the file is written before the frames.
 */
export function appendBody(
  folder: string,
  body: SessionBody,
  frames: readonly BodyFrame[],
  firstSeq: number,
  header?: BodyHeader,
): SessionBody {
  const path = join(folder, body.file)
  const known = body.bytes > 0 && header ? headerOf(folder, body.file, body.bytes) : undefined
  const isKnown = !header || (known !== undefined && JSON.stringify(known) === JSON.stringify(header))
  const bytes = Buffer.concat([isKnown ? Buffer.alloc(0) : encodeHeader(header), encodeFrames(frames, firstSeq)])
  writeBehind(path, body.bytes, bytes)
  return {
    file: body.file,
    bytes: body.bytes + bytes.length,
    raw: frames.reduce((sum, frame) => sum + frame.raw, body.raw),
    frames: body.frames + frames.length,
    copyBytes: body.copyBytes,
  }
}

/** Bytes beyond the committed length are left over from a killed run and are overwritten. */
function writeBehind(path: string, length: number, bytes: Buffer): void {
  const file = openForWriting(path)
  try {
    const { size } = fstatSync(file)
    if (size < length) throw new Error(`${path} is shorter than recorded in the ledger`)
    if (size > length) ftruncateSync(file, length)
    for (let done = 0; done < bytes.length; ) done += writeSync(file, bytes, done, bytes.length - done, length + done)
  } finally {
    closeSync(file)
  }
}

/** Appends lines of a transcript behind the committed length. */
export function appendCopies(folder: string, body: SessionBody, copies: readonly BodyCopy[]): SessionBody {
  if (copies.length === 0) return body
  const bytes = encodeCopies(copies)
  writeBehind(join(folder, body.file), body.bytes, bytes)
  return {
    ...body,
    bytes: body.bytes + bytes.length,
    frames: body.frames + copies.filter(isSmall).length,
    copyBytes: body.copyBytes + bytes.length,
  }
}

/** Only these can be joined when the body is packed again, so only they count as frames of it. */
function isSmall({ raw }: Pick<BodyCopy, 'raw'>): boolean {
  return raw < copyFrameSize
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

export interface RepackOptions extends MergeOptions {
  header?: BodyHeader
  /** The keys of events that the body has without one. */
  keyOf?(seq: number): string | undefined
  /** Called with every event before it is written. */
  change?(event: KeyedEvent): void
}

export function emptyBody(file: string): SessionBody {
  return { file, bytes: 0, raw: 0, frames: 0, copyBytes: 0 }
}

/**
 * Writes the events as full frames to a new file, behind those that it has. The old file stays until
 * the ledger names the new one.
 */
export function repackBody(
  folder: string,
  body: SessionBody,
  to: SessionBody,
  options: RepackOptions = {},
): SessionBody {
  let packed = to
  let events: KeyedEvent[] = []
  let size = 0
  const flush = () => {
    if (events.length === 0) return
    const first = events[0]!.seq
    const frames = packEvents(events.map(({ seq, ...event }) => withKey(event, options.keyOf?.(seq))))
    packed = appendBody(folder, packed, frames, first, options.header)
    events = []
    size = 0
  }
  const source = options.isTolerant
    ? readableEvents(folder, body.file, body.bytes)
    : readEvents(folder, body.file, body.bytes)
  for (const event of source) {
    // A frame holds consecutive events: behind a damaged part a new one begins.
    if (events.length > 0 && event.seq !== events.at(-1)!.seq + 1) flush()
    options.change?.(event)
    events.push(event)
    size += event.text.length
    if (size >= 2 * frameRaw) flush()
  }
  flush()
  for (const copies of mergedCopies(folder, body, options)) packed = appendCopies(folder, packed, copies)
  return packed
}

function withKey(event: PackedEvent, key: string | undefined): PackedEvent {
  return event.key !== undefined || key === undefined ? event : { ...event, key }
}

export function deleteBody(folder: string, file: string): void {
  rmSync(join(folder, file), { force: true })
}

/** Reads events from `fromSeq` on, one frame in memory at a time. Damage throws. */
export function readBody(folder: string, file: string, bytes: number, fromSeq = 0): Generator<StoredEvent> {
  return readEvents(folder, file, bytes, { fromSeq, isKeyed: false })
}

/** As `readBody` in two thirds of the time: texts that are not indexed are empty. */
export function readIndexed(folder: string, file: string, bytes: number, fromSeq = 0): Generator<StoredEvent> {
  return readEvents(folder, file, bytes, { fromSeq, isKeyed: false, isIndexedOnly: true })
}

function* readEvents(
  folder: string,
  file: string,
  bytes: number,
  { fromSeq = 0, isKeyed = true, isIndexedOnly = false } = {},
): Generator<KeyedEvent> {
  const handle = openSync(join(folder, file), 'r')
  try {
    for (const part of bodyParts(handle, bytes)) {
      if (part.kind === 'damaged') throw new Error(`no frame at byte ${part.at} of a body`)
      if (part.kind !== 'events' || part.lastSeq < fromSeq) continue
      const source = readRun(handle, part, { isIndexedOnly })
      if (!source) throw new Error(`the body ends within the frame at byte ${part.at}`)
      let seq = Math.max(part.firstSeq, fromSeq)
      for (const event of eventsIn(source, seq - part.firstSeq, isKeyed)) yield { seq: seq++, ...event }
    }
  } finally {
    closeSync(handle)
  }
}

export interface ReadableOptions {
  fromSeq?: number
  /** Called for each part that cannot be read. */
  onDamage?(reason: string): void
}

/** Reads the events of all frames that are intact, and skips the others. */
export function* readableEvents(
  folder: string,
  file: string,
  bytes: number,
  { fromSeq = 0, onDamage = () => {} }: ReadableOptions = {},
): Generator<KeyedEvent> {
  const handle = openSync(join(folder, file), 'r')
  try {
    for (const part of bodyParts(handle, bytes)) {
      if (part.kind === 'damaged') onDamage(`no frame at byte ${part.at} of a body`)
      if (part.kind !== 'events' || part.lastSeq < fromSeq) continue
      let seq = part.firstSeq
      for (const event of eventsOrNone(handle, part, onDamage)) {
        if (seq >= fromSeq) yield { ...event, seq }
        seq++
      }
    }
  } finally {
    closeSync(handle)
  }
}

function eventsOrNone(
  handle: number,
  part: Extract<BodyPart, { kind: 'events' }>,
  onDamage: (reason: string) => void,
): PackedEvent[] {
  try {
    const count = part.lastSeq - part.firstSeq + 1
    const source = readRun(handle, part)
    const events = source ? [...eventsIn(source)] : []
    if (events.length === count) return events
    onDamage(source ? `a frame has ${events.length} of ${count} events` : 'the body ends within a frame')
  } catch (error) {
    onDamage(messageOf(error))
  }
  return []
}

const maxEvents = 20_000
const eventsBefore = 2000

/** Lines refer to events in their order, so only those around the last one are in memory. */
export function createStringLookup(folder: string, { file, bytes }: Pick<SessionBody, 'file' | 'bytes'>): StringLookup {
  let events = new Map<number, PackedEvent>()
  let source: Generator<PackedEvent & { seq: number }> | undefined
  let read = -1
  const start = (seq: number) => {
    events = new Map()
    read = seq - 1
    source = readableEvents(folder, file, bytes, { fromSeq: seq })
  }
  const find = (seq: number): PackedEvent | undefined => {
    const known = events.get(seq)
    if (known) return known
    if (!source || seq <= read || seq > read + maxEvents) start(Math.max(0, seq - eventsBefore))
    for (let next = source?.next(); next && !next.done; next = source?.next()) {
      read = next.value.seq
      events.set(read, next.value)
      if (events.size > maxEvents) events.delete(events.keys().next().value!)
      if (read >= seq) break
    }
    return events.get(seq)
  }
  return (seq, string) => {
    const event = find(seq)
    return eventString(event, string)
  }
}

/** What the file itself says: without the ledger, its length is that of its whole frames. */
export interface BodyContents {
  header: BodyHeader | undefined
  body: SessionBody
  firstSeq: number
  lastSeq: number
  /** Whether its first events have keys. Those of earlier versions have none. */
  isKeyed: boolean
}

/** Undefined if no event can be read. */
export function bodyContents(folder: string, file: string): BodyContents | undefined {
  const handle = openSync(join(folder, file), 'r')
  try {
    const { size } = fstatSync(handle)
    let contents: BodyContents | undefined
    let frames = 0
    let raw = 0
    let copyBytes = 0
    for (const part of bodyParts(handle, size)) {
      if (part.kind === 'copy') {
        copyBytes += part.size + 8
        if (isSmall(decodeCopy(readPart(handle, { ...part, size: copyHeadSize })!))) frames++
        if (contents) contents.body = { ...contents.body, bytes: partEnd(part), frames, copyBytes }
      }
      if (part.kind !== 'events') continue
      const source = runOrNone(handle, part)
      if (!source) continue
      const { firstSeq, lastSeq } = part
      frames++
      raw += source.events.length + (source.unindexed?.length ?? 0)
      contents ??= { ...noContents(file), firstSeq, isKeyed: firstEventHasKey(source) }
      contents.lastSeq = Math.max(contents.lastSeq, lastSeq)
      contents.body = { file, bytes: partEnd(part), raw, frames, copyBytes }
    }
    if (contents) contents.header = lastHeader(handle, size)
    return contents
  } finally {
    closeSync(handle)
  }
}

function noContents(file: string): BodyContents {
  return {
    header: undefined,
    body: emptyBody(file),
    firstSeq: 0,
    lastSeq: -1,
    isKeyed: false,
  }
}

function runOrNone(handle: number, part: Extract<BodyPart, { kind: 'events' }>): RunSource | undefined {
  try {
    return readRun(handle, part)
  } catch {
    return undefined
  }
}

function firstEventHasKey(source: RunSource): boolean {
  for (const event of eventsIn(source)) return event.key !== undefined
  return false
}

export function headerOf(folder: string, file: string, bytes: number): BodyHeader | undefined {
  const handle = openSync(join(folder, file), 'r')
  try {
    return lastHeader(handle, bytes)
  } finally {
    closeSync(handle)
  }
}

/** Compares the file with the length that the ledger has recorded. */
export function bodyState(folder: string, file: string, bytes: number): 'whole' | 'missing' | 'short' {
  const found = statSync(join(folder, file), { throwIfNoEntry: false })
  if (!found) return 'missing'
  return found.size < bytes ? 'short' : 'whole'
}

export const missingBody = 'the file is missing'

/**
 * The first fault of a body; undefined if it is whole. `frames` checks that the file is a sequence
 * of frames, which reads little; `content` also checks what they hold.
 */
export function bodyFault(
  folder: string,
  file: string,
  bytes: number,
  depth: 'frames' | 'content',
): string | undefined {
  try {
    const state = bodyState(folder, file, bytes)
    if (state !== 'whole') return state === 'missing' ? missingBody : 'the file is too short'
    if (depth === 'content') {
      for (const _ of readEvents(folder, file, bytes));
      for (const _ of readCopies(folder, file, bytes));
      return undefined
    }
    const handle = openSync(join(folder, file), 'r')
    try {
      for (const part of bodyParts(handle, bytes))
        if (part.kind === 'damaged') return `no frame at byte ${part.at} of the file`
    } finally {
      closeSync(handle)
    }
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}
