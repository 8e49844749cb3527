// Edits single lines of user files and leaves every other byte unchanged.
import { createHash } from 'node:crypto'

export interface TextLine {
  text: string
  end: string
}

/** Removes `removed` lines at a line and inserts `lines` there. */
export interface LineChange {
  at: number
  removed: number
  lines: readonly string[]
}

/** A string with one character per byte, so that any encoding is written back unchanged. */
export function readByteString(content: Buffer): string {
  return content.toString('latin1')
}

/** Converts UTF-8 text to such a byte string. */
export function toByteString(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function fromByteString(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

export function splitLines(source: string): TextLine[] {
  return [...source.matchAll(/([^\n]*?)(\r?\n|$)/g)]
    .filter(([whole]) => whole !== '')
    .map((match) => ({ text: match[1]!, end: match[2]! }))
}

/** The first line ending of the file. */
export function lineEnding(source: string): string {
  return /\r?\n/.exec(source)?.[0] ?? '\n'
}

export function applyLineChanges(lines: readonly TextLine[], changes: readonly LineChange[], end: string): string {
  const places = Map.groupBy(changes, ({ at }) => at)
  const result: string[] = []
  const put = (text: string) => {
    if (result.length > 0 && !result.at(-1)!.endsWith('\n')) result.push(end)
    result.push(text + end)
  }
  // Insertions among removed lines are kept.
  let keptFrom = 0
  for (let at = 0; at <= lines.length; at++) {
    // At the same line, insertions come first in the given order and the replacement last.
    const here = (places.get(at) ?? []).toSorted((a, b) => a.removed - b.removed)
    for (const change of here) for (const line of change.lines) put(line)
    const removed = here.at(-1)?.removed ?? 0
    keptFrom = Math.max(keptFrom, at + removed)
    if (at >= keptFrom && at < lines.length) result.push(lines[at]!.text + lines[at]!.end)
  }
  return result.join('')
}

/**
 * Hash that ignores line endings, trailing space and surrounding empty lines, which editors change.
 */
export function hashOfText(text: string): string {
  const plain = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
  return createHash('sha256').update(plain).digest('hex').slice(0, 12)
}
