// The answer of a model that judges. It is checked item by item: one that cannot be used is dropped
// with a reason and never voids the others.
import * as z from 'zod'
import { draftOf, type MemoryDraft } from '../../memory/draft.ts'
import { foldKind } from '../../memory/fold-kind.ts'
import { type Learning, type Memory, maxMemoryLength, memoryKinds, memoryStatuses } from '../../memory/memory.ts'
import type { DroppedElement } from '../../store/memories/model-calls.ts'
import { type Utterance, utteranceOf } from '../exchanges.ts'
import { findConfirmation, findQuote, type QuoteMatch } from './evidence.ts'
import { candidateName, type ModelWindow } from './window.ts'

const text = z.string().trim()
const optionalText = text.nullish().catch(null)
const strings = z.array(z.string()).catch([])
const messageNumber = z.coerce.number().int().nullish().catch(null)

export const judgedMemory = z.object({
  kind: z.enum(memoryKinds).catch((context) => foldKind(context?.value)),
  text,
  quote: text.catch(''),
  message: messageNumber,
  confirms: messageNumber,
  why: optionalText,
  apply: optionalText,
  status: z.enum(memoryStatuses).catch('settled'),
  everywhere: z.boolean().catch(false),
  importance: z.number().min(0).max(1).catch(0.7),
  tags: strings,
  keywords: strings,
  candidate: optionalText,
  same: optionalText,
  supersedes: optionalText,
})
export type JudgedMemory = z.infer<typeof judgedMemory>

const decision = z.object({ what: z.string(), why: z.string().catch('') })
const listOf = <T>(item: z.ZodType<T>) =>
  z
    .array(item.nullable().catch(null))
    .transform((all) => all.flatMap((one) => (one === null ? [] : [one])))
    .catch([])

/** A journal entry: the same fields as the model question of the journal. */
export const journalPart = z.object({
  context: text.catch(''),
  keyExchanges: listOf(text),
  decisions: listOf(decision),
  lessons: listOf(text),
  actionItems: listOf(text),
})
export type JournalPart = z.infer<typeof journalPart>

/** A bad element becomes null; an answer of bad elements alone is malformed. */
export const judgeAnswer = z.object({
  memories: z
    .array(judgedMemory.nullable().catch(null))
    .refine((all) => all.length === 0 || all.some((one) => one !== null), 'no element has a text'),
  title: text.catch(''),
  leftOff: text.catch(''),
  journal: journalPart.nullish().catch(null),
})
export type JudgeAnswer = z.infer<typeof judgeAnswer>

export interface JudgedDrafts {
  drafts: MemoryDraft[]
  dropped: DroppedElement[]
}

/** More than this is no judgement. */
const maxTaken = 20

export function draftsFrom(
  window: ModelWindow,
  { memories }: JudgeAnswer,
  around: { candidates: readonly Memory[]; known: readonly Memory[]; project: string | null },
): JudgedDrafts {
  const found: JudgedDrafts = { drafts: [], dropped: [] }
  for (const [index, one] of memories.entries()) {
    const draft = index < maxTaken ? draftFrom(window, one, around) : 'more than 20 memories'
    if (typeof draft === 'string') found.dropped.push({ reason: draft, text: one?.text ?? '' })
    else found.drafts.push(draft)
  }
  return found
}

/** The reason if it cannot be used. */
function draftFrom(
  { session, said }: ModelWindow,
  one: JudgedMemory | null,
  { candidates, known, project }: { candidates: readonly Memory[]; known: readonly Memory[]; project: string | null },
): MemoryDraft | string {
  if (!one) return 'no memory'
  if (one.text === '') return 'no text'
  if (one.text.length > maxMemoryLength) return `longer than ${maxMemoryLength} characters`
  const candidate = candidates[candidates.findIndex((_, index) => candidateName(index) === one.candidate)]
  const evidence = evidenceFor(said, one, candidate)
  if (!evidence) return one.quote === '' ? 'no quote' : 'no such quote'
  const { utterance, quote, trust } = evidence
  const learning: Learning = {
    ...{ kind: one.kind, text: one.text, quote, why: one.why || null, status: one.status },
    scope: one.everywhere ? 'user' : 'project',
    importance: one.importance,
    tags: one.tags.map((tag) => tag.slice(0, 40)).slice(0, 8),
  }
  const draft = draftOf(learning, {
    project,
    evidence: [{ session, event: utterance.event || null, quote }],
    ...{ trust, because: 'model', at: utterance.at ?? '' },
  })
  const ids = new Set(known.map(({ id }) => id))
  const named = (id: string | null | undefined) => (id && ids.has(id) ? id : undefined)
  const [supersedes, repeats] = [named(one.supersedes), named(one.same)]
  const keywords = one.keywords.flatMap((word) => word.split(/[\s,]+/))
  return {
    ...draft,
    score: candidate?.score ?? null,
    apply: one.apply || null,
    keywords: [...new Set([...keywords, ...draft.keywords])].filter(Boolean).slice(0, 20),
    ...(supersedes ? { supersedes } : {}),
    ...(repeats && !supersedes ? { repeats } : {}),
  }
}

/** By the number of the message and its quote; a candidate has evidence of its own. */
function evidenceFor(
  said: readonly Utterance[],
  { quote, message, confirms }: JudgedMemory,
  candidate: Memory | undefined,
): QuoteMatch | undefined {
  const confirmation = confirms ? findConfirmation(said[confirms - 1]) : undefined
  if (confirmation) return confirmation
  const found = quote === '' ? undefined : findQuote(said, quote, (message ?? 0) - 1)
  if (found || !candidate) return found
  const [known] = candidate.evidence
  const utterance = known && utteranceOf(said, known)
  return utterance && { utterance, quote: known!.quote, trust: candidate.trust }
}
