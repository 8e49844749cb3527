// A day of the journal in parts that a model can read: cut between entries, never inside of one, so that every part names the
// sessions that it tells of. Put together again they are the day, byte for byte.

import { createHash } from 'node:crypto'
import { splitLines } from '../../core/vault/lines.ts'
import { entriesIn, isEntryMarker } from '../../journal/day-file.ts'
import { closedFences } from '../../text/markdown.ts'

export const maxChunkLength = 100_000

/** An entry that is longer than `most` characters is a part of its own. */
export function chunksOf(text: string, max = maxChunkLength): string[] {
  const chunks: string[] = []
  for (const piece of piecesOf(text)) {
    const last = chunks.at(-1)
    if (last !== undefined && last.length + piece.length <= max) chunks[chunks.length - 1] = last + piece
    else chunks.push(piece)
  }
  return chunks
}

/** Sessions whose entries stand in a part, in their order. */
export function sessionsIn(chunk: string): string[] {
  return [...new Set(entriesIn(Buffer.from(chunk)).map(({ session }) => session))]
}

/** Whether there is anything to read: a new day has headings and nothing below them. */
export function hasContent(chunk: string): boolean {
  return chunk.split(/\r?\n/).some((line) => line.trim() !== '' && !/^#{1,2}\s/.test(line) && !isEntryMarker(line))
}

/** As the model reads it: an entry begins with the session it is about, instead of a mark with hashes in it. */
export function chunkText(chunk: string): string {
  const sessions = entriesIn(Buffer.from(chunk)).map(({ session }) => session)
  return chunk
    .split(/\r?\n/)
    .flatMap((line) => (isEntryMarker(line) ? (isClosing(line) ? [] : `[session ${sessions.shift()}]`) : line))
    .join('\n')
    .trim()
}

/** Entries with what a person wrote behind them, and what stands below a heading of the third level outside of entries. */
function piecesOf(text: string): string[] {
  const lines = splitLines(text)
  const isCode = closedFences(lines.map((line) => line.text))
  const pieces: string[] = []
  let isInside = false
  for (const [at, line] of lines.entries()) {
    const isFrame = isEntryMarker(line.text)
    const isOpening = isFrame && !isClosing(line.text)
    const isHeading = !isInside && !isCode[at] && /^ {0,3}###(?:[ \t]|$)/.test(line.text)
    if (isOpening || isHeading || pieces.length === 0) pieces.push('')
    pieces[pieces.length - 1] += line.text + line.end
    if (isFrame) isInside = isOpening && isClosed(lines, at)
  }
  return pieces
}

function isClosing(line: string): boolean {
  return line.startsWith('<!-- /')
}

/** An entry that nobody closed ends with its first line, as where it is read. */
function isClosed(lines: readonly { text: string }[], opening: number): boolean {
  let at = opening + 1
  while (at < lines.length && !isEntryMarker(lines[at]!.text)) at++
  return at < lines.length && isClosing(lines[at]!.text)
}

// What of a day a model has not read. Entries stand in the order of their start and change in place when their session goes on:
// only where the old content is still there to the byte is the rest all that is new.

/** What was read: its hash is taken of the very bytes that are asked about, before anybody is asked. */
interface ReadState {
  hash: string | null
  bytes: number
}

export function unreadPart(content: Buffer, asked: ReadState): string {
  return content.subarray(isPrefix(content, asked) ? asked.bytes : 0).toString('utf8')
}

export function readStateOf(content: Buffer): { hash: string; bytes: number } {
  return { hash: hashOf(content), bytes: content.length }
}

function isPrefix(content: Buffer, { hash, bytes }: ReadState): boolean {
  return hash !== null && bytes <= content.length && hashOf(content.subarray(0, bytes)) === hash
}

function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
