// Finds what did not hold in a talk: causes after which the problem was still there or another one
// was confirmed, and fixes that were replaced by a later one.
import { contentWords } from '../text/content-words.ts'
import type { FunctionalSentence } from '../text/sentence-function.ts'
import { type QuotedPiece, typedSentences } from './argument.ts'
import { type SpokenSentences, turnEnd } from './confirmation.ts'
import type { TalkMessage } from './sources.ts'

interface Explained {
  /** Of the message in the talk. */
  index: number
  pieces: readonly QuotedPiece[]
  isConfirmed: boolean
}

/** Explanations without those that a later one on the same subject refutes. `shareOf` measures the subject. */
export function withoutRefuted<T extends Explained>(
  talk: TalkMessage[],
  found: T[],
  shareOf: (text: string) => number,
): T[] {
  const placed = found.map((one) => ({
    one,
    names: one.pieces.some(({ part }) => part === 'cause'),
    share: Math.max(...one.pieces.map(({ text }) => (refersBack.test(text) ? 1 : shareOf(text)))),
  }))
  const isRefuted = (earlier: (typeof placed)[number]) =>
    placed.some((later) => {
      if (later.one.index <= earlier.one.index || later.share < earlier.share / 2) return false
      // A change says nothing about the cause.
      if (earlier.names && !later.names) return false
      if (persists(talk, earlier.one, later.one, shareOf)) return true
      if (!earlier.names || !later.one.isConfirmed) return false
      const between = talk.slice(earlier.one.index, later.one.index).flatMap(({ signals = [] }) => signals)
      return !earlier.one.isConfirmed || between.findLast((one) => one.startsWith('tests')) === 'tests failed'
    })
  return placed.filter((one) => !isRefuted(one)).map(({ one }) => one)
}

const refersBack = /^(?:it|it's|this|that|that's|they)\b/i

/** The agent or the person says between the two that the problem is still there. */
function persists(
  talk: TalkMessage[],
  earlier: Explained,
  later: Explained,
  shareOf: (text: string) => number,
): boolean {
  return talk.slice(earlier.index, later.index + 1).some(({ text, role }, place) => {
    const said = (place === 0 ? textAfter(text, earlier) : text).slice(0, maxRead)
    if (!stillThere.test(said)) return false
    if (role === 'user') return text.length <= maxPrompt && shareOf(text) > 0
    return said.split(/(?<=[.!?])\s+|\n/).some((sentence) => stillThere.test(sentence) && !isCheck.test(sentence))
  })
}

/** '' if the explanation does not stand there literally. */
function textAfter(message: string, { pieces }: Explained): string {
  const ends = pieces.flatMap(({ text }) => (message.includes(text) ? message.indexOf(text) + text.length : []))
  return ends.length === 0 ? '' : message.slice(Math.max(...ends))
}

const maxRead = 4000
const maxPrompt = 600
const stillThere =
  /\bstill (?:takes?|fail\w*|slow|flaky|broken|happen\w*|occurs?|crash\w*|hangs?|lost|there|the same|gets?|shows?|wrong|leaks?|times? out|red)\b|\b(?:did|does)(?: not|n't) (?:help|fix|change|solve|make (?:a|any) difference)\b|\bno (?:effect|improvement|difference)\b/i
/** The test of a fix is to fail without it. */
const isCheck = /\b(?:without|before|as expected|on main|if|would)\b/i

export interface LastFix {
  said: TalkMessage
  sentence: FunctionalSentence
}

/** What a fix was replaced by in the end, itself if it was not, null if nobody says what came instead. */
export function lastFix(
  talk: TalkMessage[],
  spoken: SpokenSentences,
  index: number,
  sentence: FunctionalSentence,
): LastFix | null {
  for (let at = index + 1; at < talk.length; at++) {
    if (talk[at]!.role === 'user') {
      if (at !== turnEnd(talk, index) || !asksForOther(talk[at]!.text)) continue
      const next = fixesBetween(talk, spoken, at, turnEnd(talk, at)).at(-1)
      return next === undefined ? null : lastFix(talk, spoken, next.at, next.sentence)
    }
    if (!mayReplace.test(talk[at]!.text)) continue
    const next = spoken(at).find((later) => replaces(later, sentence, talk[index]!.text))
    if (next !== undefined) return lastFix(talk, spoken, at, { ...next, function: 'fix' })
  }
  return { said: talk[index]!, sentence }
}

/** "Use fake timers instead.", "That only hides it." */
function asksForOther(prompt: string): boolean {
  return prompt.length <= maxPrompt && typedSentences(prompt).some((sentence) => otherWanted.test(sentence))
}

const otherWanted = /\binstead\b(?! of)|\b(?:only|just) (?:hides|masks|papers over)\b|\bnot a (?:real |proper )?fix\b/i

function fixesBetween(talk: TalkMessage[], spoken: SpokenSentences, from: number, to: number) {
  return talk.slice(from + 1, to).flatMap((_, place) =>
    spoken(from + 1 + place)
      .filter(({ function: part }) => part === 'fix')
      .map((sentence) => ({ at: from + 1 + place, sentence })),
  )
}

/** The later sentence names what it replaced or took out, and the fix has most of these words. */
function replaces({ function: part, text }: FunctionalSentence, fix: FunctionalSentence, message: string): boolean {
  if (part !== 'fix' && part !== 'context') return false
  const [own, near] = [new Set(contentWords(fix.text)), new Set(contentWords(message))]
  return [...text.matchAll(replaced)].some(({ 1: what = '', 2: where = '' }) => {
    const words = contentWords(what)
    const places = contentWords(where)
    const shared = words.filter((word) => own.has(word)).length
    return shared > 0 && shared * 2 >= words.length && (places.length === 0 || places.some((word) => near.has(word)))
  })
}

/** "The queue is dropped" tells what happened. */
const verbs =
  '(?<!(?:is|are|was|were|been|gets?|got) )(?:replaced|reverted|undid|removed|dropped|took out|backed out|rolled back|discarded|instead of|rather than)'
const mayReplace = new RegExp(String.raw`\b${verbs}\b`, 'i')
/** What was replaced, and where. */
const replaced = new RegExp(
  String.raw`\b${verbs} (?:the |that |this |our |my |a |an )*([^.,;:]{1,80}?)(?: (?:with|by|for|and|again|since|because|so)\b[^.,;:]*?)?(?: (?:from|in) ([^.,;:]+))?(?=[.,;:]|$)`,
  'gi',
)
