// Random tests repeat exactly: every one draws from the seed of the test run. RECOLLECT_TEST_SEED=<number> sets it,
// RECOLLECT_TEST_SEED=random draws one; a run that fails prints it.
import { inject } from 'vitest'

export const seed = inject('seed')

/** Numbers from 0 up to 1, the same in every run with the same seed. */
export function randomNumbers(): () => number {
  let state = seed >>> 0
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
