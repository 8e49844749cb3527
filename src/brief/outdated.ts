// Finds memories that another one ends: two opposite rules in one brief would leave the choice to the
// agent. Admission and consolidation settle most; a rule of the project beside one that holds
// everywhere, and what has just arrived from another machine, are settled here.
import { compare } from '../memory/compare.ts'
import { readStatement } from '../memory/reading.ts'
import { pairKey } from '../store/memories/kept-pairs.ts'
import type { BriefMemory } from '../store/memories/usage.ts'
import { jaccard } from '../text/similarity.ts'

type Statement = Pick<BriefMemory, 'id' | 'text' | 'project' | 'space' | 'trust' | 'status' | 'confirmedAt'>

/** Their ids. The person's own statements only; pairs that a person wants to keep stay. */
export function outdatedAmong(memories: readonly Statement[], keptPairs: ReadonlySet<string>): Set<string> {
  const own = memories.filter(
    ({ trust, space, status, text }) =>
      trust === 'user said' && space === null && status === 'settled' && text.length <= maxLength,
  )
  const outdated = new Set<string>()
  const ranked = own.toSorted(before)
  const terms = ranked.map(({ text }) => readStatement(text).all)
  for (const [index, memory] of ranked.entries())
    for (const [other, valid] of ranked.slice(0, index).entries()) {
      if (outdated.has(valid.id) || jaccard(terms[index]!, terms[other]!) < minSimilarity) continue
      if (keptPairs.has(pairKey(valid.id, memory.id))) continue
      const relation = compare(valid.text, memory.text)
      if (relation.kind === 'conflict' && relation.isSure) outdated.add(memory.id)
    }
  return outdated
}

/** Long stories contradict nothing. */
const maxLength = 240
/** Of opposites with fewer terms in common one is seldom sure. */
const minSimilarity = 0.3

/** What is said in the project counts before what holds everywhere, then what was confirmed last. */
function before(a: Statement, b: Statement): number {
  if ((a.project === null) !== (b.project === null)) return a.project === null ? 1 : -1
  return a.confirmedAt < b.confirmedAt ? 1 : -1
}
