// Interactive review of patterns: the keys, and what they decide.
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import type { PracticeDraft } from '../../patterns/review/draft.ts'
import type { ReviewItem } from '../../patterns/review/queue.ts'
import { type ReviewStep, reviewLoop } from '../review-loop.ts'
import type { Terminal } from '../terminal.ts'
import { cardText, type PatternDisplay } from './pattern-text.ts'

export interface Reviewer {
  /** Returns the card with its current warnings. */
  look(card: ReviewItem): Promise<ReviewItem>
  /** Returns the answer; undefined when the user ends the input. */
  ask(question: string): Promise<string | undefined>
  approve(card: ReviewItem): Promise<string>
  putOff(card: ReviewItem, verdict: 'rejected' | 'later', note: string): Promise<void>
  /** Opens the draft in an editor and returns the result. */
  edit(card: ReviewItem): Promise<PracticeDraft>
  open(example: string): Promise<void>
}

export interface ReviewCounts {
  approved: number
  rejected: number
  later: number
  /** Patterns without a decision. */
  left: number
}

const question = '[a]pprove  [r]eject  [e]dit  [l]ater  [o]pen example  [Enter] next  [q]uit > '

export async function reviewPatterns(
  cards: readonly ReviewItem[],
  reviewer: Reviewer,
  terminal: Pick<Terminal, 'print' | 'say'>,
  showing: PatternDisplay,
): Promise<ReviewCounts> {
  const done: ReviewCounts = { approved: 0, rejected: 0, later: 0, left: cards.length }
  const count = (verdict: 'approved' | 'rejected' | 'later'): ReviewStep<ReviewItem> => {
    done[verdict]++
    done.left--
    return { kind: 'next', isDecided: true }
  }
  const answer = async (card: ReviewItem, key: string, rest: string): Promise<ReviewStep<ReviewItem>> => {
    switch (key) {
      case 'a':
        terminal.say(`Approved: ${await reviewer.approve(card)}`)
        return count('approved')
      case 'r':
      case 'l': {
        const verdict = key === 'r' ? 'rejected' : 'later'
        await reviewer.putOff(card, verdict, rest)
        return count(verdict)
      }
      case 'e':
        return { kind: 'again', item: await reviewer.look({ ...card, draft: await reviewer.edit(card) }) }
      case 'o':
        await reviewer.open(exampleAt(card, rest))
        return { kind: 'ask' }
      case '':
        return { kind: 'next', isDecided: false }
      case 'q':
        return { kind: 'quit' }
      default:
        return { kind: 'ask', message: `Unknown key "${key}". Add a reason after r or l, a number after o.` }
    }
  }
  const card = (one: ReviewItem) => cardText(one, showing)
  const { look, ask } = reviewer
  await reviewLoop(cards, { look, card, question: () => question, ask, answer }, { ...terminal, style: showing.style })
  return done
}

function exampleAt({ pattern: { examples } }: ReviewItem, said: string): string {
  const example = examples[said === '' ? 0 : Number(said) - 1]
  if (!example) throw new UserError(`No example ${said || 1}`, `The pattern has ${plural(examples.length, 'example')}.`)
  return example.seq === null ? example.session : `${example.session}#${example.seq}`
}
