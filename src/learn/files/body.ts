// The body of a memory file: statement, reason, use, and below our headings generated lines for
// people.
import { normaliseNewlines } from '../../core/vault/frontmatter.ts'

export interface MemoryBody {
  text: string
  why: string | null
  apply: string | null
  /** Lines from the first of our headings on. */
  tail: string[]
}

const marks = { why: '**Why:**', apply: '**How to apply:**' } as const

/** Headings that end the part a person writes. */
export const headings = {
  superseded: '## Superseded',
  decide: '## Decide',
  against: '## Against',
  sources: '## Sources',
} as const

const tailHeadings = new Set<string>(Object.values(headings))

export function renderBody({ text, why, apply, tail }: MemoryBody): string {
  const parts = [protect(normaliseText(text), false)]
  if (why) parts.push(`${marks.why} ${protect(normaliseText(why), true)}`)
  if (apply) parts.push(`${marks.apply} ${protect(normaliseText(apply), true)}`)
  if (tail.length > 0) parts.push(tail.join('\n'))
  return `${parts.join('\n\n')}\n`
}

export function parseBody(body: string): MemoryBody {
  const parts: Record<'text' | 'why' | 'apply', string[]> = { text: [], why: [], apply: [] }
  let part: keyof typeof parts = 'text'
  const lines = body.split('\n')
  const end = lines.findIndex((line) => tailHeadings.has(line.trimEnd()))
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const begun = (['why', 'apply'] as const).find((name) => line.startsWith(marks[name]))
    if (begun) part = begun
    parts[part].push(begun ? line.slice(marks[begun].length) : unprotected(line))
  }
  const joined = (name: keyof typeof parts) => normaliseText(parts[name].join('\n'))
  return {
    text: joined('text'),
    why: joined('why') || null,
    apply: joined('apply') || null,
    tail: end < 0 ? [] : lines.slice(end),
  }
}

/** A text as it comes back from a file. */
export function normaliseText(text: string): string {
  return normaliseNewlines(text).trim()
}

const special = /^\\*(?:\*\*(?:Why|How to apply):\*\*|## (?:Superseded|Decide|Against|Sources)\s*$)/

/** A line that looks like one of our marks gets a backslash, which Markdown does not show. */
function protect(text: string, isFirstInLine: boolean): string {
  return text
    .split('\n')
    .map((line, index) => (special.test(line) && !(isFirstInLine && index === 0) ? `\\${line}` : line))
    .join('\n')
}

function unprotected(line: string): string {
  return line.startsWith('\\') && special.test(line) ? line.slice(1) : line
}
