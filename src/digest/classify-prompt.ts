// Classifies prompts by their opening words, because words in the middle may come from a pasted
// log.
import { truncate } from '../text/truncate.ts'

/** Opening words of a correction. */
const corrective =
  /^(?:no+(?:[,.!\s]|$)|nope\b|wrong\b|incorrect\b|stop\b(?! ?words)|undo\b|revert\b|wait[,.!\s]|hmm,? no\b|that(?:'s| is| was)? ?(?:not|wrong|incorrect|isn't|broke)|this is(?:n't| not| wrong)|it(?:'s| is)? (?:still|not|doesn't|didn't|broke|fails)|(?:it|that|this) (?:still )?(?:does|did)(?:n't| not) (?:work|help|fix)|still (?:not|fail|broken|wrong|the same|getting|doesn't|does not|seeing)|not (?:what|like|that|quite)|i (?:said|meant|asked|told you|didn't ask|did not ask)|you (?:forgot|missed|broke|ignored|misunderstood|didn't|did not|shouldn't|should not|should have|were supposed|removed|deleted)|don't\b|do not\b|never\b|why did you|actually[,\s]|instead[,\s]|rather than|please (?:don't|do not|revert|undo|stop))/i

/** Opening words of an approval. */
const approving =
  /^(?:thanks|thank you|thx|ty\b|perfect|great|nice|awesome|excellent|lovely|looks? good|lgtm|works?(?: now| great| well| perfectly)?[.!\s]*$|it works|that works|that worked|good job|well done|yes[,!. ]+(?:perfect|great|thanks|that)|ship it|merged?\b|all good|done[.!\s]*$|cool[.!,\s]*(?:thanks)?)/i

export type SpeechAct = 'correction' | 'approval' | 'other'

export function speechAct(prompt: string): SpeechAct {
  const start = prompt.trim().slice(0, 300)
  if (corrective.test(start)) return 'correction'
  // Praise followed by another task is not a final approval.
  return approving.test(start) &&
    prompt.trim().length < 200 &&
    !/\b(?:but|however|now (?:please|let|can|do)|next)\b/i.test(start)
    ? 'approval'
    : 'other'
}

/** Whether a prompt only checks that the agent responds. */
export function isHealthCheck(prompt: string): boolean {
  const said = prompt
    .trim()
    .toLowerCase()
    .replace(/["'`.!?]+/g, '')
  return /^(?:hi|hello|hey|ping|test|testing|ok|yo|hello world|are you there|what model are you|say (?:ok|hi|hello|pong|yes)|reply (?:with )?(?:ok|pong|hi|yes|exactly .{1,20})|(?:please )?respond with .{1,20}|1\s*\+\s*1|2\s*\+\s*2)$/.test(
    said,
  )
}

/** Title of a session: the first words of the prompt. */
export function titleOf(prompt: string): string {
  const line = prompt
    .split('\n')
    .map((text) => text.replace(/^[#>*\-\s]+/, '').trim())
    .find((text) => text !== '' && !/^```/.test(text) && !/^\[image/.test(text))
  if (!line) return ''
  return line.length <= 80 ? line : `${truncate(line, 79).replace(/\s+\S*$/, '')}…`
}
