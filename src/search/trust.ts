// What a memory weighs besides its words: whether it still holds, whose word it is, how much it matters.
import type { MemoryRankingFields } from '../store/memories/memories.ts'

/** Words decide, this only settles what is close. */
export function memoryFactor({
  importance,
  trust,
  state,
  status,
  supersededBy,
  doubt,
  counts,
}: MemoryRankingFields): number {
  const holds = supersededBy === null ? 1 : 0.5
  const isSure = state === 'inbox' || status === 'hypothetical' ? 0.7 : doubt ? 0.85 : 1
  const word = trust === 'user said' ? 1.1 : trust === 'tool printed' ? 0.7 : 0.9
  const often = 1 + Math.min(0.15, 0.05 * (counts.said - 1))
  return holds * isSure * word * often * (0.8 + 0.4 * importance) * shortness
}

/** A memory has the words of the talk that it is from without the rest of it, and so scores higher by nature. */
const shortness = 0.6
