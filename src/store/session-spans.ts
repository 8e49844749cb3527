// When sessions began, and how much they had models read and write: what measuring needs besides their digests.
import type { Ledger } from './ledger.ts'

export interface SessionSpan {
  id: number
  startedMs: number
  /** With all the subagents it started; null where the agent does not tell. */
  tokens: number | null
}

export function sessionSpans(ledger: Ledger): Map<number, SessionSpan> {
  const rows = ledger
    .sql(
      `WITH spent AS MATERIALIZED (
         SELECT session, sum(input + cache_read + cache_write + cache_write_1h + output) AS tokens FROM usage GROUP BY session),
         owned AS MATERIALIZED (
           SELECT coalesce(parent.id, s.id) AS id, sum(spent.tokens) AS tokens
           FROM spent JOIN sessions s ON s.id = spent.session
           LEFT JOIN sessions parent ON s.kind = 'subagent' AND parent.uid = s.parent GROUP BY 1)
       SELECT s.id, coalesce(s.started, s.ended, 0) AS startedMs, owned.tokens
       FROM sessions s LEFT JOIN owned ON owned.id = s.id WHERE s.kind <> 'subagent'`,
    )
    .iterate()
  const spans = new Map<number, SessionSpan>()
  for (const row of rows) spans.set(Number(row.id), row as unknown as SessionSpan)
  return spans
}
