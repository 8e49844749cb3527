// Pairs that are close, and of which rules cannot tell whether they say the same: only worth a question.
import type { Memory } from '../../memory/memory.ts'
import { statementSimilarity } from '../../text/statement.ts'
import type { PastDecisions } from './decided.ts'
import { byScope, type MemoryPair, similarPairs } from './pairs.ts'
import { allTerms } from './same.ts'

const minNearSimilarity = 0.5

/** The closest first. */
export function nearDuplicates(memories: readonly Memory[], decided: PastDecisions): MemoryPair[] {
  return byScope(memories)
    .flatMap((statements) => [...similarPairs(statements, { setOf: allTerms, least: minNearSimilarity })])
    .map((pair) => ({ pair, near: statementSimilarity(pair[0].content, pair[1].content) }))
    .filter(({ pair: [a, b] }) => !decided.isSettled(a.memory, b.memory))
    .sort((a, b) => b.near - a.near)
    .map(({ pair }) => pair)
}
