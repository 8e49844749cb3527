// The sections of a practice's file, as people write Markdown: headings, lists and fenced code.
import { closedFences } from '../text/fences.ts'
import { oneLine } from '../text/truncate.ts'

export interface FoundSection {
  /** In lower case. */
  name: string
  heading: string
  /** The line of its heading, and the one behind its last. */
  from: number
  to: number
}

/** Only those of ours: any other is the person's own. */
export function sectionsIn(lines: readonly string[]): FoundSection[] {
  const isCode = codeAtMargin(lines)
  const headings = lines.flatMap((line, at) => (!isCode[at] && /^#{1,2}[ \t]/.test(line) ? [at] : []))
  return headings.flatMap((from, index) => {
    const heading = /^##[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(lines[from]!)?.[1]
    const name = heading?.toLowerCase() ?? ''
    return ours.has(name) ? [{ name, heading: heading!, from, to: headings[index + 1] ?? lines.length }] : []
  })
}

const ours: ReadonlySet<string> = new Set(['problem', 'rule', 'steps', 'evidence', 'history'])

export function titleIn(lines: readonly string[]): string | undefined {
  const isCode = codeAtMargin(lines)
  const at = lines.findIndex((line, index) => !isCode[index] && /^#[ \t]+\S/.test(line))
  return at < 0 ? undefined : oneLine(lines[at]!.slice(1))
}

/** Indented fences belong to an item of a list, and may have begun behind its mark. */
function codeAtMargin(lines: readonly string[]): boolean[] {
  return closedFences(lines.map((line) => (/^[ \t]/.test(line) ? '' : line)))
}

/** A text in which no line ends its section or begins code that nobody closes. */
export function safeText(text: string): string {
  const lines = text.trim().split(/\r\n?|\n/)
  const isCode = codeAtMargin(lines)
  return lines.map((line, at) => (isCode[at] ? line : line.replace(/^\\*(?:#{1,2}[ \t]|`{3}|~{3})/, '\\$&'))).join('\n')
}

export function plainText(lines: readonly string[]): string {
  const isCode = codeAtMargin(lines)
  return lines
    .map((line, at) => (isCode[at] ? line : line.replace(/^\\(?=\\*(?:#{1,2}[ \t]|`{3}|~{3}))/, '')))
    .join('\n')
    .trim()
}

/** The items of a list, numbered or not; what hangs below one belongs to it. */
export function listOf(lines: readonly string[]): string[] {
  const items: string[][] = []
  let width = 0
  for (const line of lines) {
    const marker = /^(?:\d{1,4}[.)]|[-*+])[ \t]+/.exec(line)?.[0]
    if (marker !== undefined) {
      width = marker.length
      items.push([line.slice(width)])
    } else if (items.length > 0 && /^(?:[ \t]|$)/.test(line)) {
      items.at(-1)!.push(/^[ \t]*/.exec(line)![0].length >= width ? line.slice(width) : line.trim())
    }
  }
  return items.map(plainText).filter((item) => item !== '')
}
