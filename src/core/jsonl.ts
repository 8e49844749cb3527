// Reads JSON lines as agents leave them: torn, glued, with BOM, CR, NUL runs and half characters.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { Json } from './session.ts'

export type JsonRecord = Record<string, Json>

export interface JsonlLine {
  bytes: Buffer
  /** Byte offset in the file. */
  offset: number
  /** Whether the line ends with a newline; the last line of a file being written does not. */
  isWhole: boolean
}

/** Thrown for a line longer than the caller allows; nothing of it is returned. */
export class LineTooLong extends Error {}

const chunkSize = 1 << 20
const newline = 10

/**
 * Reads lines from a byte offset up to the size of the file when it was opened. Memory is one chunk
 * plus the longest line. The bytes of a line are only valid until the next one is read.
 */
export function* readLines(path: string, from = 0, maxLineBytes = Number.POSITIVE_INFINITY): Generator<JsonlLine> {
  const file = openSync(path, 'r')
  try {
    const end = fstatSync(file).size
    let buffer: Buffer = Buffer.allocUnsafe(Math.min(chunkSize, Math.max(1, end - from)))
    let filled = 0
    let offset = from // of buffer[0] in the file
    let searched = 0
    for (let position = from; position < end; ) {
      if (filled > maxLineBytes) throw new LineTooLong()
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
        yield { bytes: buffer.subarray(start, at), offset: offset + start, isWhole: true }
        start = at + 1
        searched = start
      }
      buffer.copyWithin(0, start, filled)
      filled -= start
      offset += start
      searched = filled
      if (buffer.length > chunkSize && filled < chunkSize / 2) buffer = shrink(buffer, filled)
    }
    if (filled > 0) yield { bytes: buffer.subarray(0, filled), offset, isWhole: false }
  } finally {
    closeSync(file)
  }
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
}

const nothing: ParsedLine = { records: [] }

/**
 * Parses one line: usually one record, none for a blank line, two when a writer lost its newline.
 */
export function parseLine(bytes: Buffer): ParsedLine {
  const source = clean(bytes)
  if (source === '') return nothing
  try {
    const value = JSON.parse(source) as Json
    return isRecord(value)
      ? { records: [value] }
      : { records: [], bad: { at: 0, length: bytes.length, reason: 'not a JSON object' } }
  } catch (error) {
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
    const value = JSON.parse(source) as Json
    return isRecord(value) ? { record: value, work: source.length } : { work: source.length }
  } catch (error) {
    const position = /at position (\d+)/.exec(String(error))?.[1]
    return { work: position === undefined ? source.length : Number(position) }
  }
}

function isRecord(value: Json): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
