import { isoTime } from '../../core/clock.ts'
import type { Usage } from '../../core/session.ts'
import type { UsageCounts } from '../cost/counts.ts'
import type { Ledger } from '../ledger.ts'
import { hashKey } from './events.ts'

/**
 * Saves the usage of a response once, for the session captured first. A later record of it may have
 * a larger output count. Of lower bounds the larger of each count stays: some agents tell only what the
 * last request used, which may be less than an earlier one.
 */
export function saveUsage(ledger: Ledger, agent: string, session: number, usage: Usage, costUsd: number | null): void {
  saveHashedUsage(ledger, session, { ...usage, key: hashKey(agent, usage.key) }, costUsd)
}

/** As `saveUsage`, with a key that already comes from `hashKey`. */
export function saveHashedUsage(ledger: Ledger, session: number, usage: Usage, costUsd: number | null): void {
  ledger
    .sql(
      `INSERT INTO usage (key, session, ts, model, input, cache_read, cache_write, cache_write_1h, output, reasoning,
         cost_usd, is_agent_cost, is_lower_bound)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO UPDATE SET
         ts = excluded.ts, model = excluded.model, ${countsAfterConflict}, is_agent_cost = excluded.is_agent_cost,
         is_lower_bound = excluded.is_lower_bound
       WHERE excluded.output >= output OR ${areLowerBounds}`,
    )
    .run(
      Buffer.from(usage.key, 'base64'),
      session,
      usage.ts === null ? null : Date.parse(usage.ts),
      usage.model,
      usage.input,
      usage.cacheRead,
      usage.cacheWrite,
      usage.cacheWrite1h,
      usage.output,
      usage.reasoning,
      costUsd,
      usage.costUsd === undefined ? 0 : 1,
      usage.isLowerBound ? 1 : 0,
    )
}

const areLowerBounds = '(is_lower_bound AND excluded.is_lower_bound)'

const countsAfterConflict = 'input cache_read cache_write cache_write_1h output reasoning cost_usd'
  .split(' ')
  .map((name) => {
    const larger = `max(coalesce(${name}, excluded.${name}), coalesce(excluded.${name}, ${name}))`
    return `${name} = CASE WHEN ${areLowerBounds} THEN ${larger} ELSE excluded.${name} END`
  })
  .join(', ')

export function hasUsage(ledger: Ledger, session: number): boolean {
  return ledger.sql('SELECT 1 FROM usage WHERE session = ? LIMIT 1').get(session) !== undefined
}

export interface StoredUsage {
  /** The key comes from `hashKey`; a cost that the agent recorded is included. */
  usage: Usage
  costUsd: number | null
}

/** Usage of a session in order of time. */
export function sessionUsage(
  ledger: Ledger,
  session: number,
  { from, limit }: { from: number; limit: number },
): StoredUsage[] {
  return ledger
    .sql('SELECT * FROM usage WHERE session = ? ORDER BY ts IS NULL, ts, key LIMIT ? OFFSET ?')
    .all(session, limit, from)
    .map((row) => {
      const costUsd = row.cost_usd as number | null
      const own = row.is_agent_cost === 1 && costUsd !== null ? { costUsd } : {}
      const bound = row.is_lower_bound === 1 ? { isLowerBound: true } : {}
      const key = Buffer.from(row.key as Uint8Array).toString('base64')
      return { usage: { ...usageOf(row), key, ...own, ...bound }, costUsd }
    })
}

/**
 * Usage of a time, grouped by session, model and quarter of an hour, which is fine enough for
 * any report.
 */
