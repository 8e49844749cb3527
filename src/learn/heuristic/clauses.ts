// People write on without a full stop: a task, a comma, and then the reason or the rule. Where the first half only asks or
// orders, the second half is read as a sentence of its own.

import type { Span } from '../../text/human-text.ts'
import { cues } from './cues.ts'
import { plainForm, withoutOpening } from './plain.ts'

const clauseBorder =
  /(?:,|\s+but|\s+-)\s+(?:but )?(?=(?:it|it's|we|we're|i|i'm|i've|that's|this is|they|they're|there|there's|you|don't|do not|never|always|no need|because|since|otherwise|make sure|the|our|my)\b)/gi

export function clausesOf(prompt: string, sentence: Span): Span[] {
  const text = prompt.slice(sentence.start, sentence.end)
  if (text.length < 30 || text.length > 700) return [sentence]
  for (const { index, 0: mark } of text.matchAll(clauseBorder)) {
    if (index < 8 || text.length - index - mark.length < 15) continue
    const head = withoutOpening(plainForm(text.slice(0, index)))
    const isAskedWhole = /\?\W*$/.test(text) && /^(?:because|since|otherwise)\b/i.test(text.slice(index + mark.length))
    if (!onlyAsks(head) || isAskedWhole) return [sentence]
    return [
      { start: sentence.start, end: sentence.start + index },
      { start: sentence.start + index + mark.length, end: sentence.end },
    ]
  }
  return [sentence]
}

function onlyAsks(head: string): boolean {
  return [cues.orders!, cues.asks!, cues.canYou!, /^you can\b/].some((cue) => cue.test(head))
}
