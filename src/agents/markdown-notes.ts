// Parses notes that agents keep in Markdown: headings with bullets and paragraphs below.

export interface MarkdownNote {
  /** Outermost first. */
  headings: string[]
  text: string
}

/** Every bullet, with the lines indented below it, and every paragraph is a note. */
export function parseNotes(markdown: string): MarkdownNote[] {
  const notes: MarkdownNote[] = []
  const headings: { level: number; title: string }[] = []
  let lines: string[] = []
  let fence = ''
  const close = () => {
    const text = lines.join('\n').trim()
    if (text !== '') notes.push({ headings: headings.map(({ title }) => title), text })
    lines = []
  }
  for (const line of markdown.replace(/\r\n?/g, '\n').split('\n')) {
    const mark = /^\s*(```+|~~~+)/.exec(line)?.[1] ?? ''
    if (fence !== '' || mark !== '') {
      lines.push(line)
      if (fence === '') fence = mark
      else if (mark.startsWith(fence)) fence = ''
      continue
    }
    const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line)
    const bullet = /^[-*+]\s+(.*)$/.exec(line) ?? /^\d+[.)]\s+(.*)$/.exec(line)
    if (heading || bullet || line.trim() === '') close()
    if (heading) {
      const level = heading[1]!.length
      while ((headings.at(-1)?.level ?? 0) >= level) headings.pop()
      headings.push({ level, title: heading[2]! })
    } else lines.push(bullet ? bullet[1]! : line)
  }
  close()
  return notes
}

/** A frontmatter value, plain or quoted, also one level down as in `metadata`. */
export function frontmatterValue(head: string, name: string): string | undefined {
  const value = new RegExp(`^[ \\t]*${name}:[ \\t]*(\\S.*?)[ \\t]*$`, 'm').exec(head)?.[1]
  if (value === undefined) return undefined
  if (/^".*"$/.test(value)) return unescaped(value)
  return /^'.*'$/.test(value) ? value.slice(1, -1).replaceAll("''", "'") : value
}

function unescaped(value: string): string {
  try {
    return String(JSON.parse(value))
  } catch {
    return value.slice(1, -1)
  }
}

/** Splits the frontmatter between two lines of dashes from the rest. */
export function splitFrontmatter(content: string): { head: string; body: string } {
  const match = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(content)
  return match ? { head: match[1]!, body: content.slice(match[0].length) } : { head: '', body: content }
}
