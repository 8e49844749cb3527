// Reads JSON lines as agents leave them: torn, glued, with BOM, CR, NUL runs and half characters.
import { closeSync, fstatSync, readSync } from 'node:fs'
import { openRegularFile } from './files.ts'
import { parseForeignJson, TooManyValues } from './foreign-json.ts'
import type { Json } from './session.ts'

export type JsonRecord = Record<string, Json>

export interface JsonlLine {
  /** Without the line break. Of a line that is too long, only its beginning and its end. */
  bytes: Buffer
  /** Bytes of the line in the file, without the line break. */
  length: number
  /** Byte offset in the file. */
  offset: number
  /** Whether the line ends with a newline; the last line of a file being written does not. */
  isWhole: boolean
  /** Longer than `maxLineBytes`: its content was skipped. */
  isTooLong: boolean
}

/** Thrown for a line longer than the caller can hold; nothing of it is returned. */
export class LineTooLong extends Error {}

/**
 * A line is held in memory several times while it is parsed. The longest real ones hold images or
 * the output of a tool and take some megabytes.
 */
export const maxLineBytes = 256 << 20

export interface LineLimits {
  /** A longer line throws LineTooLong. */
  maxHeldBytes?: number
  /** A longer line is read but not returned. */
  maxBytes?: number
}

const chunkSize = 1 << 20
const newline = 10
/** What is kept of both ends of a line that is too long: enough to recognise it. */
const endLength = 1024

/**
 * Reads lines from a byte offset up to the size of the file when it was opened. Memory is one chunk
 * plus the longest line. The bytes of a line are only valid until the next one is read.
 */
export function* readLines(path: string, from = 0, limits: LineLimits = {}): Generator<JsonlLine> {
  const { maxHeldBytes = Number.POSITIVE_INFINITY, maxBytes = maxLineBytes } = limits
  const file = openRegularFile(path)
  try {
    const end = fstatSync(file).size
    let buffer: Buffer = Buffer.allocUnsafe(Math.min(chunkSize, Math.max(1, end - from)))
    let filled = 0
    let offset = from // of buffer[0] in the file
    let searched = 0
    let long: LongLine | undefined
    for (let position = from; position < end; ) {
      if (filled > maxHeldBytes) throw new LineTooLong()
      if (long || filled >= maxBytes) {
        long = skip(long, buffer.subarray(0, filled), offset)
        buffer = buffer.length > chunkSize ? Buffer.allocUnsafe(chunkSize) : buffer
        offset += filled
        filled = 0
        searched = 0
      }
      if (filled === buffer.length) buffer = grow(buffer, filled)
      const wanted = Math.min(buffer.length - filled, end - position)
      const got = readSync(file, buffer, filled, wanted, position)
      if (got === 0) break // truncated while we read
      filled += got
      position += got
      let start = 0
      for (;;) {
        const at = buffer.subarray(0, filled).indexOf(newline, Math.max(start, searched))
        if (at < 0) break
        const bytes = buffer.subarray(start, at)
        yield long
          ? longLine(skip(long, bytes, offset), true)
          : { bytes, length: bytes.length, offset: offset + start, isWhole: true, isTooLong: false }
        long = undefined
        start = at + 1
        searched = start
      }
      buffer.copyWithin(0, start, filled)
      filled -= start
      offset += start
      searched = filled
      if (buffer.length > chunkSize && filled < chunkSize / 2) buffer = shrink(buffer, filled)
    }
    const bytes = buffer.subarray(0, filled)
    if (long) yield longLine(skip(long, bytes, offset), false)
    else if (filled > 0) yield { bytes, length: filled, offset, isWhole: false, isTooLong: false }
  } finally {
    closeSync(file)
  }
}

interface LongLine {
  head: Buffer
  tail: Buffer
  offset: number
  length: number
}

/** Adds bytes to a line of which only both ends are kept. */
function skip(line: LongLine | undefined, bytes: Buffer, offset: number): LongLine {
  if (!line) {
    const head = Buffer.from(bytes.subarray(0, endLength))
    return { head, tail: Buffer.from(bytes.subarray(-endLength)), offset, length: bytes.length }
  }
  const tail = Buffer.concat([line.tail, bytes.subarray(-endLength)]).subarray(-endLength)
  return { ...line, tail, length: line.length + bytes.length }
}

