// How many are served at the same time. Only those whose work is under way count: whoever has no key, or is told no, takes no place of
// others however slowly they send; and one key leaves room for the rest.
import { RetryProblem } from './answer.ts'
import { count, type Metrics } from './metrics.ts'

export interface Crowd {
  max: number
  maxOfOneKey: number
  size: number
  byKey: Map<string, number>
}

export function createCrowd(max: number): Crowd {
  return { max, maxOfOneKey: Math.ceil(max / 5), size: 0, byKey: new Map() }
}

/** The answer is how to leave again. */
export function enter(crowd: Crowd, metrics: Metrics): () => void {
  if (crowd.size >= crowd.max) throw full(metrics, 'instance')
  crowd.size++
  return () => {
    crowd.size--
  }
}

export async function enterWith<T>(crowd: Crowd, metrics: Metrics, key: string, work: () => Promise<T>): Promise<T> {
  const { byKey, maxOfOneKey } = crowd
  const size = byKey.get(key) ?? 0
  if (size >= maxOfOneKey) throw full(metrics, 'key')
  byKey.set(key, size + 1)
  try {
    return await work()
  } finally {
    const left = byKey.get(key)! - 1
    if (left > 0) byKey.set(key, left)
    else byKey.delete(key)
  }
}

function full(metrics: Metrics, by: string): RetryProblem {
  count(metrics, 'recollect_rate_limited_total', { by })
  return new RetryProblem(503, 'busy', 'Too many requests at the same time', 1)
}
