// The exchanges of a window as turns of a talk: what the person said, sentence by sentence, and what the agent had put to them.
import type { Learning } from '../../memory/memory.ts'
import { type PromptInContext, type ScoredSentence, scoreSentences } from './score-sentences.ts'
import { type Sentence, sentencesOf } from './sentences.ts'

export interface DialogueTurn {
  /** Its place in the window. */
  exchange: number
  prompt: string
  said: ScoredSentence[]
  /** What the agent put to the person before: its last question or plan; '' where it only reported. */
  offer: string
  /** What the agent said before and after, sentence by sentence, without code. */
  before: Sentence[]
  after: Sentence[]
}

/** A learning that several exchanges show together. */
export interface WindowLearning {
  /** Index of the exchange whose prompt contains the quote. */
  exchange: number
  learning: Learning
}

export function turnsOf(exchanges: PromptInContext[]): DialogueTurn[] {
  return exchanges.map(
    (exchange, place) => Object.create(turnOf(exchange), { exchange: { value: place } }) as DialogueTurn,
  )
}

/** The same for every window that an exchange is in. The agent's words are long, and most of them are never looked at. */
const turns = new WeakMap<PromptInContext, Omit<DialogueTurn, 'exchange'>>()

function turnOf(exchange: PromptInContext): Omit<DialogueTurn, 'exchange'> {
  let turn = turns.get(exchange)
  if (!turn) {
    const { before, prompt, after } = exchange
    const heard = once(() => agentSentences(before.slice(-maxHeard)))
    const offer = once(() => offerIn(heard()))
    const answered = once(() => agentSentences(after.slice(0, maxHeard)))
    turn = {
      prompt,
      said: scoreSentences(exchange),
      get offer() {
        return offer()
      },
      get before() {
        return heard()
      },
      get after() {
        return answered()
      },
    }
    turns.set(exchange, turn)
  }
  return turn
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** What is looked at of the agent's words. */
const maxHeard = 4000

/** The last question or plan, if nothing but a few words follow it. */
function offerIn(heard: Sentence[]): string {
  const offered = heard.slice(-6).filter(({ text, plain }) => /\?\W*$/.test(text) || plans.test(plain))
  return withoutMarkdown(offered.at(-1)?.text ?? '')
}

const plans =
  /^(?:simplest|cleanest|easiest|safest)\b|\b(?:i'll|i will|i'd|i would|i can|i could|i propose|i suggest|i recommend|i'm going to|my (?:plan|proposal|instinct|suggestion|recommendation)|we (?:could|should|can)|let's|then the (?:simplest|best)|the (?:simplest|cleanest|safest) (?:fix|way|option|approach|move))\b/

// What the agent wrote, sentence by sentence, without code and without the marks of Markdown.

export function agentSentences(text: string): Sentence[] {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, '\n')
  const lines = [...prose.matchAll(/[^\n]+/g)].map(({ index, 0: line }) => ({ start: index, end: index + line.length }))
  return sentencesOf(prose, lines, '')
}

/** Without the marks of Markdown; `2**10` is none. */
export function withoutMarkdown(text: string): string {
  return text.replace(/(?<!\w)\*\*|\*\*(?!\w)|^[#>\s*-]+/g, '').trim()
}
