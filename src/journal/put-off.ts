// Reads what the person put off for another time.
import { closingQuestion } from '../digest/reply-end.ts'
import { ownSentences, plainApostrophes, quoted } from './own-words.ts'
import { lastStatement, needsContext, questionInContext } from './question-context.ts'

/** `before` is the agent's last reply. What has no object there is left out. */
export function putOffIn(prompt: string, before: string): string[] {
  return ownSentences(plainApostrophes(prompt)).flatMap((sentence) => {
    if (sentence.length > 300 || /\?\W*$/.test(sentence) || !isPutOff(sentence)) return []
    if (!needsContext(sentence.replace(timeWords, ' '))) return quoted(sentence)
    const asked = closingQuestion(before)?.text
    const context = (asked && questionInContext(asked, before)) || lastStatement(before)
    return context === '' ? [] : `${context} ${quoted(sentence)}`
  })
}

export function isPutOff(sentence: string): boolean {
  return putsOff.test(sentence)
}

const putsOff =
  /\b(?:(?:leave|do|fix|handle|add|tackle|save|revisit|defer|postpone|address|come back to|worry about|deal with|look (?:at|into)|clean up|finish)\b[^.]{0,60}(?:(?<!\b(?:and|or) )\blater(?=\s*(?:[.,;!)]|$)|\s+(?:on|when|once|in|with)\b)|\b(?:tomorrow|next (?:time|week|session)|another (?:time|day|pr|session)|in a follow-?up(?: pr)?))|not now\b|for (?:another|a separate|a later|a future) (?:pr|session|day|time|exercise|change|release)|remind me\b|(?:^|\s)to-?do:)/i
const timeWords = /\b(?:later|tomorrow|future|another|separate|exercise|time|day|session|release|follow-?up)\b/gi
