// Splits a user's text into sentences and clauses, each with a plain form for the cues: lower case,
// without code and quotations.
import type { Span } from '../../text/human-text.ts'
import { sentenceSpans } from '../../text/sentences.ts'
import { cues } from './cues.ts'

export interface Sentence extends Span {
  /** The whole sentence that it is a clause of: what is quoted is never cut. */
  unit: Span
  /** As written, with white space collapsed. */
  text: string
  /** For cues: lower case, with capital words in place of code, quotations, paths and addresses. */
  plain: string
  /** Its index, and the number of sentences in the prompt. */
  index: number
  count: number
}

/** A text with more sentences is a document; the rest is not read. */
const maxSentences = 60
/** Characters that are compared of the agent's text. */
const maxBefore = 8000
/** Characters that are read of a sentence. */
const maxLength = 700

export function sentencesOf(prompt: string, spans: readonly Span[], before: string): Sentence[] {
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
    .flatMap((unit) => partsOf(prompt, unit))
    .flatMap(({ unit, ...part }) => clausesOf(prompt, part).map((clause) => ({ ...clause, unit })))
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

/** The plain form is computed lazily: for most sentences of the agent it is never needed. */
function sentence({ start, end, unit }: Part, text: string, index: number, count: number): Sentence {
  let plain: string | undefined
  return {
    start,
    end,
    unit,
    text,
    get plain() {
      plain ??= plainForm(text)
      return plain
    },
    index,
    count,
  }
}

const bullet = /^(?:[-*•]|\(?\d{1,2}[.)]|\(?[a-zA-Z]\))\s+/

function split(prompt: string, span: Span): Span[] {
  const text = prompt.slice(span.start, span.end)
  return sentenceSpans(text).flatMap(({ start, end }) => {
    const body = start + (bullet.exec(text.slice(start, end))?.[0].length ?? 0)
    if (!/[\p{L}\p{N}]/u.test(text.slice(body, end))) return []
    return [{ start: span.start + body, end: span.start + end }]
  })
}

interface Part extends Span {
  unit: Span
}

/** Longer sentences with semicolons are lists: each part is read alone. */
const maxUnit = 300

function partsOf(prompt: string, unit: Span): Part[] {
  const text = prompt.slice(unit.start, unit.end)
  const parts = sentenceSpans(text, { atSemicolons: true })
    .filter(({ start, end }) => /[\p{L}\p{N}]/u.test(text.slice(start, end)))
    .map(({ start, end }) => ({ start: unit.start + start, end: unit.start + end }))
  return parts.map((part) => ({ ...part, unit: text.length > maxUnit ? part : unit }))
}

// Many people write without full stops: a task, a comma, then the reason or the rule. If the first
// half only asks or orders, the second half counts as a sentence.

const clauseBorder =
  /(?:,|\s+but|\s+-)\s+(?:but )?(?=(?:it|it's|we|we're|i|i'm|i've|that's|this is|they|they're|there|there's|you|don't|do not|never|always|no need|because|since|otherwise|make sure|the|our|my)\b)/gi

function clausesOf(prompt: string, sentence: Span): Span[] {
  const text = prompt.slice(sentence.start, sentence.end)
  if (text.length < 30 || text.length > 700) return [sentence]
  for (const { index, 0: mark } of text.matchAll(clauseBorder)) {
    if (index < 8 || text.length - index - mark.length < 15) continue
    const head = withoutOpening(plainForm(text.slice(0, index)))
    const isAskedWhole = /\?\W*$/.test(text) && /^(?:because|since|otherwise)\b/i.test(text.slice(index + mark.length))
    if (!onlyAsks(head) || isAskedWhole) return [sentence]
    return [
      { start: sentence.start, end: sentence.start + index },
      { start: sentence.start + index + mark.length, end: sentence.end },
    ]
  }
  return [sentence]
}

function onlyAsks(head: string): boolean {
  return [cues.orders!, cues.asks!, cues.canYou!, /^you can\b/].some((cue) => cue.test(head))
}

// The plain form of a sentence: lower case, common misspellings corrected, and capital words in
// place of code, quotations, paths and addresses.

export function plainForm(text: string): string {
  return fixSpelling(
    text
      .replace(/[‘’ʼ´]/g, "'")
      .replace(/[“”„«»]/g, '"')
      .replace(/`[^`]{1,200}`/g, ' CODE ')
      .replace(/"[^"]{1,300}"/g, ' QUOTE ')
      .replace(/\bhttps?:\/\/[^\s)>\]]+/g, ' URL ')
      .replace(
        /(?<![\w/])(?:~|\.{1,2})?\/?(?:[\w@.-]+\/)+[\w@.*-]+|(?<!\w)[\w-]+\.(?:md|ts|tsx|js|mjs|go|py|rs|json|jsonl|ya?ml|toml|sh|sql|css|html|txt|lock|env)\b/g,
        pathPlaceholder,
      )
      .replace(/(?<!\w)--?[a-z][\w-]+/g, ' FLAG ')
      .replace(/\b(?:[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+|\w+_\w+|\w+\(\))(?:\(\))?/g, ' IDENT ')
      .replace(/\b[A-Z]{2,}\b|[A-Z]/g, (word) => (placeholders.has(word) ? word : word.toLowerCase()))
      .replace(/\s+/g, ' ')
      .trim(),
  )
}

const placeholders = new Set(['CODE', 'QUOTE', 'URL', 'PATH', 'FLAG', 'IDENT', 'DOC'])

function pathPlaceholder(found: string): string {
  if (/^(?:and|or|\w{1,12})\/\w{1,12}$/i.test(found) && !/\.\w+$/.test(found)) return found
  return /(?:claude|agents|gemini|memory)\.md$/i.test(found) ? ' DOC ' : ' PATH '
}

/** Restores missing apostrophes. */
function fixSpelling(plain: string): string {
  return plain
    .replace(/\b(do|does|did|is|are|was|were|wo|ca|should|could|would|have|has|had|must|need)nt\b/g, "$1n't")
    .replace(/\b(that|there|what|here)s\b/g, "$1's")
    .replace(/\blets\b/g, "let's")
    .replace(/\b(i)(m|ve)\b(?! )/g, "$1'$2")
    .replace(/\bim\b/g, "i'm")
    .replace(/\bive\b/g, "i've")
    .replace(/\bbec(?:uase|asue|asuse|aus|ause)\b/g, 'because')
    .replace(/\bthoug(?:th|t|ht)\b/g, 'thought')
    .replace(/\bteh\b/g, 'the')
    .replace(/\b(?:pls|plz|pelase|plase|pleaes)\b/g, 'please')
}

/**
 * Removes words that only open a message, or the question that it answers, so that cues for the
 * beginning of a sentence match.
 */
export function withoutOpening(plain: string): string {
  return plain.replace(/^QUOTE ?: /, '').replace(opening, '')
}

const opening =
  /^(?:(?:ok|okay|k|yes|yeah|yep|yup|sure|alright|right|so|and|also|hey|hi|hello|oh|ah|ha|great|nice|cool|perfect|thanks|thank you|good|hmm+|hm|omfg|omg|wtf|dude|my dude|man|quick thing|one (?:more )?thing|q|btw|by the way|well|then|now|please|fucking hell)(?:[,.:!\s-]+|$))+/
