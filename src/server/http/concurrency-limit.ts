// How many are served at the same time. Only those whose work is under way count: whoever has no key, or is told no, takes no place of
// others however slowly they send; and one key leaves room for the rest.

import { count, type Metrics } from './metrics.ts'
import { RetryProblem } from './responses.ts'

export interface ConcurrencyLimit {
  max: number
  maxPerKey: number
  active: number
  activeByKey: Map<string, number>
}

export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  return { max, maxPerKey: Math.ceil(max / 5), active: 0, activeByKey: new Map() }
}

/** The answer is how to leave again. */
export function acquireSlot(crowd: ConcurrencyLimit, metrics: Metrics): () => void {
  if (crowd.active >= crowd.max) throw tooManyRequests(metrics, 'instance')
  crowd.active++
  return () => {
    crowd.active--
  }
}

export async function withKeySlot<T>(
  crowd: ConcurrencyLimit,
  metrics: Metrics,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const { activeByKey: byKey, maxPerKey: maxOfOneKey } = crowd
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
