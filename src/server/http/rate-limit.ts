// Rate limiter: one token bucket per key or address, refilled at a steady rate.
import { maxTrackedRates, type RateLimit } from './limits.ts'

export interface RateLimiter extends RateLimit {
  buckets: Map<string, { tokens: number; atMs: number }>
}

export function createRateLimiter(rate: RateLimit): RateLimiter {
  return { ...rate, buckets: new Map() }
}

/** Takes a token and returns 0, or returns the seconds until there is one. */
export function takeToken(limiter: RateLimiter, name: string, nowMs: number): number {
  const waitSeconds = secondsUntilToken(limiter, name, nowMs)
  if (waitSeconds > 0) return waitSeconds
  const tokens = tokensOf(limiter, name, nowMs) - 1
  limiter.buckets.delete(name)
  limiter.buckets.set(name, { tokens, atMs: nowMs })
  if (limiter.buckets.size > maxTrackedRates) limiter.buckets.delete(limiter.buckets.keys().next().value!)
  return 0
}

/** The seconds until there is a token; takes none. */
export function secondsUntilToken(limiter: RateLimiter, name: string, nowMs: number): number {
  const missing = 1 - tokensOf(limiter, name, nowMs)
  return missing <= 0 ? 0 : missing / limiter.perSecond
}

/** A clock that is set back removes no tokens. */
function tokensOf({ buckets, perSecond, burst }: RateLimiter, name: string, nowMs: number): number {
  const bucket = buckets.get(name)
  if (!bucket) return burst
  return Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1000) * perSecond)
}
