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

/**
 * The list or the code that a sentence with a colon at its end introduces: whole items and lines, on
 * one line. Empty if something else follows.
 */
export function introducedBy(text: string, sentence: string): string[] {
  const at = text.indexOf(sentence)
  const after =
    at < 0 ? '' : text.slice(at + sentence.length, at + sentence.length + maxRead).replace(/^[*_]*\s*\n/, '')
  const code = /^\s*```[^\n]*\n([\s\S]*?)\n\s*```/.exec(after)?.[1]
  const lines = (code ?? listIn(after)).split('\n').map((line) => line.replace(listMark, '').trim())
  const kept: string[] = []
  let length = 0
  for (const line of lines.filter((line) => line !== '')) {
    length += line.length
    if (length > maxIntroduced) break
    kept.push(line)
  }
  return kept
}

const maxIntroduced = 360
const listMark = /^\s*(?:[-*•]|\d{1,2}[.)])\s+/

/** Items at the beginning, with blank lines between them. */
function listIn(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => line.trim() !== '' && !listMark.test(line))
  return (end < 0 ? lines : lines.slice(0, end)).join('\n')
}
