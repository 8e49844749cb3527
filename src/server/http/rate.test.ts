import { expect, it } from 'vitest'
import { createLimiter, take, waitFor } from './rate.ts'

it('gives the burst at once, then one by one', () => {
  const limiter = createLimiter({ perSecond: 2, burst: 3 })
  expect([0, 0, 0, 0].map(() => take(limiter, 'a', 0))).toEqual([0, 0, 0, 0.5])
  expect(take(limiter, 'a', 499)).toBeCloseTo(0.001)
  expect(take(limiter, 'a', 500)).toBe(0)
  expect(take(limiter, 'a', 500)).toBe(0.5)
})

it('gives no more than the burst after a long pause, and everybody their own', () => {
  const limiter = createLimiter({ perSecond: 1, burst: 2 })
  take(limiter, 'a', 0)
  expect([0, 0, 0].map(() => take(limiter, 'a', 1e9))).toEqual([0, 0, 1])
  expect(take(limiter, 'b', 1e9)).toBe(0)
})

it('looking takes nothing', () => {
  const limiter = createLimiter({ perSecond: 1, burst: 1 })
  expect([waitFor(limiter, 'a', 0), waitFor(limiter, 'a', 0)]).toEqual([0, 0])
  take(limiter, 'a', 0)
  expect(waitFor(limiter, 'a', 250)).toBe(0.75)
})

it('a clock that goes back takes nothing away', () => {
  const limiter = createLimiter({ perSecond: 1, burst: 2 })
  take(limiter, 'a', 10_000)
  expect(take(limiter, 'a', 0)).toBe(0)
})

it('forgets who asked longest ago when there are too many', () => {
  const limiter = createLimiter({ perSecond: 1, burst: 1 })
  for (let one = 0; one < 25_000; one++) take(limiter, String(one), 0)
  expect(limiter.buckets.size).toBe(20_000)
  expect(take(limiter, '24999', 0)).toBe(1)
  expect(take(limiter, '0', 0)).toBe(0)
})
