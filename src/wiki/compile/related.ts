// Which articles lie near each other: topics that came up in the same sessions and memories. Both of two say so.
import type { Topic } from './topics.ts'
import { compare } from './topics.ts'

const nearest = 5
const maxRelated = 15
/** A session about everything tells nothing about what belongs together. */
const maxTogether = 8

/** Keys of topics near each topic, the nearest first. */
export function nearTopics(topics: readonly Topic[]): Map<string, string[]> {
  const weights = pairWeights(topics)
  const chosen = new Map<string, Set<string>>(topics.map(({ key }) => [key, new Set()]))
  for (const [key, near] of weights) {
    for (const other of ordered(near).slice(0, nearest)) {
      chosen.get(key)!.add(other)
      chosen.get(other)!.add(key)
    }
  }
  return new Map(
    [...chosen].map(([key, near]) => [
      key,
      ordered(weights.get(key))
        .filter((other) => near.has(other))
        .slice(0, maxRelated),
    ]),
  )
}

function ordered(near: ReadonlyMap<string, number> | undefined): string[] {
  return [...(near ?? [])].sort((a, b) => b[1] - a[1] || compare(a[0], b[0])).map(([key]) => key)
}

function pairWeights(topics: readonly Topic[]): Map<string, Map<string, number>> {
  const together = new Map<string, string[]>()
  for (const { key, memories, sessions } of topics) {
    // A memory under two topics ties them closer than a session does.
    for (const name of [
      ...memories.flatMap(({ id }) => [id, `${id} again`]),
      ...sessions.map(({ session }) => session),
    ]) {
      const keys = together.get(name) ?? []
      keys.push(key)
      together.set(name, keys)
    }
  }
  const weights = new Map<string, Map<string, number>>()
  for (const keys of together.values()) {
    if (keys.length < 2 || keys.length > maxTogether) continue
    for (const one of keys) for (const other of keys) if (one !== other) addTo(weights, one, other)
  }
  return weights
}

function addTo(weights: Map<string, Map<string, number>>, one: string, other: string): void {
  const near = weights.get(one) ?? new Map<string, number>()
  near.set(other, (near.get(other) ?? 0) + 1)
  weights.set(one, near)
}