function longLine({ head, tail, offset, length }: LongLine, isWhole: boolean): JsonlLine {
  return { bytes: Buffer.concat([head, tail]), length, offset, isWhole, isTooLong: true }
}

function grow(buffer: Buffer, filled: number): Buffer {
  const larger = Buffer.allocUnsafe(buffer.length * 2)
  buffer.copy(larger, 0, 0, filled)
  return larger
}

/** Releases the large buffer after one huge line. */
function shrink(buffer: Buffer, filled: number): Buffer {
  const smaller = Buffer.allocUnsafe(chunkSize)
  buffer.copy(smaller, 0, 0, filled)
  return smaller
}

export interface ParsedLine {
  records: JsonRecord[]
  /** The unreadable part and its place in the line. */
  bad?: { at: number; length: number; reason: string }
  /** What was left out of a record that is too deep or too wide. */
  omitted?: string
  /** The line as text, if it is one record and nothing else. */
  text?: string
}

const nothing: ParsedLine = { records: [] }

/** Parses a line that `readLines` returned. */
export function parseJsonlLine({ bytes, length, isTooLong }: JsonlLine): ParsedLine {
  if (!isTooLong) return parseLine(bytes)
  return { records: [], bad: { at: 0, length, reason: `a line of ${length} bytes was skipped as too long` } }
}

/**
 * Parses one line: usually one record, none for a blank line, two when a writer lost its newline.
 */
export function parseLine(bytes: Buffer): ParsedLine {
  const source = clean(bytes)
  if (source === '') return nothing
  try {
    const { value, omitted } = parseForeignJson(source)
    const isAll = source.length === bytes.length || Buffer.byteLength(source) === bytes.length
    return isRecord(value)
      ? { records: [value], ...(omitted === undefined ? {} : { omitted }), ...(isAll ? { text: source } : {}) }
      : { records: [], bad: { at: 0, length: bytes.length, reason: 'not a JSON object' } }
  } catch (error) {
    if (error instanceof TooManyValues)
      return { records: [], bad: { at: 0, length: bytes.length, reason: error.message } }
    return repair(source, bytes.length, reasonOf(error))
  }
}

/**
 * Removes BOM, CR and NUL runs, and makes the text well-formed, since a cut emoji leaves half a
 * character.
 */
function clean(bytes: Buffer): string {
  let start = 0
  let end = bytes.length
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) start = 3
  while (start < end && isBlank(bytes[start]!)) start++
  while (end > start && isBlank(bytes[end - 1]!)) end--
  return bytes.toString('utf8', start, end)
}

function isBlank(byte: number): boolean {
  return byte === 0 || byte === 9 || byte === 13 || byte === 32
}

/** Reports the position but not the message, which quotes the line and may contain a secret. */
function reasonOf(error: unknown): string {
  const position = /at position (\d+)/.exec(String(error))?.[1]
  return position === undefined ? 'invalid JSON' : `invalid JSON at character ${position}`
}

/**
 * A writer that died in the middle of a record, or two writers at once, leave a torn record with a
 * complete one glued to it. The complete one is kept. Work is bounded: parsing is not tried at
 * every brace of a long line.
 */
function repair(source: string, length: number, reason: string): ParsedLine {
  let work = 0
  for (const { index } of source.matchAll(recordStart)) {
    const right = tryParse(source.slice(index))
    work += right.work
    if (right.record) {
      const left = tryParse(source.slice(0, index)).record
      if (left) return { records: [left, right.record] }
      return {
        records: [right.record],
        bad: { at: 0, length: index, reason: `a torn record before a complete one: ${reason}` },
      }
    }
    if (work > maxWork) break
  }
  return { records: [], bad: { at: 0, length, reason } }
}

/** Characters that are parsed in vain before a line is given up. */
const maxWork = 50_000_000

/** How records of known agents begin. */
const recordStart = /(?<=.)\{"(?:type|parentUuid|uuid|timestamp|id|role|sessionId|record_type|method|ts)":/gs

/** Most attempts end after a few characters; the error has the position. */
function tryParse(source: string): { record?: JsonRecord; work: number } {
  try {
    const { value } = parseForeignJson(source)
    return isRecord(value) ? { record: value, work: source.length } : { work: source.length }
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1]
    return { work: position === undefined ? source.length : Number(position) }
  }
}

function isRecord(value: Json): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
