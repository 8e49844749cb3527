// How often two terms stand near each other, counted in a table of fixed size: however much was said, it takes no more memory.

/** Terms by their place in the vocabulary: two of them fit into one number of 32 bits. */
export const maxTerms = 1 << 14

const maxPairs = 1 << 21
const slots = maxPairs * 2

export interface Pairs {
  /** False when there is no room for another pair that was not there before. */
  add(first: number, second: number, weight: number): boolean
  /** In the order in which they were first seen; the smaller term first. */
  each(see: (first: number, second: number, weight: number) => void): void
}

export function countPairs(): Pairs {
  const table = new Int32Array(slots).fill(-1)
  const keys = new Uint32Array(maxPairs)
  const weights = new Float32Array(maxPairs)
  let count = 0
  return {
    add(first, second, weight) {
      const key = first < second ? first * maxTerms + second : second * maxTerms + first
      let slot = (Math.imul(key, 0x9e3779b1) >>> 0) % slots
      while (table[slot]! >= 0 && keys[table[slot]!] !== key) slot = (slot + 1) % slots
      if (table[slot]! < 0) {
        if (count === maxPairs) return false
        keys[count] = key
        table[slot] = count++
      }
      weights[table[slot]!]! += weight
      return true
    },
    each(see) {
      for (let index = 0; index < count; index++)
        see(Math.floor(keys[index]! / maxTerms), keys[index]! % maxTerms, weights[index]!)
    },
  }
}
