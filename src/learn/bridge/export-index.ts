// Our section of an agent's own MEMORY.md: between two marks, within what the agent loads of that file, and taken out again so
// that not a byte of the rest is another.
import { indexLimits, indexLine } from '../files/index-file.ts'

export interface IndexEntry {
  id: string
  text: string
  name: string
}

const begin = '<!-- recollect:begin; "recollect export --to claude-code --remove" takes this out -->'
const end = '<!-- recollect:end -->'
const section = /<!-- recollect:begin[^\n]*\n[\s\S]*?<!-- recollect:end -->\n?/

/** The file with the entries that find room in it, the first ones first. */
export function withSection(
  before: string | undefined,
  entries: readonly IndexEntry[],
): { content: string; listed: string[] } {
  const rest = withoutSection(before) ?? ''
  const endsLine = rest === '' || rest.endsWith('\n')
  const lines: string[] = []
  const listed: string[] = []
  // The marks and the line that tells of the rest are part of what is loaded, too.
  let bytes = Buffer.byteLength(rest) + Buffer.byteLength(begin + end) + 100
  const maxLines = indexLimits.lines - rest.split('\n').length - 3
  for (const { id, text, name } of entries) {
    const line = indexLine(text, name)
    bytes += Buffer.byteLength(line) + 1
    if (lines.length >= maxLines || bytes > indexLimits.bytes) break
    lines.push(line)
    listed.push(id)
  }
  const left = entries.length - listed.length
  if (left > 0) lines.push(`${left} more memories found no room here: recollect memories`)
  const own = [begin, ...lines, end].join('\n')
  // Without a line break at the end of the section, the one before it is ours as well.
  return { content: endsLine ? `${rest}${own}\n` : `${rest}\n${own}`, listed }
}

/** Undefined where nothing is left of the file. */
export function withoutSection(content: string | undefined): string | undefined {
  const match = content === undefined ? null : section.exec(content)
  if (!content || !match) return content
  const isAtEnd = match.index + match[0].length === content.length && !match[0].endsWith('\n')
  const head = content.slice(0, match.index)
  const rest = (isAtEnd ? head.replace(/\n$/, '') : head) + content.slice(match.index + match[0].length)
  return rest === '' ? undefined : rest
}
