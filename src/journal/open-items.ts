// What a session left to do, from how it ended and what was said. An unknown outcome leaves nothing
// open: nobody said that something is missing.
import { plural } from '../core/units.ts'
import type { Digest } from '../digest/digest.ts'
import type { EntryInputs } from './inputs.ts'
import { firstSentences, statementsOf } from './prose.ts'
import { unfinishedIn } from './statements.ts'

export function openItems({ segment, digest, isTested, statements, lastReply }: EntryInputs): string[] {
  const items =
    segment.nextDay === null
      ? [...ending(digest, isTested), ...waitingQuestion(digest, lastReply), ...unfinishedIn(lastReply)]
      : []
  return [...new Set([...items, ...statements.putOff])]
}

/** An offer after finished work is not left open. A question about "it" needs what stands before it. */
function waitingQuestion({ outcome, question }: Digest, lastReply: string): string[] {
  if (outcome !== 'waiting' || question === '') return []
  const asked = firstSentences(question, 320)
  if (!/\b(?:it|them|these|those|both)\b|\b(?:this|that)\?/i.test(asked)) return [asked]
  const statements = statementsOf(lastReply)
  const before = statements[statements.findLastIndex((text) => text.includes(asked)) - 1] ?? ''
  return [before.length > 0 && before.length <= 240 && !before.endsWith('?') ? `${before} ${asked}` : asked]
}

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
      if (because === 'the last prompt has no answer' || because === 'the agent never answered')
        return unanswered(thread.at(-1)?.text ?? '')
      return [unfinished(digest, endings[because])]
    default:
      return outcome satisfies never
  }
}

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
