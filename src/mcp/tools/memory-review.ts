// memory_review keeps or dismisses candidates for the user. An agent calls it when the user has
// confirmed them in the conversation, so a kept one counts as confirmed by a person.
import * as z from 'zod'
import { messageOf, UserError } from '../../core/errors.ts'
import { wrapEvidence } from '../../gate/evidence.ts'
import type { AdmissionReport } from '../../learn/admission/admit.ts'
import { dismissCandidate, keepCandidate } from '../../learn/review/review.ts'
import type { Memory } from '../../memory/memory.ts'
import { listChanges } from '../../store/memories/changes.ts'
import { statementTermSet, statementTerms, topicSimilarity } from '../../text/statement.ts'
import { requireMemory } from '../lookup.ts'
import { memoryLine, textContextOf } from '../memory-text.ts'
import { changeContext, refreshMemoryFiles, storeAgentMemory } from '../store-memory.ts'
import type { ToolCall } from '../tool-result.ts'

const ids = z.array(z.string().min(1).max(100)).max(20).default([])

export const memoryReviewInput = z.strictObject({
  keep: ids.describe('ids of candidates that the user confirmed as they are'),
  dismiss: ids.describe('ids of candidates that the user rejected'),
  edits: z
    .array(z.strictObject({ id: z.string().min(1).max(100), text: z.string().min(1).max(4000) }))
    .max(20)
    .default([])
    .describe(
      'candidates that the user confirmed in other words: one statement that can be read alone. New words are stored as yours',
    ),
})

export async function memoryReview(call: ToolCall, input: z.infer<typeof memoryReviewInput>): Promise<string> {
  const decisions: Decision[] = [
    ...input.keep.map((id) => ({ id, decide: keepAs(call, id) })),
    ...input.edits.map(({ id, text }) => ({ id, decide: keepAs(call, id, text) })),
    ...input.dismiss.map((id) => ({ id, decide: () => dismissed(call, id) })),
  ]
  if (decisions.length === 0) throw new UserError('Nothing to review', 'Give "keep", "dismiss" or "edits".')
  checkDistinct(decisions)
  const lines: string[] = []
  const problems: string[] = []
  for (const { id, decide } of decisions) {
    // One wrong id must not lose the other decisions of the user.
    try {
      const before = lastChange(call)
      const outcome = await decide()
      lines.push(`${outcome}${undoText(call, before)}`)
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(`${id} is unchanged: ${messageOf(error)}. ${error.hint}`)
    }
  }
  if (lines.length === 0)
    throw new UserError(problems.join('\n'), 'To list candidates: memory_list with state candidate')
  return `${[...lines, ...problems].join('\n')}${await refreshMemoryFiles(call)}`
}

interface Decision {
  id: string
  decide(): string | Promise<string>
}

function checkDistinct(decisions: readonly Decision[]): void {
  const twice = decisions.find(({ id }, index) => decisions.findIndex((one) => one.id === id) !== index)
  if (twice) throw new UserError(`${twice.id} is named twice`, 'Name each candidate once.')
}

function keepAs(call: ToolCall, id: string, text?: string): () => Promise<string> {
  return async () => {
    const candidate = requireMemory(call.ledger, id)
    const { said, notice } = text === undefined ? {} : await cleanText(text)
    if (said !== undefined) checkSameTopic(candidate, said)
    if (said !== undefined && addsWords(candidate, said)) return storeAsOwn(call, candidate, said)
    const report = keepCandidate(changeContext(call), candidate.id, said === undefined ? {} : { text: said })
    return `${keptText(call, candidate, report)}${notice ? ` ${notice}` : ''}`
  }
}

/** Words that the user has not been recorded to say are the word of the agent, whatever it says of them. */
function addsWords({ text, evidence }: Memory, said: string): boolean {
  const known = statementTermSet([text, ...evidence.map(({ quote }) => quote)].join('\n'))
  return [...statementTermSet(said)].some((term) => !known.has(term))
}

async function storeAsOwn(call: ToolCall, { id, kind, status, project }: Memory, said: string): Promise<string> {
  const stored = await storeAgentMemory(call, { text: said, kind, status, project })
  return `${id} stays a candidate: your text has words that the user was not recorded to say. ${stored}`
}

async function cleanText(text: string): Promise<{ said: string; notice: string | undefined }> {
  const { redact, removalNotice } = await import('../../core/redact/redact.ts')
  const { texts, counts } = redact([text])
  return { said: texts[0]!, notice: removalNotice(counts) }
}

/** Other words for the same thing: what is new is stored as the agent's own, with memory_store. */
function checkSameTopic({ id, text }: Memory, said: string): void {
  if (topicSimilarity(statementTerms(text), statementTerms(said)) >= minTopicSimilarity) return
  throw new UserError(`The new text is not about ${id}`, 'To store another statement: memory_store')
}

const minTopicSimilarity = 0.15

function keptText(call: ToolCall, { id }: Memory, { kept, merged, inbox, superseded }: AdmissionReport): string {
  const quoted = (memory: Memory) => wrapEvidence({ memory: memory.id }, memoryLine(memory, textContextOf(call)))
  if (inbox[0])
    return `${id} is in the inbox as ${inbox[0].id}: it may contradict ${inbox[0].contradicts}. The user decides: recollect inbox.`
  if (kept[0]) {
    const replaced = superseded.map((old) => ` It supersedes ${old.id}.`).join('')
    return `${id} is kept as a memory of the user:\n${quoted(kept[0])}\n${replaced}`.trimEnd()
  }
  return merged[0] ? `${id} was known already and is counted in it:\n${quoted(merged[0])}` : `${id} is kept as history.`
}

function dismissed(call: ToolCall, id: string): string {
  const { id: whole } = dismissCandidate(changeContext(call), requireMemory(call.ledger, id).id)
  return `${whole} is dismissed and will not be proposed again.`
}

function lastChange({ ledger }: ToolCall): number {
  return listChanges(ledger, 1)[0]?.id ?? 0
}

function undoText(call: ToolCall, before: number): string {
  const last = lastChange(call)
  return last === before ? '' : ` The user can undo this: recollect undo ${last}`
}
