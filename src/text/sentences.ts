// Splits prose into sentences: one rule for where a sentence ends, used by everything that reads,
// quotes or compares sentences.

export interface TextSpan {
  start: number
  end: number
}

const sentenceEnd = /(?<![.!?])[.!?]+["'”’)\]*]*(?=\s|$)|[。！？｡．]+[」』”’）]*/g
const sentenceOrClauseEnd = /(?<![.!?])[.!?]+["'”’)\]*]*(?=\s|$)|[。！？｡．]+[」』”’）]*|;(?=\s)|；/g

/**
 * The sentences of a text without line structure, as offsets; white space around them is left out.
 * With `atSemicolons` a clause that ends in a semicolon is a sentence too.
 */
export function sentenceSpans(text: string, { atSemicolons = false } = {}): TextSpan[] {
  const spans: TextSpan[] = []
  let from = 0
  for (const { index, 0: mark } of text.matchAll(atSemicolons ? sentenceOrClauseEnd : sentenceEnd)) {
    const to = index + mark.length
    if (isInside(text.slice(Math.max(from, to - 40), to), text.slice(to, to + 8).trimStart())) continue
    push(from, to)
    from = to
  }
  push(from, text.length)
  return spans

  function push(start: number, end: number): void {
    const part = text.slice(start, end)
    const body = part.trim()
    if (body === '') return
    const at = start + part.length - part.trimStart().length
    spans.push({ start: at, end: at + body.length })
  }
}

const abbreviation = /\b(?:e\.g|i\.e|etc|vs|approx|resp|incl|cf|mr|dr)\.$/i

/**
 * An abbreviation, a list number, a name that ends in a dot (`host.example.`), a pause, a closing
 * bracket.
 */
function isInside(before: string, after: string): boolean {
  if (after === '') return false
  if (abbreviation.test(before)) return /^[\p{Ll}\p{N}]/u.test(after)
  if (/\bno\.$/i.test(before)) return /^\d/.test(after)
  if (/(?:^|\s)\d{1,2}\.$/.test(before)) return /^\s*\d/.test(before) || /^[a-z]/.test(after)
  return /(?:\.\.|\w\.\w[\w-]*\.|[)\]])$/.test(before) && /^[a-z-]/.test(after)
}

/**
 * The sentences of prose with line breaks: a line break ends a sentence, list marks are removed.
 */
export function splitSentences(text: string): string[] {
  return text.split(/\n+/).flatMap((line) => {
    const plain = line.replace(/^\s*(?:[#>]+|[-*•]|\d{1,2}[.)])\s+/, '')
    return sentenceSpans(plain).map(({ start, end }) => plain.slice(start, end))
  })
}

/** The rest of a longer message is a paste. */
const maxRead = 12_000
const maxSentences = 80
/** Longer than any sentence. */
const maxSentenceLength = 1200

/** Whole sentences of a message that can be quoted, without code blocks. */
export function quotableSentences(text: string): string[] {
  const prose = text.slice(0, maxRead).replace(/```[\s\S]*?(?:```|$)/g, '\n')
  return splitSentences(prose)
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence) && sentence.length <= maxSentenceLength)
    .slice(0, maxSentences)
}
