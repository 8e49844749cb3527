// Chooses between two wordings of one statement: the clearer one, if it says all that the other says.
import { sharedCount } from '../text/similarity.ts'
import { readStatement } from './reading.ts'

/** Whether `other` says at least the same as `text`, and more or more clearly. */
export function isClearer(other: string, text: string): boolean {
  const [mine, theirs] = [termSetOf(other), termSetOf(text)]
  if (sharedCount(mine, theirs) < theirs.size) return false
  const gain = clarity(other) - clarity(text)
  return mine.size > theirs.size ? gain >= 0 : gain > 0
}

function termSetOf(text: string): Set<string> {
  const { asserted, rejected } = readStatement(text)
  return new Set([...asserted, ...rejected])
}

/** Higher for whole sentences that name their subject and say why. */
function clarity(text: string): number {
  const said = text.trim()
  const isSentence = /^[\p{Lu}\p{N}`"]/u.test(said) && said.split(/\s+/).length >= 3
  return (
    (isSentence ? 1 : 0) +
    (reason.test(said) ? 2 : 0) -
    (needsContext(said) ? 2 : 0) -
    (isReply.test(said) ? 1 : 0) -
    (/[?？]|!!|\.\.\.|…/.test(said) ? 1 : 0) -
    (said.length > maxClearLength ? 1 : 0)
  )
}

const reason = /\b(?:because|since|so that|otherwise|due to|as (?:it|they)|weil|damit|parce que|porque)\b/i

/** Whether a statement is about something that was named before it. */
export function needsContext(text: string): boolean {
  return contextWords.test(text)
}

const contextWords =
  /^(?:it|that|this|these|those|they|he|she|there)\b|\b(?:as i said|like before|the above|this one)\b/i

/** Words of a conversation, not of a rule. */
const isReply =
  /^(?:no|nope|yes|yeah|ok|okay|well|so|hmm|hm|actually|and|but|also|scratch that|sorry|please|again)\b|\b(?:any ?more|from now on|again)\s*[.!]*$/i

const maxClearLength = 300
