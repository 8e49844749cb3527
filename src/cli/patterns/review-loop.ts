// Interactive review: shows one pattern after the other and applies the user's decisions.
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import type { PracticeDraft } from '../../patterns/review/draft.ts'
import type { ReviewItem } from '../../patterns/review/queue.ts'
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

export async function reviewLoop(
  cards: readonly ReviewItem[],
  reviewer: Reviewer,
  { print, say }: Pick<Terminal, 'print' | 'say'>,
  showing: PatternDisplay,
): Promise<ReviewCounts> {
  const done: ReviewCounts = { approved: 0, rejected: 0, later: 0, left: cards.length }
  for (const [index, first] of cards.entries()) {
    let card = await reviewer.look(first)
    print(`\n${showing.style.dim(`${index + 1} of ${cards.length}`)}\n${cardText(card, showing)}\n`)
    for (let isOpen = true; isOpen; ) {
      const answer = await reviewer.ask(question)
      const [key = '', ...rest] = (answer ?? 'q').trim().split(/\s+/)
      const said = rest.join(' ')
      isOpen = false
      switch (key.toLowerCase()) {
        case 'a':
          isOpen = !(await tried(say, async () => {
            say(`Approved: ${await reviewer.approve(card)}`)
            done.approved++
            done.left--
          }))
          break
        case 'r':
        case 'l': {
          const verdict = key.toLowerCase() === 'r' ? 'rejected' : 'later'
          isOpen = !(await tried(say, () => reviewer.putOff(card, verdict, said)))
          if (isOpen) break
          done[verdict]++
          done.left--
          break
        }
        case 'e':
          isOpen = true
          await tried(say, async () => {
            card = await reviewer.look({ ...card, draft: await reviewer.edit(card) })
            print(`\n${cardText(card, showing)}\n`)
          })
          break
        case 'o':
          isOpen = true
          await tried(say, () => reviewer.open(exampleAt(card, said)))
          break
        case '':
          break
        case 'q':
          return done
        default:
          isOpen = true
          say(`Unknown key "${key}". Add a reason after r or l, a number after o.`)
      }
    }
  }
  return done
}

/** Prints a UserError and returns false, so that the question is asked again. */
async function tried(say: (text: string) => void, action: () => Promise<void>): Promise<boolean> {
  try {
    await action()
    return true
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    say(`${error.message}\n${error.hint}`)
    return false
  }
}

function exampleAt({ pattern: { examples } }: ReviewItem, said: string): string {
  const example = examples[said === '' ? 0 : Number(said) - 1]
  if (!example) throw new UserError(`No example ${said || 1}`, `The pattern has ${plural(examples.length, 'example')}.`)
  return example.seq === null ? example.session : `${example.session}#${example.seq}`
}
