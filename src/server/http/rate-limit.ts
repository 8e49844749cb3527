// How much one key, or one address, may ask of this instance: a bucket of tokens each, filled at a steady rate.

export interface RateLimit {
  perSecond: number
  burst: number
}

export interface RateLimiter extends RateLimit {
  buckets: Map<string, { tokens: number; atMs: number }>
}

export function createRateLimiter(rate: RateLimit): RateLimiter {
  return { ...rate, buckets: new Map() }
}

/** Takes a token; else the seconds until there is one. */
export function takeToken(limiter: RateLimiter, name: string, nowMs: number): number {
  const waitSeconds = secondsUntilToken(limiter, name, nowMs)
  if (waitSeconds > 0) return waitSeconds
  const tokens = tokensOf(limiter, name, nowMs) - 1
  limiter.buckets.delete(name)
  limiter.buckets.set(name, { tokens, atMs: nowMs })
  if (limiter.buckets.size > maxBuckets) limiter.buckets.delete(limiter.buckets.keys().next().value!)
  return 0
}

/** The seconds until there is a token, without taking it. */
export function secondsUntilToken(limiter: RateLimiter, name: string, nowMs: number): number {
  const missing = 1 - tokensOf(limiter, name, nowMs)
  return missing <= 0 ? 0 : missing / limiter.perSecond
}

/** Past that, whoever asked longest ago begins anew. */
const maxBuckets = 20_000

/** A clock that goes back takes nothing away. */
function tokensOf({ buckets, perSecond, burst }: RateLimiter, name: string, nowMs: number): number {
  const bucket = buckets.get(name)
  if (!bucket) return burst
  return Math.min(burst, bucket.tokens + (Math.max(0, nowMs - bucket.atMs) / 1000) * perSecond)
}
