// A day of the journal in parts that a model can read: cut between entries, never inside of one, so that every part names the
// sessions that it tells of. Put together again they are the day, byte for byte.

import { splitLines } from '../../core/lines.ts'
import { entriesIn, isFrameLine } from '../../journal/day-file.ts'
import { closedFences } from '../../text/markdown.ts'

export const maxChunk = 100_000

/** An entry that is longer than `most` characters is a part of its own. */
export function chunksOf(text: string, max = maxChunk): string[] {
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
export function saysSomething(chunk: string): boolean {
  return chunk.split(/\r?\n/).some((line) => line.trim() !== '' && !/^#{1,2}\s/.test(line) && !isFrameLine(line))
}

/** As the model reads it: an entry begins with the session it is about, instead of a mark with hashes in it. */
export function readable(chunk: string): string {
  const sessions = entriesIn(Buffer.from(chunk)).map(({ session }) => session)
  return chunk
    .split(/\r?\n/)
    .flatMap((line) => (isFrameLine(line) ? (isClosing(line) ? [] : `[session ${sessions.shift()}]`) : line))
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
    const isFrame = isFrameLine(line.text)
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
  while (at < lines.length && !isFrameLine(lines[at]!.text)) at++
  return at < lines.length && isClosing(lines[at]!.text)
}
