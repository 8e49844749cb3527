// Finds the sentences with which the agent answered a prompt. Agents write several replies while
// they work; the last of a turn says what came out, and what it says is an answer without words
// such as "because".
import { contentWords } from '../text/content-words.ts'
import { type FunctionalSentence, isSpeculation } from '../text/sentence-function.ts'
import { turnEnd } from './confirmation.ts'
import { asksForCause, isAsked, mentionedWords, type QuestionIntent } from './question.ts'
import type { TalkMessage } from './sources.ts'

/** Strength of an answer; of a plain statement where a cause is asked for. */
export const answerStrength = 1.2
const statementStrength = 0.7

/**
 * Marks the sentences of a closing reply that may answer the question. Where a cause is asked for and
 * named, the other sentences do not.
 */
export function withAnswers(
  talk: TalkMessage[],
  index: number,
  sentences: FunctionalSentence[],
  { query, intent }: { query: string; intent: QuestionIntent },
): FunctionalSentence[] {
  if (!isAsked(intent) || talk[index]!.role !== 'assistant' || !closesTurn(talk, index)) return sentences
  if (asksForCause(intent) && sentences.some(({ function: part }) => part === 'cause')) return sentences
  const asked = mentionedWords(query)
  const strength = asksForCause(intent) ? statementStrength : answerStrength
  let stated = 0
  return sentences.map((sentence) => {
    if (!(intent === 'state' ? reports(sentence) : states(sentence)) || !addsTo(asked, sentence.text)) return sentence
    const isFirst = stated++ === 0
    return { ...sentence, function: 'answer', strength: strength * (isFirst ? firstFactor : 1) }
  })
}

/** An answer begins with what was asked for. */
const firstFactor = 1.3

/** The last reply of its turn that says something. */
export function closesTurn(talk: TalkMessage[], index: number): boolean {
  return talk.slice(index + 1, turnEnd(talk, index)).every(({ text }) => !hasWords(text, minClosingWords))
}

const minClosingWords = 5

/** Whether a text has at least so many content words, which its beginning mostly tells. */
function hasWords(text: string, least: number): boolean {
  const beginning = text.slice(0, beginningLength)
  // The last word may be cut off.
  if (contentWords(beginning).length > least) return true
  return contentWords(text).length >= least
}

const beginningLength = 300

function states({ function: part, text }: FunctionalSentence): boolean {
  if (part !== 'context' && part !== 'evidence') return false
  return contentWords(text).length >= minWords && !isSpeculation(text) && !reportsWork.test(text)
}

const minWords = 4

/** How far the work is. */
function reports({ function: part, text }: FunctionalSentence): boolean {
  return part !== 'question' && part !== 'retraction' && contentWords(text).length >= minWords
}

/** "Review complete.", "I updated the file.", "Commit pushed: …", "See app.ts.", "Here's my analysis." */
const reportsWork =
  /^(?:(?:all|both|everything|commit|branch|pr|review|work|current state|status|validation|tests?)\b.{0,80}\b(?:complete|clean|done|pass\w*|green|pushed|committed|merged|fixed)\b|(?:i|i've|we)(?: have| also| just)* (?:did not|didn't|updated|cleaned|pushed|committed|created|opened|filed|verified|checked|reviewed|read|ran|looked)\b|(?:pushed|committed|merged|filed|opened|closed|created|verified|checked|confirmed|reviewed)\b|see \S+$|here(?:'s| is| are)\b)/i

/** A sentence that only repeats the question is no answer. */
function addsTo(asked: ReadonlySet<string>, sentence: string): boolean {
  return contentWords(sentence).filter((word) => !asked.has(word)).length >= minNewWords
}

const minNewWords = 2
