// Recognises turns in which the user answers the agent, and the statements in an answer.

import { contentWordSet } from '../../text/content-words.ts'
import { type DialogueTurn, withoutMarkdown } from './dialogue.ts'
import { type ScoredSentence, threshold } from './score-sentences.ts'
import { type Sentence, withoutOpening } from './sentences.ts'

/** The agent asked or proposed something, and the answer states a rule. */
export function isAnchor(turn: DialogueTurn): boolean {
  if (!turn.said.some((one) => isStated(one) && laysDown(one))) return false
  return turn.offer !== '' && takesUp(turn)
}

/**
 * A sentence that answers the agent may score this much below the threshold: the question is
 * evidence for it.
 */
const firmness = 2.5

function laysDown({ sentence, features, score }: ScoredSentence): boolean {
  if (['orders', 'symptom', 'status'].some((name) => features.has(name))) return false
  if (trouble.test(sentence.plain) && score < threshold) return false
  const isWhole = withoutOpening(sentence.plain).split(' ').length >= 4
  return score >= (isWhole ? threshold - firmness : threshold + 0.5)
}

const trouble = /\b(?:fail(?:s|ed|ing|ures?)?|broken|crash(?:es|ed)?|errors?|(?:doesn't|not) work(?:ing)?|pops up)\b/

/**
 * An answer that states no rule by itself, or assent to the agent's wording. "Yes" to "shall I?" is
 * neither.
 */
export function isAnswer(turn: DialogueTurn): boolean {
  const { said, offer } = turn
  const isAsked = /\?\W*$/.test(offer)
  const saysMore = said.some(
    ({ sentence, features }) => withoutOpening(sentence.plain) !== '' && !features.has('orders'),
  )
  if (said[0] !== undefined && isAssent(said[0].sentence)) return !isAsked || saysMore
  return isAsked ? saysMore && said.length <= 5 : offer !== '' && takesUp(turn)
}

/**
 * Whether the user responds to the agent's question or proposal: with assent or refusal, with a
 * statement right after a question, or by naming the same things. A new task is an order or a
 * question.
 */
function takesUp({ said, before, offer }: DialogueTurn): boolean {
  const first = said[0]?.sentence.plain ?? ''
  if (answering.test(first)) return true
  if (said.length <= 3 && offer !== '' && said[0] !== undefined && isPlainly(said[0])) return true
  const named = contentWordSet(
    before
      .slice(-8)
      .map(({ text }) => text)
      .join(' '),
  )
  const shared = said.map(({ sentence }) => [...contentWordSet(sentence.text)].filter((word) => named.has(word)))
  if (new Set(shared.flat()).size >= 2) return true
  return said.some(({ features }, index) => shared[index]!.length > 0 && objects.some((name) => features.has(name)))
}

function isPlainly(one: ScoredSentence): boolean {
  return (
    isStated(one) &&
    !['orders', 'symptom', 'status', 'happened', 'aboutMe', 'weTask'].some((name) => one.features.has(name))
  )
}

/** Cues of sentences that correct something or set a limit. */
const objects = ['isNot', 'refuted', 'notWork', 'cannot', 'must', 'onlyWhen', 'never', 'always', 'because', 'tried']

const answering =
  /^(?:no|nope|not|almost|nearly|close(?=,)|yes|yeah|yep|exactly|right|correct|agreed|deliberately|never|neither|both|only|that part|option|hold on|that's only|(?:we|i)(?:'ve)? (?:already )?tried)(?=\W|$)|\btried (?:that|this|it|exactly that)\b/

export function isStated({ sentence, features }: ScoredSentence): boolean {
  const has = (...names: string[]) => names.some((name) => features.has(name))
  if (has('questionMark', 'canYou', 'trailsOff') || (has('asks') && !/^do (?:it|that|this)\b/.test(sentence.plain)))
    return false
  if (undecided.test(sentence.plain) || aside.test(sentence.plain) || ownPlan.test(sentence.plain)) return false
  return !(has('orders') && has('workflow'))
}

const undecided =
  /\b(?:maybe|perhaps|i guess|i wonder|might|not sure|unsure|what if|i suppose|somehow|could be|would be (?:nice|good|great))\b/
const aside =
  /\b(?:heads-up|unrelated|by the way|btw|speaking of|while you're (?:at it|in there)|flaky|ship it|thanks|thank you)\b/
const ownPlan =
  /^(?:(?:ok|okay|yes|yeah|right|sure)[,. ]+)*(?:i'll|i will|i'm going to|let me|will do|good to know|makes sense|got it|great|nice|cool)\b/

export function isAssent({ plain }: Sentence): boolean {
  return assent.test(plain)
}

const assent =
  /^(?:yes|yeah|yep|yup|exactly|right|correct|agreed|precisely|confirmed|perfect|that's (?:it|right|correct|exactly|the rule)|sounds (?:good|right))\b(?!.*\?\W*$)/

const maxAgreed = 400

/**
 * The agent's statement that the user agreed to: sentences that sum up the user's earlier words,
 * else the last ones.
 */
export function agreedStatement(turn: DialogueTurn, earlier: DialogueTurn[]): string {
  const own = contentWordSet(earlier.map(({ prompt }) => prompt).join(' '))
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

/** Share of the text's content words that are among the given ones. */
function shareOf(text: string, words: Set<string>): number {
  const own = [...contentWordSet(text)]
  return own.length < 3 ? 0 : own.filter((word) => words.has(word)).length / own.length
}

/** How the agent understood a short answer: its first statement about what was asked. */
export function agentInterpretation({ after, offer, prompt }: DialogueTurn): string {
  const asked = contentWordSet(`${offer} ${prompt}`)
  const taken = after
    .slice(0, 5)
    .find(({ text }) => text.length >= 25 && text.length <= 250 && !/\?\W*$/.test(text) && shareOf(text, asked) >= 0.25)
  return taken === undefined ? '' : `[agent: ${withoutMarkdown(taken.text)}]`
}
