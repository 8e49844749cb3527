// Sentences of a person's words, each with the plain form that cues are looked for in: small letters, no code, no quotations.

import type { Span } from '../../text/human-text.ts'
import { clausesOf } from './clauses.ts'
import { plainForm } from './plain.ts'

export interface Sentence extends Span {
  /** As written, white space collapsed. */
  text: string
  /** For cues: lower case, what is code, a quotation, a path or an address replaced by a capital word. */
  plain: string
  /** Which of how many in the prompt. */
  index: number
  count: number
}

/** More sentences than this are a document, and the rest of it is not read. */
const maxSentences = 60
/** What is looked at of the agent's text. */
const maxBefore = 8000
/** What is looked at of a sentence that never ends. */
const maxLength = 700

export function sentencesOf(prompt: string, spans: Span[], before: string): Sentence[] {
  const said = before === '' ? '' : before.slice(-maxBefore).replace(/[*_`\s]+/g, ' ')
  // A sentence that the agent has just written is a quotation.
  const isQuoted = ({ start, end }: Span) =>
    said !== '' &&
    end - start >= 30 &&
    said.includes(
      prompt
        .slice(start, Math.min(end, start + maxLength))
        .replace(/[*_`\s]+/g, ' ')
        .trim(),
    )
  const pieces = spans
    .flatMap((span) => split(prompt, span))
    .flatMap((piece) => clausesOf(prompt, piece))
    .slice(0, maxSentences)
    .filter((piece) => !isQuoted(piece))
  return pieces.map((piece, index) => {
    const text = prompt
      .slice(piece.start, Math.min(piece.end, piece.start + maxLength))
      .replace(/\s+/g, ' ')
      .trim()
    return sentence(piece, text, index, pieces.length)
  })
}

/** The plain form is made when it is asked for: of what the agent said, most never is. */
function sentence({ start, end }: Span, text: string, index: number, count: number): Sentence {
  let plain: string | undefined
  return {
    start,
    end,
    text,
    get plain() {
      plain ??= plainForm(text)
      return plain
    },
    index,
    count,
  }
}

const abbreviation = /(?:\b(?:e\.g|i\.e|etc|vs|approx|resp|incl|cf|mr|dr)|\.[a-z]|(?:^|\s)\d{1,2})\.$/i

function split(prompt: string, span: Span): Span[] {
  const text = prompt.slice(span.start, span.end)
  const pieces: Span[] = []
  let from = 0
  for (const match of text.matchAll(/(?<![.!?])[.!?]+["')\]]*(?=\s)|[。！？]|;(?=\s)/g)) {
    const to = match.index + match[0].length
    if (abbreviation.test(text.slice(Math.max(from, to - 8), to))) continue
    // Three dots are a pause unless a new sentence starts.
    if (/\.\.$/.test(match[0]) && !/^\s+[A-Z]/.test(text.slice(to, to + 4))) continue
    push(from, to)
    from = to
  }
  push(from, text.length)
  return pieces

  function push(start: number, end: number) {
    const raw = text.slice(start, end)
    const lead = raw.length - raw.trimStart().length
    const bullet = /^(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-zA-Z]\))\s+/.exec(raw.slice(lead))?.[0].length ?? 0
    const body = raw.slice(lead + bullet).trimEnd()
    if (!/[\p{L}\p{N}]/u.test(body)) return
    const at = span.start + start + lead + bullet
    pieces.push({ start: at, end: at + body.length })
  }
}
