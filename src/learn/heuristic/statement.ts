// Builds one statement from the sentences that passed: the user's own words without greeting, task
// and question.
import { maxMemoryLength } from '../../memory/memory.ts'
import { memoryRequest } from './features.ts'
import type { Sentence } from './sentences.ts'

export interface ExtractedStatement {
  text: string
  /** Offsets in the prompt. */
  start: number
  end: number
}

export function statementOf(prompt: string, sentences: Sentence[]): ExtractedStatement {
  let start = sentences[0]!.start
  let end = sentences.at(-1)!.end
  const raw = prompt.slice(start, Math.min(end, start + maxMemoryLength))
  end = start + raw.length
  const lead = leadLength(raw)
  const tail = tailLength(raw.slice(lead))
  start += lead
  end -= tail
  if (prompt[start] === '(' && prompt[end - 1] === ')') {
    start += 1
    end -= 1
  }
  return { text: prompt.slice(start, end).replace(/\s+/g, ' ').trim(), start, end }
}

/** Length of greetings and of a task before the rule. */
function leadLength(raw: string): number {
  let at = 0
  for (;;) {
    const rest = raw.slice(at)
    const found = leads
      .map((lead) => lead.exec(rest)?.[0].length ?? 0)
      .find((length) => length > 0 && length < rest.length - 8)
    if (found === undefined) return at
    at += found
  }
}

const leads = [
  memoryRequest,
  /^(?:ok(?:ay)?|yes|yeah|yep|yup|sure|alright|right|so|and|also|hey|hi|hello|oh|ah|great|nice|cool|perfect|thanks|thank you|hm+|omfg|omg|dude|my dude|man|btw|by the way|well|then|now|quick thing|context|fyi|q|clarification|note|actually|but)\b[,.:!\s-]+/i,
  /^i (?:forgot to (?:tell you|mention|say)|just wanted to say|guess)[,:\s]+/i,
  /^(?:can|could) (?:you|we) (?:please |also )?(?=\w)/i,
  /^(?:let's|please|can you|could you|go ahead and|fix|update|revert)\b[^,.;]{0,60}?(?:,? but |\. )(?=\w)/i,
  /^(?:i (?:think|believe) )?(?:this|that)(?:'s| is) (?:an? )?(?:good|fair|valid|great) (?:point|feedback|idea|question|catch), /i,
]

/** Length of a request or question behind the rule. */
function tailLength(raw: string): number {
  const cut =
    /(?:[,;.:]|\s[-–]|\bso|\band|\bbut)*\s+(?:(?:so|and|then|please|now) )*(?:can|could|would|will) (?:you|we|u)\b.*$|[,\s]+(?:right|no|ok|correct)\s*\?*\s*$|\s*(?::[)|/(]|;\)|\p{Extended_Pictographic}\uFE0F?)+\s*$/su.exec(
      raw,
    )
  return cut !== null && cut.index >= 20 ? raw.length - cut.index : 0
}

/** The reason that a text gives, in its own words. */
export function reasonIn(text: string): string | null {
  const first = /^(?:given that|since|because)\b[^,]{8,200}(?=,)/i.exec(text)?.[0]
  return (first ?? inner.exec(text)?.[0] ?? null)?.trim() ?? null
}

const inner =
  /\b(?:because|since|given that|so that|otherwise|or else|due to|as (?:it|we|they|the)|to (?:avoid|prevent|be consistent))\b[^.!?]{8,300}/i
