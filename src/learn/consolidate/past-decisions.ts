// Decisions of people about pairs, dates and doubts, so that consolidation does not repeat what
// they undid.
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../../store/ledger.ts'
import { rejectedDoubts, undoneConsolidations } from '../../store/memories/changes.ts'
import { keptPairs, pairKey } from '../../store/memories/kept-pairs.ts'

export interface PastDecisions {
  /** Whether the two memories are to stay as they are. */
  isSettled(a: Memory, b: Memory): boolean
  /** Whether a person undid this text. */
  isTextRejected(memory: Memory, text: string): boolean
  /** Reasons for doubt that a person denied. */
  deniedDoubts(memory: Memory): ReadonlySet<string>
}

export function pastDecisions(ledger: Ledger): PastDecisions {
  const pairs = keptPairs(ledger)
  const texts = new Set<string>()
  const doubts = new Map<string, Set<string>>()
  const deny = (id: string, doubt: string) =>
    doubts.set(id, new Set([...(doubts.get(id) ?? []), ...reasonsIn(doubt).map(withoutDay)]))
  for (const { before, after } of undoneConsolidations(ledger)) {
    if (after.text !== before.text) texts.add(`${after.id} ${after.text}`)
    if (after.doubt && after.doubt !== before.doubt) deny(after.id, after.doubt)
  }
  for (const { id, doubt } of rejectedDoubts(ledger)) deny(id, doubt!)
  return {
    isSettled: (a, b) => pairs.has(pairKey(a.id, b.id)),
    isTextRejected: ({ id }, text) => texts.has(`${id} ${text}`),
    deniedDoubts: ({ id }) => doubts.get(id) ?? new Set(),
  }
}

/** The single reasons of a doubt. */
export function reasonsIn(doubt: string | null): string[] {
  return doubt ? doubt.split('; ') : []
}

/** Without its date, by which the same reason may differ. */
export function withoutDay(reason: string): string {
  return reason.replace(/ since \d{4}-\d\d-\d\d$/, '')
}
