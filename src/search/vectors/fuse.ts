// Nearness that can be added to the score of words. Models differ in what a cosine of 0.7 means, so it is told against all
// passages: how far it stands out from what chance gives. The place in a list says less: the best of nothing is still first.

/** What stands out by less than this, in standard deviations, is chance; what by this much, is as near as anything gets. */
const chance = 2
const certain = 8

export interface Standing {
  block: number
  at: number
  /** Of 0 to 1. */
  value: number
}

/** Those that stand out. */
export function likenessOf(cosines: readonly Float32Array[]): Standing[] {
  const { mean, deviation } = spreadOf(cosines)
  if (deviation === 0) return []
  const standing: Standing[] = []
  const least = mean + chance * deviation
  for (const [block, values] of cosines.entries())
    for (let at = 0; at < values.length; at++) {
      if (values[at]! <= least) continue
      const value = Math.min(1, (values[at]! - least) / ((certain - chance) * deviation))
      standing.push({ block, at, value })
    }
  return standing
}

function spreadOf(cosines: readonly Float32Array[]): { mean: number; deviation: number } {
  let count = 0
  let sum = 0
  let squares = 0
  for (const values of cosines) {
    count += values.length
    for (let at = 0; at < values.length; at++) {
      sum += values[at]!
      squares += values[at]! ** 2
    }
  }
  const mean = count === 0 ? 0 : sum / count
  return { mean, deviation: count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean)) }
}
