// A file that people write in, too, as lines that can be changed in places: what is not changed stays byte for byte.
import { createHash } from 'node:crypto'

export interface TextLine {
  text: string
  end: string
}

/** At a line: so many removed, these put there. */
export interface LineChange {
  at: number
  removed: number
  lines: readonly string[]
}

/** One character per byte: whatever a person's editor wrote comes back as it was. */
export function readByteString(content: Buffer): string {
  return content.toString('latin1')
}

/** A text as it stands among such bytes, and back. */
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

/** What ends a line in this file. */
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
  // What is inserted among removed lines is still put there.
  let keptFrom = 0
  for (let at = 0; at <= lines.length; at++) {
    // Toward the same line: what is inserted before it comes first, in the order given; what replaces it is last.
    const here = (places.get(at) ?? []).toSorted((a, b) => a.removed - b.removed)
    for (const change of here) for (const line of change.lines) put(line)
    const removed = here.at(-1)?.removed ?? 0
    keptFrom = Math.max(keptFrom, at + removed)
    if (at >= keptFrom && at < lines.length) result.push(lines[at]!.text + lines[at]!.end)
  }
  return result.join('')
}

/** The same for another line ending, space at the end of a line, or an empty line before or after: editors do that. */
export function hashOfText(text: string): string {
  const plain = text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim()
  return createHash('sha256').update(plain).digest('hex').slice(0, 12)
}
