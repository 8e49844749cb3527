// What a session left to do, from how it ended and what was said. An unknown outcome leaves nothing
// open: nobody said that something is missing.
import { plural } from '../core/units.ts'
import type { Digest } from '../digest/digest.ts'
import type { EntryInputs } from './inputs.ts'
import { plainApostrophes } from './own-words.ts'
import { firstSentences, statementsOf } from './prose.ts'
import { questionInContext } from './question-context.ts'

/** How a session, or a day of it, ended. */
export type SessionEnding = Pick<EntryInputs, 'digest' | 'isTested' | 'isTakenUp' | 'putOff' | 'lastReply'> & {
  segment: Pick<EntryInputs['segment'], 'nextDay'>
}

export function openItems({ segment, digest, isTested, isTakenUp, putOff, lastReply }: SessionEnding): string[] {
  const items =
    segment.nextDay === null
      ? [...(isTakenUp ? [] : ending(digest, isTested)), ...unfinishedIn(lastReply), ...closingWords(digest, lastReply)]
      : []
  return [...new Set([...withoutRepeated(items), ...putOff])]
}

/** A question that stands with the sentence before it may repeat one that is told alone. */
function withoutRepeated(items: readonly string[]): string[] {
  return items.filter(
    (item, at) => !items.some((other, place) => place !== at && other !== item && other.includes(item)),
  )
}

/** The question or the offer that the session ended with. */
function closingWords({ question }: Digest, lastReply: string): string[] {
  return question === '' ? [] : [questionInContext(question, lastReply) || firstSentences(question, 320)]
}

/** What the last reply names as not done. */
export function unfinishedIn(reply: string): string[] {
  return statementsOf(plainApostrophes(reply))
    .filter((sentence) => sentence.length <= 300 && namesRest.test(sentence) && !isDone.test(sentence))
    .slice(0, 3)
}

const doneWords =
  '(?:done|implemented|tested|verified|fixed|covered|pushed|committed|merged|wired|supported|answered|deployed|published)'
const namesRest = new RegExp(
  [
    String.raw`\b(?:remaining (?:work|tasks?|items?|steps?|issues?|todos?)|still (?:to do|open|missing|need(?:s|ed)?|pending|outstanding|fail(?:s|ing)?|broken|uncommitted|unanswered))\b`,
    String.raw`\b(?:not|isn't|aren't|wasn't|weren't|haven't|hasn't)(?: been)?(?: yet)?(?: been)? ${doneWords}\b`,
    String.raw`\b(?:not|nothing)(?: \w+)? (?:yet )?${doneWords} yet\b|^nothing (?:is |was |has been )?(?:committed|pushed|merged)\b`,
    String.raw`\b(?:(?:is|are|left|remains?) (?:uncommitted|unpushed|unstaged|unmerged)|left (?:to do|open|for later))\b`,
    String.raw`\b(?:next steps?(?: is| are|:)|follow-?ups?(?: is| are|:| pr)|todo:|deferred|postponed|you(?:'ll| will)? still need to|you(?:'ll| will)? need to (?:run|restart|rebuild|reload|install|set|push|merge|log in|redeploy|migrate))\b`,
  ].join('|'),
  'i',
)
const isDone =
  /\b(?:no|nothing|none|without|zero) (?:\w+ )?(?:remaining|left|open|pending|outstanding|longer|still|uncommitted)\b|\bno (?:follow|next|remaining)|\?$/i

function ending(digest: Digest, isTested: boolean | undefined): string[] {
  const { outcome, because, tests, thread } = digest
  switch (outcome) {
    case 'success':
    case 'unknown':
      return []
    case 'waiting':
      return digest.question ? [] : ['The agent asked a question that has no answer.']
    case 'open':
    case 'fail':
    case 'abandoned':
      if (isTested === false && tests.lastFailed > 0) return [`${plural(tests.lastFailed, 'test')} failed.`]
      if (unansweredReasons.has(because)) return unanswered(thread.at(-1)?.text ?? '')
      return [unfinished(digest, endings[because])]
    default:
      return outcome satisfies never
  }
}

/** Reasons of outcomes that mean that the agent did not answer. */
export const unansweredReasons: ReadonlySet<string> = new Set([
  'the last prompt has no answer',
  'the agent never answered',
])

/** Reasons of outcomes that read better in another way here. */
const endings: Readonly<Record<string, string>> = {
  'a usage limit was reached': 'it stopped at a usage limit',
  'the last tool call has no result': 'it ended while a tool was running',
  'ended in the middle of work': 'it ended in the middle of the work',
  'stopped by the user': 'you stopped the agent',
  'the user gave up': 'you gave up on it',
  'the last prompt is a correction': 'your last correction has no answer',
  'the user said that it does not work, and nothing was changed since':
    'you said that it does not work, and nothing was changed since',
}

/** Names the last request, unless it is the only one, which the title tells. */
function unfinished({ thread, because, outcome }: Digest, ending = because): string {
  const request = firstSentences(thread.at(-1)?.text ?? '', 160).replace(/[.!]$/, '')
  const isNamed = outcome === 'open' && thread.length > 1 && request.length > minRequest
  return isNamed ? `“${request}” is not finished: ${ending}.` : sentence(ending)
}

/** Shorter ones ("continue") do not say what was asked. */
const minRequest = 12

function unanswered(prompt: string): string[] {
  const text = firstSentences(prompt, 160)
  return text === '' ? [] : [`No answer to: “${text}”`]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
