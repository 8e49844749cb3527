import { expect, it } from 'vitest'
import { createRateLimiter, secondsUntilToken, takeToken } from './rate-limit.ts'

it('takeToken allows the burst at once, then one by one', () => {
  const limiter = createRateLimiter({ perSecond: 2, burst: 3 })
  expect([0, 0, 0, 0].map(() => takeToken(limiter, 'a', 0))).toEqual([0, 0, 0, 0.5])
  expect(takeToken(limiter, 'a', 499)).toBeCloseTo(0.001)
  expect(takeToken(limiter, 'a', 500)).toBe(0)
  expect(takeToken(limiter, 'a', 500)).toBe(0.5)
})

it('takeToken refills up to the burst, per name', () => {
  const limiter = createRateLimiter({ perSecond: 1, burst: 2 })
  takeToken(limiter, 'a', 0)
  expect([0, 0, 0].map(() => takeToken(limiter, 'a', 1e9))).toEqual([0, 0, 1])
  expect(takeToken(limiter, 'b', 1e9)).toBe(0)
})

it('secondsUntilToken takes no token', () => {
  const limiter = createRateLimiter({ perSecond: 1, burst: 1 })
  expect([secondsUntilToken(limiter, 'a', 0), secondsUntilToken(limiter, 'a', 0)]).toEqual([0, 0])
  takeToken(limiter, 'a', 0)
  expect(secondsUntilToken(limiter, 'a', 250)).toBe(0.75)
})

it('takeToken keeps tokens when the clock is set back', () => {
  const limiter = createRateLimiter({ perSecond: 1, burst: 2 })
  takeToken(limiter, 'a', 10_000)
  expect(takeToken(limiter, 'a', 0)).toBe(0)
})

it('takeToken drops the longest unused names above the limit', () => {
  const limiter = createRateLimiter({ perSecond: 1, burst: 1 })
  for (let one = 0; one < 25_000; one++) takeToken(limiter, String(one), 0)
  expect(limiter.buckets.size).toBe(20_000)
  expect(takeToken(limiter, '24999', 0)).toBe(1)
  expect(takeToken(limiter, '0', 0)).toBe(0)
})
