// Finds the part of a journal day that no model has read, and splits it into chunks. Splits between
// entries only, so that every chunk names its sessions; joined, the chunks are the input byte for
// byte.

import { createHash } from 'node:crypto'
import { splitLines } from '../../core/vault/lines.ts'
import { entriesIn, isEntryMarker } from '../../journal/day-file.ts'
import { closedFences } from '../../text/markdown.ts'

export const maxChunkLength = 100_000

/** An entry longer than `max` characters is a chunk of its own. */
export function chunksOf(text: string, max = maxChunkLength): string[] {
  const chunks: string[] = []
  for (const piece of piecesOf(text)) {
    const last = chunks.at(-1)
    if (last !== undefined && last.length + piece.length <= max) chunks[chunks.length - 1] = last + piece
    else chunks.push(piece)
  }
  return chunks
}

/** Sessions of the entries in a chunk, in order. */
export function sessionsIn(chunk: string): string[] {
  return [...new Set(entriesIn(Buffer.from(chunk)).map(({ session }) => session))]
}

/** Whether a chunk has text besides the standard headings. */
export function hasContent(chunk: string): boolean {
  return chunk.split(/\r?\n/).some((line) => line.trim() !== '' && !/^#{1,2}\s/.test(line) && !isEntryMarker(line))
}

/** Replaces the markers of entries by `[session …]` for the model. */
export function chunkText(chunk: string): string {
  const sessions = entriesIn(Buffer.from(chunk)).map(({ session }) => session)
  return chunk
    .split(/\r?\n/)
    .flatMap((line) => (isEntryMarker(line) ? (isClosing(line) ? [] : `[session ${sessions.shift()}]`) : line))
    .join('\n')
    .trim()
}

/** Splits at entries, and at headings of level three outside of entries. */
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

/** An entry without a closing marker ends with its first line, as in the journal parser. */
function isClosed(lines: readonly { text: string }[], opening: number): boolean {
  let at = opening + 1
  while (at < lines.length && !isEntryMarker(lines[at]!.text)) at++
  return at < lines.length && isClosing(lines[at]!.text)
}

/** Hash and length of the content that a model has read. */
interface ReadState {
  hash: string | null
  bytes: number
}

/**
 * Returns the text after the part that was read. Entries change in place when their session grows:
 * if the old content is no longer a prefix, returns everything.
 */
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
