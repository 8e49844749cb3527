// Similarity of two texts, by sets of words (Jaccard) or by weighted words (cosine).

export function sharedCount(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0
  for (const word of a) if (b.has(word)) shared++
  return shared
}

/** Shared words divided by all words, 0 to 1; 0 for two empty sets. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = sharedCount(a, b)
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}

/** Words with their weights. */
export type WordWeights = Map<string, number>

/** Cosine of the angle between two weight vectors, 0 to 1; 0 where one of them is empty. */
export function cosine(a: WordWeights, b: WordWeights): number {
  let product = 0
  for (const [word, weight] of a) product += weight * (b.get(word) ?? 0)
  const norm = Math.sqrt(squaredNorm(a) * squaredNorm(b))
  return norm === 0 ? 0 : product / norm
}

function squaredNorm(weights: WordWeights): number {
  let sum = 0
  for (const weight of weights.values()) sum += weight * weight
  return sum
}
