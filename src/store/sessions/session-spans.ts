// When sessions began, and how much they had models read and write: what measuring needs besides their digests.
import type { Ledger } from '../ledger.ts'

export interface SessionTokens {
  startedMs: number
  /** With all the subagents it started; null where the agent does not tell. */
  tokens: number | null
}

/** By the row id of the session. Joined here: SQLite would look through all that was spent for each of them. */
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
