// Turns the exchanges of a window into a dialogue: the user's sentences with their scores, and the
// agent's question or proposal before them.
import type { Learning } from '../../memory/memory.ts'
import { type PromptInContext, type ScoredSentence, scoreSentences } from './score-sentences.ts'
import { type Sentence, sentencesOf } from './sentences.ts'

export interface DialogueTurn {
  /** Index in the window. */
  exchange: number
  prompt: string
  said: ScoredSentence[]
  /** The agent's last question or plan before the prompt; empty if it only reported. */
  offer: string
  /** The agent's sentences before and after, without code. */
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

/**
 * An exchange is in several windows, so its turn is cached. The agent's texts are long and seldom
 * needed: they are split lazily.
 */
const turns = new WeakMap<PromptInContext, Omit<DialogueTurn, 'exchange'>>()

function turnOf(exchange: PromptInContext): Omit<DialogueTurn, 'exchange'> {
  let turn = turns.get(exchange)
  if (!turn) {
    const { before, prompt, after } = exchange
    const sentencesBefore = once(() => agentSentences(before.slice(-maxAgentText)))
    const offer = once(() => offerIn(sentencesBefore()))
    const sentencesAfter = once(() => agentSentences(after.slice(0, maxAgentText)))
    turn = {
      prompt,
      said: scoreSentences(exchange),
      get offer() {
        return offer()
      },
      get before() {
        return sentencesBefore()
      },
      get after() {
        return sentencesAfter()
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

/** Characters that are read of the agent's text. */
const maxAgentText = 4000

/** The last question or plan, if only a few sentences follow it. */
function offerIn(sentences: Sentence[]): string {
  const offered = sentences.slice(-6).filter(({ text, plain }) => /\?\W*$/.test(text) || plans.test(plain))
  return withoutMarkdown(offered.at(-1)?.text ?? '')
}

const plans =
  /^(?:simplest|cleanest|easiest|safest)\b|\b(?:i'll|i will|i'd|i would|i can|i could|i propose|i suggest|i recommend|i'm going to|my (?:plan|proposal|instinct|suggestion|recommendation)|we (?:could|should|can)|let's|then the (?:simplest|best)|the (?:simplest|cleanest|safest) (?:fix|way|option|approach|move))\b/

export function agentSentences(text: string): Sentence[] {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, '\n')
  const lines = [...prose.matchAll(/[^\n]+/g)].map(({ index, 0: line }) => ({ start: index, end: index + line.length }))
  return sentencesOf(prose, lines, '')
}

/** Removes Markdown marks, but not `2**10`. */
export function withoutMarkdown(text: string): string {
  return text.replace(/(?<!\w)\*\*|\*\*(?!\w)|^[#>\s*-]+/g, '').trim()
}
