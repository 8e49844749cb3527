import { expect, it } from 'vitest'
import { createRateLimiter, secondsUntilToken, takeToken } from './rate-limit.ts'

it('gives the burst at once, then one by one', () => {
  const limiter = createRateLimiter({ perSecond: 2, burst: 3 })
  expect([0, 0, 0, 0].map(() => takeToken(limiter, 'a', 0))).toEqual([0, 0, 0, 0.5])
  expect(takeToken(limiter, 'a', 499)).toBeCloseTo(0.001)
  expect(takeToken(limiter, 'a', 500)).toBe(0)
  expect(takeToken(limiter, 'a', 500)).toBe(0.5)
})

it('gives no more than the burst after a long pause, and everybody their own', () => {
  const limiter = createRateLimiter({ perSecond: 1, burst: 2 })
  takeToken(limiter, 'a', 0)
  expect([0, 0, 0].map(() => takeToken(limiter, 'a', 1e9))).toEqual([0, 0, 1])
  expect(takeToken(limiter, 'b', 1e9)).toBe(0)
})

it('looking takes nothing', () => {
  const limiter = createRateLimiter({ perSecond: 1, burst: 1 })
  expect([secondsUntilToken(limiter, 'a', 0), secondsUntilToken(limiter, 'a', 0)]).toEqual([0, 0])
  takeToken(limiter, 'a', 0)
  expect(secondsUntilToken(limiter, 'a', 250)).toBe(0.75)
})

it('a clock that goes back takes nothing away', () => {
  const limiter = createRateLimiter({ perSecond: 1, burst: 2 })
  takeToken(limiter, 'a', 10_000)
  expect(takeToken(limiter, 'a', 0)).toBe(0)
})

it('forgets who asked longest ago when there are too many', () => {
  const limiter = createRateLimiter({ perSecond: 1, burst: 1 })
  for (let one = 0; one < 25_000; one++) takeToken(limiter, String(one), 0)
  expect(limiter.buckets.size).toBe(20_000)
  expect(takeToken(limiter, '24999', 0)).toBe(1)
  expect(takeToken(limiter, '0', 0)).toBe(0)
})
