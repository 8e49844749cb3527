// Labelled messages as training data: the sentences of each with their features, and which of them
// the label quotes.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Features } from '../../src/learn/heuristic/features.ts'
import { isWithheld, type PromptInContext, sentencesWithFeatures } from '../../src/learn/heuristic/score-sentences.ts'
import type { MemoryKind } from '../../src/memory/memory.ts'

export interface LabelledMessage extends PromptInContext {
  id: string
  project: string
  /** Messages of one session are not independent of each other. */
  group: string
  label: 'yes' | 'no' | 'borderline'
  kind: MemoryKind | null
  weight: number
  quote: string
  gist: string
  sentences: LabelledSentence[]
}

export interface LabelledSentence {
  features: Features
  /** The label quotes it. */
  isQuoted: boolean
}

/** The fields of a line of the label files. */
interface LabelLine {
  id: string
  project: string
  session: string
  group?: string
  before: string | null
  prompt: string
  after: string | null
  learn: LabelledMessage['label']
  kind: MemoryKind | null
  weight: number
  quote: string | null
  gist: string | null
  items?: { quote: string }[]
}

export function readMessages(folder: string): LabelledMessage[] {
  return ['labels.jsonl', 'train.jsonl'].flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => messageFrom(JSON.parse(line) as LabelLine)),
  )
}

function messageFrom(line: LabelLine): LabelledMessage {
  const { id, project, prompt, learn: label, kind, weight, quote, gist } = line
  const exchange = { before: line.before ?? '', prompt, after: line.after ?? '' }
  const quotes = [...(line.items ?? []).map((item) => item.quote), ...(quote ? [quote] : [])]
  const sentences = sentencesWithFeatures(exchange)
    .filter(({ features }) => !isWithheld(features))
    .map(({ sentence, features }) => ({
      features,
      isQuoted: quotes.some((one) => overlaps(prompt, one, sentence)),
    }))
  return {
    ...exchange,
    id,
    project,
    group: line.group ?? line.session,
    label,
    kind,
    weight,
    quote: quote ?? '',
    gist: gist ?? '',
    sentences,
  }
}

/** A few characters in common are no overlap. */
function overlaps(prompt: string, quote: string, { start, end }: { start: number; end: number }): boolean {
  const from = prompt.indexOf(quote)
  const shared = Math.min(end, from + quote.length) - Math.max(start, from)
  return from >= 0 && shared > Math.min(12, 0.3 * Math.min(quote.length, end - start))
}
