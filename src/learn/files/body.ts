// The body of a memory file: statement, reason, use, and below our headings generated lines for
// people.
import { normaliseNewlines } from '../../core/vault/frontmatter.ts'
import { removeControls } from '../../text/control-characters.ts'
import { escapeMarkdownText, unescapeMarkdownText } from '../../text/markdown.ts'

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

/** `before` is the current body: what a person wrote there stays as it is while it says the same. */
export function renderBody({ text, why, apply, tail }: MemoryBody, before = ''): string {
  const old = rawBody(before)
  const part = (name: 'text' | 'why' | 'apply', value: string) => {
    const isSame = old[name] !== '' && unescapeMarkdownText(normaliseText(old[name])) === normaliseText(value)
    return protect(isSame ? old[name] : escapeMarkdownText(normaliseText(value)), name !== 'text')
  }
  const parts = [part('text', text)]
  if (why) parts.push(`${marks.why} ${part('why', why)}`)
  if (apply) parts.push(`${marks.apply} ${part('apply', apply)}`)
  if (tail.length > 0) parts.push(tail.join('\n'))
  return `${parts.join('\n\n')}\n`
}

export function parseBody(body: string): MemoryBody {
  const { text, why, apply, tail } = rawBody(body)
  const said = (part: string) => unescapeMarkdownText(normaliseText(part))
  return { text: said(text), why: said(why) || null, apply: said(apply) || null, tail }
}

/** The parts as they are in the file. */
function rawBody(body: string): { text: string; why: string; apply: string; tail: string[] } {
  const parts: Record<'text' | 'why' | 'apply', string[]> = { text: [], why: [], apply: [] }
  let part: keyof typeof parts = 'text'
  const lines = body.split('\n')
  const end = lines.findIndex((line) => tailHeadings.has(line.trimEnd()))
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const begun = (['why', 'apply'] as const).find((name) => line.startsWith(marks[name]))
    if (begun) part = begun
    parts[part].push(begun ? line.slice(marks[begun].length) : unprotected(line))
  }
  const joined = (name: keyof typeof parts) => parts[name].join('\n').trim()
  return { text: joined('text'), why: joined('why'), apply: joined('apply'), tail: end < 0 ? [] : lines.slice(end) }
}

/** A text as it comes back from a file. */
export function normaliseText(text: string): string {
  return removeControls(normaliseNewlines(text)).trim()
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