export function usageRows(ledger: Ledger, filter: UsageFilter): Iterable<UsageRow> {
  // The order of the join is fixed: for a few sessions, SQLite would otherwise scan all usage.
  const source = filter.sessions
    ? 'json_each($sessions) wanted CROSS JOIN usage u ON u.session = wanted.value'
    : 'usage u'
  return ledger
    .sql(
      `SELECT coalesce(u.ts, s.ended) / 900000 AS quarter, u.model, s.agent, p.key AS project, u.session,
         count(*) AS responses, sum(u.input) AS input, sum(u.cache_read) AS cacheRead,
         sum(u.cache_write + u.cache_write_1h) AS cacheWrite, sum(u.output) AS output,
         coalesce(sum(u.cost_usd), 0) AS costUsd, sum(u.cost_usd IS NULL) AS unpriced, sum(u.is_lower_bound AND NOT u.is_agent_cost) AS lowerBounds,
         min(coalesce(u.ts, s.ended)) AS firstMs, max(coalesce(u.ts, s.ended)) AS lastMs
       FROM ${source} JOIN sessions s ON s.id = u.session LEFT JOIN projects p ON p.id = s.project
       WHERE ($since IS NULL OR coalesce(u.ts, s.ended) >= $since)
         AND ($until IS NULL OR coalesce(u.ts, s.ended) < $until) AND ($agent IS NULL OR s.agent = $agent)
         AND ($project IS NULL OR p.key = $project)${filter.range ? ' AND u.session BETWEEN $first AND $last' : ''}
       GROUP BY quarter, u.model, u.session ORDER BY quarter`,
    )
    .iterate({
      since: filter.sinceMs ?? null,
      until: filter.untilMs ?? null,
      agent: filter.agent ?? null,
      project: filter.project ?? null,
      ...(filter.sessions ? { sessions: JSON.stringify(filter.sessions) } : {}),
      ...(filter.range ?? {}),
    }) as Iterable<unknown> as Iterable<UsageRow>
}

export interface UsageFilter {
  sinceMs?: number
  /** Not included. */
  untilMs?: number
  agent?: string
  project?: string
  /** Row ids of sessions. */
  sessions?: readonly number[]
  /** Row ids of the first and the last session: SQLite groups in memory, so all at once takes much of it. */
  range?: { first: number; last: number }
}

export interface UsageRow extends UsageCounts {
  /** Quarters of an hour since 1970, because time zones differ by multiples of them. */
  quarter: number | null
  /** Times of the first and the last response. */
  firstMs: number | null
  lastMs: number | null
  model: string | null
  agent: string
  project: string | null
  session: number
}

/** Recomputes prices of responses without a cost recorded by the agent; returns how many. */
export function repriceUsage(ledger: Ledger, priceOf: (usage: Usage) => number | null): number {
  const rows = ledger.sql('SELECT * FROM usage WHERE is_agent_cost = 0').all()
  for (const row of rows)
    ledger.sql('UPDATE usage SET cost_usd = ? WHERE key = ?').run(priceOf(usageOf(row)), row.key as Uint8Array)
  return rows.length
}

function usageOf(row: Record<string, unknown>): Usage {
  return {
    key: '',
    ts: row.ts === null ? null : isoTime(Number(row.ts)),
    model: row.model as string | null,
    input: Number(row.input),
    cacheRead: Number(row.cache_read),
    cacheWrite: Number(row.cache_write),
    cacheWrite1h: Number(row.cache_write_1h),
    output: Number(row.output),
    reasoning: Number(row.reasoning),
  }
}

interface SessionTokens {
  startedMs: number
  /** Tokens including those of subagents; null when the agent does not record them. */
  tokens: number | null
}

/** By row id. Joined in memory, because SQLite would scan all usage for each session. */
export function sessionTokens(ledger: Ledger): Map<number, SessionTokens> {
  const spans = new Map<number, SessionTokens>()
  const begun = ledger
    .sql("SELECT id, coalesce(started, ended, 0) AS startedMs FROM sessions WHERE kind <> 'subagent'")
    .iterate()
  for (const { id, startedMs } of begun) spans.set(Number(id), { startedMs: Number(startedMs), tokens: null })
  const spent = ledger
    .sql(
      `WITH spent AS MATERIALIZED (
         SELECT session, sum(input + cache_read + cache_write + cache_write_1h + output) AS tokens FROM usage GROUP BY session)
       SELECT coalesce(parent.id, s.id) AS id, spent.tokens FROM spent JOIN sessions s ON s.id = spent.session
       LEFT JOIN sessions parent ON s.kind = 'subagent' AND parent.uid = s.parent`,
    )
    .iterate()
  for (const { id, tokens } of spent) {
    const span = spans.get(Number(id))
    if (span) span.tokens = (span.tokens ?? 0) + Number(tokens)
  }
  return spans
}
