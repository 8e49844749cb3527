// Rules may have judged words that a model judges later: after an outage, or after a rebuild. Then the
// model's memory takes the place of the one that rules made of the same words.
import { isoTime } from '../core/clock.ts'
import { compare } from '../memory/compare.ts'
import type { MemoryDraft } from '../memory/draft.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import { changeMemories, memoryHistory } from '../store/memories/changes.ts'
import { memoriesOfSession } from '../store/memories/memories.ts'
import { comparableMemories } from './admission/team-conflicts.ts'
import type { LearnContext } from './context.ts'
import { isSameQuote } from './evidence.ts'
import { rulesTag } from './heuristic/attributes.ts'

/**
 * Returns the drafts that are left for admission. If the user has forgotten or changed what
 * rules made, the decision of the user stands. Call inside a transaction.
 */
export function replaceRulesResults(
  { ledger, clock }: LearnContext,
  session: string,
  drafts: readonly MemoryDraft[],
): MemoryDraft[] {
  if (drafts.length === 0) return []
  const earlier = memoriesOfSession(ledger, session).filter(
    ({ space, supersededBy, tags }) => !space && !supersededBy && tags.includes(rulesTag),
  )
  const replaced = new Set<string>()
  const retired: Memory[] = []
  const left = drafts.flatMap((draft) => {
    const same = earlier.find((memory) => !replaced.has(memory.id) && isOfSameWords(draft, memory))
    if (!same) return [draft]
    if (same.state === 'forgotten') return []
    // Admission counts or ignores a repetition.
    if (compare(draft.text, same.text).kind === 'same') return [draft]
    if (!isUntouched(ledger, same) || draft.trust !== 'user said') return []
    replaced.add(same.id)
    const twin = comparableMemories(ledger, draft).find((memory) => isTwin(memory, same, draft))
    if (!twin) return [{ ...draft, supersedes: same.id }]
    retired.push({ ...same, supersededBy: twin.id, supersededAt: draft.at, version: same.version + 1 })
    return [draft]
  })
  const change = { kind: 'learned' as const, about: `from ${session}`, at: isoTime(clock.nowMs()) }
  if (retired.length > 0) changeMemories(ledger, change, retired)
  return left
}

/** A memory that says the same as the draft already, so that admission counts it there. */
function isTwin(memory: Memory, { id }: Memory, { text }: MemoryDraft): boolean {
  const isCurrent = memory.space === null && memory.state === 'kept' && memory.supersededBy === null
  return isCurrent && memory.id !== id && compare(text, memory.text).kind === 'same'
}

/** Nothing but learning has changed it: no edit, decision or sync. */
function isUntouched(ledger: Ledger, { id, state }: Memory): boolean {
  return state === 'kept' && memoryHistory(ledger, id).every(({ change }) => change.kind === 'learned')
}

function isOfSameWords(draft: MemoryDraft, memory: Memory): boolean {
  return draft.evidence.some(({ session, event, quote }) =>
    memory.evidence.some((one) => one.session === session && one.event === event && isSameQuote(one.quote, quote)),
  )
}
