// Builds one statement that can be read alone: whole sentences in the user's own words, with the
// neighbour that explains them, without words that only open a message.
import { maxMemoryLength } from '../../memory/memory.ts'
import type { Span } from '../../text/human-text.ts'
import { requestLength } from './requests.ts'
import type { ScoredSentence } from './score-sentences.ts'
import { type Sentence, withoutOpening } from './sentences.ts'

export interface SentenceGroup {
  /** The sentence with the highest score. */
  best: ScoredSentence
  /** Consecutive sentences. */
  sentences: Sentence[]
}

/** Sentences that are read together: parts of one sentence, and a sentence with what explains it. */
export function groupSentences(prompt: string, scored: (ScoredSentence & { isKept: boolean })[]): SentenceGroup[] {
  const groups: { from: number; to: number; best: ScoredSentence }[] = []
  for (const [index, one] of scored.entries()) {
    if (!one.isKept) continue
    let [from, to] = [index, index]
    while (from > 0 && belongsTo(prompt, scored[from - 1]!, scored[from]!)) from--
    while (to + 1 < scored.length && belongsTo(prompt, scored[to]!, scored[to + 1]!)) to++
    if (lengthOf(scored, from, to) > maxMemoryLength) [from, to] = [index, index]
    const last = groups.at(-1)
    if (last === undefined || last.to < from) groups.push({ from, to, best: one })
    else {
      last.to = Math.max(last.to, to)
      if (one.score > last.best.score) last.best = one
    }
  }
  return groups.map(({ from, to, best }) => ({
    best,
    sentences: scored.slice(from, to + 1).map(({ sentence }) => sentence),
  }))
}

function lengthOf(scored: ScoredSentence[], from: number, to: number): number {
  return scored[to]!.sentence.unit.end - scored[from]!.sentence.unit.start
}

/** Whether the second of two neighbours cannot be understood without the first, or the reverse. */
function belongsTo(prompt: string, first: ScoredSentence, { sentence }: ScoredSentence): boolean {
  const { unit } = first.sentence
  if (unit.start === sentence.unit.start) return true
  if (!isNear(prompt, unit, sentence.unit)) return false
  if ([first.sentence, sentence].some(({ text }) => /[?？]\W*$/.test(text))) return false
  if (lengthOfUnit(first.sentence) > maxNeighbour || lengthOfUnit(sentence) > maxNeighbour) return false
  // "Don't mock it. Mock the client instead." Half of a correction is misleading.
  return leansBack.test(withoutOpening(sentence.plain)) || isRejection(first)
}

function isRejection({ sentence, features }: ScoredSentence): boolean {
  if (lengthOfUnit(sentence) > maxRejection) return false
  return rejects.test(withoutOpening(sentence.plain)) || (features.has('no') && features.has('refuted'))
}

/** Characters of a sentence that only says what is wrong. */
const maxRejection = 80
/** Characters of a sentence that is added to another. */
const maxNeighbour = 300

function lengthOfUnit({ unit }: Sentence): number {
  return unit.end - unit.start
}

function isNear(prompt: string, a: Span, b: Span): boolean {
  return b.start >= a.end && !/\S|\n\s*\n/.test(prompt.slice(a.end, b.start))
}

const leansBack =
  /^(?:that's|that is|it|it's|its|this|this is|these|those|they|they're|them|that (?:would|will|can|way|means|makes|breaks)|otherwise|because|since|so that|then|instead|like|which|same (?:for|with|goes)|the reason|e\.g\.|for example|both|neither)(?= |,|$)/

const rejects = /^(?:no|nope|wrong|not|don't|do not|never|stop|(?:that's|that is|this is|it's) (?:not|wrong))\b/

export interface ExtractedStatement {
  text: string
  /** Offsets in the prompt. */
  start: number
  end: number
}

export function statementOf(prompt: string, sentences: Sentence[]): ExtractedStatement {
  let { start } = sentences[0]!.unit
  let { end } = sentences.at(-1)!.unit
  const lead = leadLength(prompt.slice(start, end))
  start += lead
  if (prompt[start] === '(' && prompt[end - 1] === ')') {
    start += 1
    end -= 1
  }
  const text = prompt.slice(start, end).replace(/\s+/g, ' ').trim()
  return { text: lead > 0 ? capitalized(text) : text, start, end }
}

/** Not a name in code: `useEffect`, `npm`. */
function capitalized(text: string): string {
  return /^[a-zà-öø-ÿа-яё]+(?:['’][a-z]+)?[\s,]/u.test(text) && !/^(?:npm|pnpm|git|yarn|npx|sudo)\b/.test(text)
    ? text[0]!.toUpperCase() + text.slice(1)
    : text
}

/** Length of words that only open a message. */
function leadLength(raw: string): number {
  let at = 0
  for (;;) {
    const rest = raw.slice(at)
    const found = [requestLength(rest), ...leads.map((lead) => lead.exec(rest)?.[0].length ?? 0)].find(
      (length) => length > 0 && length < rest.length - minStatement,
    )
    if (found === undefined) return at
    at += found
  }
}

const minStatement = 8

const leads = [
  /^(?:no|nope|nah|yes|yeah|yep|yup|ok(?:ay)?|sure|alright|so|right|well|now|then|great|nice|cool|perfect|good|thanks|thank you|hey|hi|hello|oh|ah|wait|actually|however|man|dude|my dude|omfg|omg|hm+|fyi|btw|by the way|also|quick thing|context|clarification|exactly|correct|wrong|q|nein|ja|also gut|non|oui|d'accord|sí|vale|não|sim|sì|нет|да|ладно|хорошо)(?:\s*[,.:!;]+\s*|\s+[-–—]\s+)/iu,
  /^(?:ok(?:ay)?|yes|yeah|yep|yup|also|and|but|so(?! that)|btw|no(?= (?:don't|do not|never|we|it|it's|that's|this|the|you|i|i'm|they|there|use)\b))\s+/i,
  /^(?:不对|不是|不，|错了|いいえ|いや|아니요?|아뇨)[，,、。.]\s*/u,
  /^i (?:forgot to (?:tell you|mention|say)|just wanted to say)[,:]\s+/i,
  /^(?:i (?:think|believe) )?(?:this|that)(?:'s| is) (?:an? )?(?:good|fair|valid|great) (?:point|feedback|idea|question|catch), /i,
]

/** The reason that a text gives, in its own words. */
export function reasonIn(text: string): string | null {
  const first = /^(?:given that|since|because)\b[^,]{8,200}(?=,)/i.exec(text)?.[0]
  return (first ?? inner.exec(text)?.[0] ?? null)?.trim() ?? null
}

const inner =
  /\b(?:because|since|given that|so that|otherwise|or else|due to|as (?:it|we|they|the)|to (?:avoid|prevent|be consistent))\b[^.!?]{8,300}/i
