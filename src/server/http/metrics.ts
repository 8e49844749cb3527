// Metrics in the Prometheus text format 0.0.4, by route and result, never by user or content.
// Includes the database wrapper that counts queries.
import type { ServerDatabase } from '../database/database.ts'

const counters = {
  recollect_requests_total: 'Requests by route and status.',
  recollect_pushes_total: 'Batches that were pushed.',
  recollect_pushed_items_total: 'Items that were pushed, by what became of them.',
  recollect_pulls_total: 'Pages that were pulled.',
  recollect_recalls_total: 'Recalls.',
  recollect_recall_redirects_total: 'Recalled memories that were given in place of one that they supersede.',
  recollect_recall_attached_total: 'Memories that were attached to recalls because they resolve others.',
  recollect_rate_limited_total: 'Requests that came too fast, by what stopped them.',
  recollect_connections_refused_total: 'Connections that were closed at once, by the limit that they exceeded.',
  recollect_problems_total: 'Requests that were refused or failed, by the code of the problem.',
  recollect_keys_refused_total: 'Keys that were refused, by reason.',
  recollect_database_queries_total: 'Queries to the database.',
  recollect_database_errors_total: 'Queries and transactions that failed.',
} as const
type Counter = keyof typeof counters

const gauges = {
  recollect_requests_in_flight: 'Requests that are being answered.',
  recollect_database_in_flight: 'Queries and transactions that are under way or wait for a connection.',
} as const
type Gauge = keyof typeof gauges

const boundsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

interface Histogram {
  counts: number[]
  sum: number
  count: number
}

export interface Metrics {
  counters: Record<Counter, Map<string, number>>
  gauges: Record<Gauge, number>
  /** Request durations by route, in seconds. */
  latency: Map<string, Histogram>
}

export function createMetrics(): Metrics {
  const empty = Object.keys(counters).map((name) => [name, new Map<string, number>()])
  return {
    counters: Object.fromEntries(empty) as Metrics['counters'],
    gauges: { recollect_requests_in_flight: 0, recollect_database_in_flight: 0 },
    latency: new Map(),
  }
}

export function count(metrics: Metrics, name: Counter, labels: Record<string, string> = {}, by = 1): void {
  const counts = metrics.counters[name]
  const key = labelText(labels)
  counts.set(key, (counts.get(key) ?? 0) + by)
}

export function observe(metrics: Metrics, route: string, seconds: number): void {
  const known = metrics.latency.get(route)
  const histogram = known ?? { counts: boundsSeconds.map(() => 0), sum: 0, count: 0 }
  if (!known) metrics.latency.set(route, histogram)
  const place = boundsSeconds.findIndex((bound) => seconds <= bound)
  if (place >= 0) histogram.counts[place]!++
  histogram.sum += seconds
  histogram.count++
}

/** `others` are counters kept elsewhere. */
export function metricsText(metrics: Metrics, others: Record<string, number> = {}): string {
  const lines: string[] = []
  for (const [name, help] of Object.entries(counters)) {
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} counter`)
    const counts = metrics.counters[name as Counter]
    for (const [labels, value] of counts.size === 0 ? [['', 0] as const] : counts)
      lines.push(`${name}${labels} ${value}`)
  }
  for (const [name, help] of Object.entries(gauges))
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, `${name} ${metrics.gauges[name as Gauge]}`)
  for (const [name, value] of Object.entries(others)) lines.push(`# TYPE ${name} counter`, `${name} ${value}`)
  lines.push(...latencyLines(metrics))
  lines.push('# TYPE process_resident_memory_bytes gauge', `process_resident_memory_bytes ${process.memoryUsage.rss()}`)
  return `${lines.join('\n')}\n`
}

function latencyLines({ latency }: Metrics): string[] {
  const name = 'recollect_request_seconds'
  const lines = [`# HELP ${name} How long requests took.`, `# TYPE ${name} histogram`]
  for (const [route, { counts, sum, count }] of latency) {
    let below = 0
    for (const [place, bound] of boundsSeconds.entries()) {
      below += counts[place]!
      lines.push(`${name}_bucket${labelText({ route, le: String(bound) })} ${below}`)
    }
    lines.push(`${name}_bucket${labelText({ route, le: '+Inf' })} ${count}`)
    lines.push(`${name}_sum${labelText({ route })} ${sum}`, `${name}_count${labelText({ route })} ${count}`)
  }
  return lines
}

function labelText(labels: Record<string, string>): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/["\\\n]/g, '_')}"`)
  return parts.length === 0 ? '' : `{${parts.join(',')}}`
}

export function instrumentDatabase(database: ServerDatabase, metrics: Metrics): ServerDatabase {
  const { gauges } = metrics
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    gauges.recollect_database_in_flight++
    try {
      return await work()
    } catch (error) {
      if (isDatabaseError(error)) count(metrics, 'recollect_database_errors_total')
      throw error
    } finally {
      gauges.recollect_database_in_flight--
    }
  }
  return {
    name: database.name,
    query(text, values) {
      count(metrics, 'recollect_database_queries_total')
      return counted(() => database.query(text, values))
    },
    transaction: (work) =>
      counted(() =>
        database.transaction((queries) =>
          work({
            query(text, values) {
              count(metrics, 'recollect_database_queries_total')
              return queries.query(text, values)
            },
          }),
        ),
      ),
    close: () => database.close(),
  }
}

/** Transactions also throw expected problems, which are no database errors. */
function isDatabaseError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && !('status' in error)
}
