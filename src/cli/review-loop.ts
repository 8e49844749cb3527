// Shows one item after the other, asks for a decision and applies it: the loop of all reviews. What
// the keys mean is up to the review.
import { UserError } from '../core/errors.ts'
import type { Terminal } from './terminal.ts'

export interface ReviewSteps<Item> {
  /** The item as it is now; undefined if there is nothing to decide about it any more. */
  look(item: Item): Promise<Item | undefined>
  card(item: Item): string
  question(item: Item): string
  /** Returns the answer; undefined when the user ends the input. */
  ask(question: string): Promise<string | undefined>
  /** Applies an answer: a key, and what was typed behind it. */
  answer(item: Item, key: string, rest: string): Promise<ReviewStep<Item>>
}

export type ReviewStep<Item> =
  /** Goes on; `follow` is shown before the rest. Only a decision can be gone back to. */
  | { kind: 'next'; isDecided: boolean; follow?: Item }
  /** Shows the item as it is now and asks again. */
  | { kind: 'again'; item: Item }
  /** Asks again. */
  | { kind: 'ask'; message?: string }
  /** Returns to the item that was decided last. */
  | { kind: 'back' }
  | { kind: 'quit' }

export async function reviewLoop<Item>(
  given: readonly Item[],
  steps: ReviewSteps<Item>,
  { print, say, style }: Pick<Terminal, 'print' | 'say' | 'style'>,
): Promise<void> {
  const items = [...given]
  const decided: number[] = []
  for (let index = 0; index < items.length; ) {
    const found: Item | undefined = await steps.look(items[index]!)
    if (found === undefined) {
      index++
      continue
    }
    let item: Item = found
    const show = (one: Item) => print(`\n${style.dim(`${index + 1} of ${items.length}`)}\n${steps.card(one)}\n`)
    show(item)
    for (let isOpen = true; isOpen; ) {
      const answer = await steps.ask(steps.question(item))
      if (answer === undefined) return
      const [key = '', ...rest] = answer.trim().split(/\s+/)
      const step = await attempt(say, () => steps.answer(item, key.toLowerCase(), rest.join(' ')))
      switch (step.kind) {
        case 'next':
          if (step.isDecided) decided.push(index)
          index++
          if (step.follow) items.splice(index, 0, step.follow)
          isOpen = false
          break
        case 'again':
          item = step.item
          show(item)
          break
        case 'ask':
          if (step.message) say(step.message)
          break
        case 'back':
          index = decided.pop() ?? index
          isOpen = false
          break
        case 'quit':
          return
        default:
          step satisfies never
      }
    }
  }
}

/** Prints a UserError, so that the question is asked again. */
async function attempt<Item>(
  say: (text: string) => void,
  action: () => Promise<ReviewStep<Item>>,
): Promise<ReviewStep<Item>> {
  try {
    return await action()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    say(`${error.message}\n${error.hint}`)
    return { kind: 'ask' }
  }
}
