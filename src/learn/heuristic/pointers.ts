// Finds messages that point to the agent's text: "yes, that was it", "add this to CLAUDE.md". The
// learning is the statement that they point to.

import { plainForm, type Sentence, sentencesOf } from './sentences.ts'

export interface PointedStatement {
  sentence: Sentence
  /** The agent's statement that the user agreed to. */
  text: string
  isCause: boolean
}

export function findPointers(before: string, sentences: Sentence[]): PointedStatement[] {
  const sentence = sentences.find(({ plain }) => confirmsCause.test(plain) || wishesToKeep.test(plain))
  if (sentence === undefined) return []
  const said = statementsOf(agentSentences(before.slice(-4000)))
  const cause = best(said, causal)
  if (confirmsCause.test(sentence.plain)) return cause === null ? [] : [{ sentence, text: cause, isCause: true }]
  const text = cause ?? said.at(-1)?.text ?? null
  return text === null ? [] : [{ sentence, text, isCause: cause !== null }]
}

/**
 * Confirms the cause that the agent named. "That works" is only thanks: what works is in the code.
 */
const confirmsCause =
  /^(?:(?:yes|yep|yeah|yup|ah|oh|ok|okay|wow|great|perfect|exactly|omg|omfg|right|haha?)[,.! ]+)*(?:that(?:'s| was| is) (?:it|(?:exactly )?the (?:issue|problem|cause|reason|culprit|bug))|bingo|you (?:found|nailed) it)(?=[,.!]|$| now| indeed| exactly| thanks)(?!.*\?$)/

/** Asks explicitly to keep what was just said. */
const wishesToKeep =
  /\b(?:add|put|save|document|write|note|record|store|capture|remember|include|keep)\b (?:this|that|it|these|those|them|what (?:we|you) \w+)\b(?: \w+){0,4}? (?:to|in|into|as|inside|under) (?:\w+ ){0,3}?(?:DOC|memory|memories|learnings?|instructions|rules|guidelines?|(?:cursor|agent|project) rules)\b/

/** Plans of the agent ("let me", "I'll") are not statements. */
function statementsOf(said: Sentence[]): Sentence[] {
  return said.filter(
    ({ text, plain }) => text.length >= 25 && text.length <= 500 && !/\?\W*$/.test(text) && !own.test(plain),
  )
}

const own = /^\W*(?:let me|i'll|i will|now |done|would you|want me|shall i|next|great|perfect|ready)\b/

const causal = [
  /\b(?:root cause|culprit|caused by|the (?:real |actual )?(?:issue|problem|cause|reason|bug) (?:is|was)|because|due to|this is why|that's why|turns out)\b/,
  /\b(?:bug|ignor\w+|overrid\w+|conflict\w*|stale|missing|wrong|race|corrupt\w*|not our|instead of|doesn't|isn't|without|setting|never)\b/,
]

function best(said: Sentence[], patterns: RegExp[]): string | null {
  let found: { text: string; score: number } | null = null
  for (const { text } of said) {
    const plain = plainForm(text)
    const score = patterns.reduce((sum, pattern, index) => sum + (pattern.test(plain) ? patterns.length - index : 0), 0)
    // Prefer the last one: the user read it last.
    if (score > 0 && (found === null || score >= found.score)) found = { text, score }
  }
  return found === null ? null : withoutMarkdown(found.text)
}

function agentSentences(text: string): Sentence[] {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, '\n')
  const lines = [...prose.matchAll(/[^\n]+/g)].map(({ index, 0: line }) => ({ start: index, end: index + line.length }))
  return sentencesOf(prose, lines, '')
}

/** Removes Markdown marks, but not `2**10`. */
function withoutMarkdown(text: string): string {
  return text.replace(/(?<!\w)\*\*|\*\*(?!\w)|^[#>\s*-]+/g, '').trim()
}
