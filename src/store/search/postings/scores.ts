// Adds up the scores of passages over the terms of a query, in a hash table of plain numbers: a
// query visits tens of thousands of postings.

import type { PostingRun } from './posting-list.ts'

export interface PassageScores {
  /** Adds to the score of every posting of the run. */
  add(run: PostingRun, scoreOf: Float64Array, weight: number): void
  /** Adds a required term: from now on only passages that have all required terms count. */
  require(runs: (visit: (run: PostingRun) => void) => void): void
  /** Of the passages that have all required terms those with the highest scores, best first. */
  best(limit: number): ScoredPlace[]
}

export interface ScoredPlace {
  group: number
  place: number
  score: number
}

/** `max` is the highest possible number of passages. */
export function createScores(max: number): PassageScores {
  let bits = 6
  while (2 ** bits < max * 2) bits++
  const size = 2 ** bits
  const groups = new Int32Array(size)
  const places = new Int32Array(size)
  const scores = new Float64Array(size)
  // Number of required terms that were found, plus one; 0 if the slot is free.
  const found = new Uint8Array(size)
  /** Slots in use. */
  const taken = new Int32Array(max)
  let count = 0
  let required = 0

  /** The slot of a passage, or the free one where it belongs. */
  function slotOf(group: number, place: number): number {
    let slot = (Math.imul(place, 0x9e3779b1) ^ Math.imul(group, 0x85ebca6b)) >>> (32 - bits)
    while (found[slot] !== 0 && (places[slot] !== place || groups[slot] !== group)) slot = (slot + 1) & (size - 1)
    return slot
  }

  function take(slot: number, group: number, place: number): void {
    groups[slot] = group
    places[slot] = place
    found[slot] = 1
    taken[count++] = slot
  }

  return {
    add(run, scoreOf, weight) {
      for (let index = 0; index < run.count; index++) {
        const slot = slotOf(run.group, run.places[index]!)
        if (found[slot] === 0) {
          if (required > 0) continue
          take(slot, run.group, run.places[index]!)
        }
        scores[slot]! += weight * scoreOf[run.occurrences[index]!]!
      }
    },
    require(runs) {
      runs((run) => {
        for (let index = 0; index < run.count; index++) {
          const slot = slotOf(run.group, run.places[index]!)
          if (found[slot] === 0 && required === 0) take(slot, run.group, run.places[index]!)
          if (found[slot] === required + 1) found[slot]!++
        }
      })
      required++
    },
    best(limit) {
      const complete = taken.subarray(0, count).filter((slot) => found[slot] === required + 1)
      const least = complete.length > limit ? nthHighest(scoresAt(complete), limit) : 0
      const best: ScoredPlace[] = []
      for (const slot of complete)
        if (scores[slot]! >= least) best.push({ group: groups[slot]!, place: places[slot]!, score: scores[slot]! })
      return best.sort((a, b) => b.score - a.score || a.group - b.group || a.place - b.place).slice(0, limit)
    },
  }

  function scoresAt(slots: Int32Array): Float64Array {
    const values = new Float64Array(slots.length)
    for (let index = 0; index < slots.length; index++) values[index] = scores[slots[index]!]!
    return values
  }
}

/** Quickselect; changes the order of the values. */
function nthHighest(values: Float64Array, nth: number): number {
  let [from, to] = [0, values.length - 1]
  while (from < to) {
    const pivot = values[(from + to) >> 1]!
    let [left, right] = [from, to]
    while (left <= right) {
      while (values[left]! > pivot) left++
      while (values[right]! < pivot) right--
      if (left > right) break
      const value = values[left]!
      values[left++] = values[right]!
      values[right--] = value
    }
    if (nth - 1 <= right) to = right
    else if (nth - 1 >= left) from = left
    else break
  }
  return values[nth - 1]!
}
