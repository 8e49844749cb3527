// Limits how many requests run at the same time, in total and per key. Only requests in progress
// count: a client without a valid key takes no slot, however slowly it sends, and one key cannot
// take all slots.
import { maxShareOfOneKey } from './limits.ts'
import { count, type Metrics } from './metrics.ts'
import { RetryProblem } from './responses.ts'

export interface ConcurrencyLimit {
  max: number
  maxPerKey: number
  active: number
  activeByKey: Map<string, number>
}

export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  return { max, maxPerKey: Math.ceil(max * maxShareOfOneKey), active: 0, activeByKey: new Map() }
}

/** Returns the function that releases the slot. */
export function acquireSlot(limit: ConcurrencyLimit, metrics: Metrics): () => void {
  if (limit.active >= limit.max) throw tooManyRequests(metrics, 'instance')
  limit.active++
  return () => {
    limit.active--
  }
}

export async function withKeySlot<T>(
  limit: ConcurrencyLimit,
  metrics: Metrics,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const { activeByKey: byKey, maxPerKey: maxOfOneKey } = limit
  const size = byKey.get(key) ?? 0
  if (size >= maxOfOneKey) throw tooManyRequests(metrics, 'key')
  byKey.set(key, size + 1)
  try {
    return await work()
  } finally {
    const left = byKey.get(key)! - 1
    if (left > 0) byKey.set(key, left)
    else byKey.delete(key)
  }
}

function tooManyRequests(metrics: Metrics, by: string): RetryProblem {
  count(metrics, 'recollect_rate_limited_total', { by })
  return new RetryProblem(503, 'busy', 'Too many requests at the same time', 1)
}
