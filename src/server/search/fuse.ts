// Two orders as one: by the places that something has in each, because their scores cannot be compared.
import type { Scored } from './score.ts'

/** How much less a later place counts (reciprocal rank fusion). */
const flatness = 60

export function fuse(...lists: (readonly Scored[])[]): Scored[] {
  const fused = new Map<string, Scored>()
  for (const list of lists) {
    for (const [place, candidate] of list.entries()) {
      const key = `${candidate.space} ${candidate.id}`
      const known = fused.get(key)
      const score = (known?.score ?? 0) + 1 / (flatness + place + 1)
      fused.set(key, { ...(known ?? candidate), fit: score, score })
    }
  }
  return [...fused.values()].sort((a, b) => b.score - a.score)
}
