// A note as pieces that are no longer than a memory may be: at headings, then at paragraphs and bullets, then at lines and words.
import { maxMemoryLength } from '../../memory/memory.ts'
import { truncate } from '../../text/truncate.ts'

/** Each piece of a note that had to be cut begins with what the note is about, so that it can be read alone. */
export function splitNote(text: string, headings: readonly string[]): string[] {
  const whole = text.trim()
  if (whole === '') return []
  if (whole.length <= maxMemoryLength) return [whole]
  return sectionsOf(whole).flatMap(({ heading, body }) => {
    const subject = truncate([...headings, heading].filter(Boolean).join(': '), 200)
    const lead = subject ? `${subject}: ` : ''
    return packed(blocksOf(body), maxMemoryLength - lead.length).map((piece) => lead + piece)
  })
}

function sectionsOf(text: string): { heading: string; body: string }[] {
  const sections = [{ heading: '', lines: [] as string[] }]
  for (const line of text.split('\n')) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1]
    if (heading === undefined) sections.at(-1)!.lines.push(line)
    else sections.push({ heading, lines: [] })
  }
  return sections
    .map(({ heading, lines }) => ({ heading, body: lines.join('\n').trim() }))
    .filter(({ body }) => body !== '')
}

/** Paragraphs and bullets. */
function blocksOf(body: string): string[] {
  return body
    .split(/\n\s*\n|\n(?=[-*+] |\d+[.)] )/)
    .map((block) => block.trimEnd())
    .filter((block) => block.trim() !== '')
}

/** As many blocks together as fit. */
function packed(blocks: readonly string[], max: number): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const block of blocks.flatMap((one) => cut(one, max))) {
    const joined = piece === '' ? block : `${piece}\n${block}`
    if (joined.length > max) pieces.push(piece)
    piece = joined.length > max ? block : joined
  }
  return [...pieces, piece].map((one) => one.trim()).filter(Boolean)
}

function cut(block: string, max: number): string[] {
  const parts: string[] = []
  let rest = block
  while (rest.length > max) {
    const part = truncate(rest, max)
    const at = [part.lastIndexOf('\n'), part.lastIndexOf('. ') + 1, part.lastIndexOf(' ')].find(
      (place) => place > max / 2,
    )
    parts.push(rest.slice(0, at ?? part.length))
    rest = rest.slice(at ?? part.length).trimStart()
  }
  return [...parts, rest]
}
