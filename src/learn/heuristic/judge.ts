// The judge that needs no model: finds durable learnings in a user's message. It rejects by
// default: each sentence is scored by named cues, and sentences that pass become one statement in
// the user's own words.
import type { Learning, MemoryKind } from '../../memory/memory.ts'
import { maxMemoryLength } from '../../memory/memory.ts'
import { attributesOf, withAgreedTag } from './attributes.ts'
import type { Features } from './features.ts'
import { findPointers } from './pointers.ts'
import { retractedSubject } from './retraction.ts'
import { kindOf, type PromptInContext, type ScoredSentence, scoreSentences, threshold } from './score-sentences.ts'
import type { Sentence } from './sentences.ts'
import { reasonIn, statementOf } from './statement.ts'

const maxLearnings = 5

export function judgeExchange(exchange: PromptInContext): Learning[] {
  const { before, prompt } = exchange
  const scored = scoreSentences(exchange)
  const retracted = scored.flatMap(({ sentence }) => retractionOf(sentence.text) ?? [])
  const weighed = scored.filter(({ sentence }) => !retractedSubject(sentence.text))
  const pointers = findPointers(
    before,
    weighed.map(({ sentence }) => sentence),
  )
  const pointed = pointers.map(({ sentence, text, isCause }) => {
    const { features } = weighed.find((one) => one.sentence === sentence)!
    const kind: MemoryKind = isCause ? 'debugging' : kindOf(features)
    return {
      ...withAgreedTag(attributesOf(kind, features, 1)),
      text: text.slice(0, maxMemoryLength),
      quote: prompt.slice(sentence.start, sentence.end),
      why: null,
    }
  })
  const own = joinNeighbours(
    prompt,
    weighed.filter(({ sentence }) => !pointers.some((pointer) => pointer.sentence === sentence)),
  )
    .sort((a, b) => b.score - a.score)
    .map(({ sentences, features, score }) => {
      const { text, start, end } = statementOf(prompt, sentences)
      return {
        ...attributesOf(kindOf(features), features, score),
        text,
        quote: prompt.slice(start, end),
        why: reasonIn(text),
      }
    })
    .filter((learning) => learning.text !== '')
  return [...retracted, ...pointed, ...own].slice(0, maxLearnings)
}

function retractionOf(quote: string): Learning | undefined {
  const subject = retractedSubject(quote)
  if (!subject) return undefined
  const attributes = attributesOf('correction', new Map(), threshold)
  return { ...attributes, text: subject, quote, why: null, isRetraction: true }
}

interface KeptGroup {
  sentences: Sentence[]
  features: Features
  score: number
}

/**
 * Neighbours that pass are one statement, and so is a sentence with a short one that explains it.
 */
function joinNeighbours(prompt: string, weighed: ScoredSentence[]): KeptGroup[] {
  const isNear = (a: Sentence, b: Sentence) => b.start >= a.end && !/\S|\n\s*\n/.test(prompt.slice(a.end, b.start))
  const kept: KeptGroup[] = []
  for (const [index, { sentence, features, score }] of weighed.entries()) {
    if (score < threshold) continue
    const last = kept.at(-1)
    const previous = weighed[index - 1]
    if (
      last !== undefined &&
      previous !== undefined &&
      last.sentences.at(-1) === previous.sentence &&
      last.sentences.length < 3 &&
      isNear(previous.sentence, sentence)
    ) {
      last.sentences.push(sentence)
      if (score > last.score) Object.assign(last, { features, score })
    } else {
      const leans =
        previous !== undefined &&
        leansBack.test(sentence.plain) &&
        isNear(previous.sentence, sentence) &&
        !/\?$/.test(previous.sentence.text) &&
        previous.sentence.text.length < 160
      kept.push({ sentences: leans ? [previous.sentence, sentence] : [sentence], features, score })
    }
    const next = weighed[index + 1]
    if (
      next !== undefined &&
      next.score < threshold &&
      goesOn.test(next.sentence.plain) &&
      isNear(sentence, next.sentence) &&
      !/\?$/.test(next.sentence.text)
    )
      kept.at(-1)!.sentences.push(next.sentence)
  }
  return kept
}

const leansBack = /^(?:that's|it's|this is|they're|otherwise|because|since|it |that (?:would|is|way))/
const goesOn = /^(?:it (?:has|is|was|can|should|must)|this is|that's why|like |otherwise|they |because|since )/
