// A proposal to forget a memory, which waits in the inbox. The memory stays valid until a person
// accepts the proposal.
import { deletionProposalText, deletionTag, proposesDeletion } from '../../memory/deletion-proposal.ts'
import type { Evidence, Memory, MemoryReason, MemoryTrust } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listMemories } from '../../store/memories/memories.ts'
import { memoryFrom } from './memory-from-draft.ts'

export interface DeletionSource extends Pick<Evidence, 'session' | 'event'> {
  trust: MemoryTrust
  because: MemoryReason
}

/** The proposal that waits already, or a new one that is not written yet. */
export function deletionProposal(
  { ledger, origin }: { ledger: Ledger; origin: string },
  memory: Memory,
  { session, event, trust, because }: DeletionSource,
  now: string,
): { proposal: Memory; isNew: boolean } {
  const known = listMemories(ledger, { state: 'inbox' }).find(
    (one) => proposesDeletion(one) && one.contradicts === memory.id,
  )
  if (known) return { proposal: known, isNew: false }
  const { project, type, kind, status, importance } = memory
  const draft = {
    ...{ project, type, kind, status, importance, trust, because, score: null, at: now },
    ...{
      text: deletionProposalText(memory.text, trust === 'user said'),
      why: null,
      apply: null,
      tags: [deletionTag],
      keywords: [],
    },
    evidence: [{ session, event, quote: memory.text }],
  }
  const proposal: Memory = { ...memoryFrom({ origin }, draft, now), state: 'inbox', contradicts: memory.id }
  return { proposal, isNew: true }
}
