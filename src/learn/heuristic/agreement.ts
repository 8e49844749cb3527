// "Exactly", "yes, do that": the person makes the agent's own statement theirs.

import { withoutMarkdown } from './agent-text.ts'
import type { Sentence } from './sentences.ts'
import { contentWords, type DialogueTurn } from './turns.ts'

export function isAssent({ plain }: Sentence): boolean {
  return assent.test(plain)
}

const assent =
  /^(?:yes|yeah|yep|yup|exactly|right|correct|agreed|precisely|confirmed|perfect|that's (?:it|right|correct|exactly|the rule)|sounds (?:good|right))\b(?!.*\?\W*$)/

const maxAgreed = 400

/** What was agreed to: the sentences in which the agent put the person's earlier words together, else what it said last. */
export function agreedStatement(turn: DialogueTurn, earlier: DialogueTurn[]): string {
  const own = contentWords(earlier.map(({ prompt }) => prompt).join(' '))
  const stated = turn.before.filter(({ text }) => !/\?\W*$/.test(text) && text.length >= 25 && text.length <= maxAgreed)
  const restated = stated
    .filter(({ text }) => shareOf(text, own) >= 0.4)
    .sort((a, b) => shareOf(b.text, own) - shareOf(a.text, own))
    .slice(0, 2)
    .sort((a, b) => a.start - b.start)
  const agreed = restated.length > 0 ? restated : /\?\W*$/.test(turn.offer) ? [] : stated.slice(-2)
  const text = agreed.map(({ text }) => withoutMarkdown(text)).join(' ')
  return (text === '' ? turn.offer : text).slice(0, maxAgreed)
}

/** How much of a text is made of given words. */
export function shareOf(text: string, words: Set<string>): number {
  const own = [...contentWords(text)]
  return own.length < 3 ? 0 : own.filter((word) => words.has(word)).length / own.length
}

/** How the agent took a short answer: its first statement that speaks of what was asked. */
export function agentInterpretation({ after, offer, prompt }: DialogueTurn): string {
  const asked = contentWords(`${offer} ${prompt}`)
  const taken = after
    .slice(0, 5)
    .find(({ text }) => text.length >= 25 && text.length <= 250 && !/\?\W*$/.test(text) && shareOf(text, asked) >= 0.25)
  return taken === undefined ? '' : `[agent: ${withoutMarkdown(taken.text)}]`
}
