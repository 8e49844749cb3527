// Pairs that are close, and of which rules cannot tell whether they say the same: only worth a question.
import type { Memory } from '../../memory/memory.ts'
import { likeness } from '../../text/statement.ts'
import type { Decided } from './decided.ts'
import { byScope, likePairs, type Pair } from './pairs.ts'
import { everyWord } from './same.ts'

const least = 0.5

/** The closest first. */
export function nearPairs(memories: readonly Memory[], decided: Decided): Pair[] {
  return byScope(memories)
    .flatMap((statements) => [...likePairs(statements, { setOf: everyWord, least })])
    .map((pair) => ({ pair, near: likeness(pair[0].content, pair[1].content) }))
    .filter(({ pair: [a, b] }) => !decided.isSettled(a.memory, b.memory))
    .sort((a, b) => b.near - a.near)
    .map(({ pair }) => pair)
}
