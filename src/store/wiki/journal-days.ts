// The days of the journal as a list.
import type { Ledger } from '../ledger.ts'
import { shownTitle } from '../sessions/shown-title.ts'
import type { DayTotals } from './journal.ts'

export interface ListedDay extends DayTotals {
  day: string
}

/** Days with entries, the latest first. */
export function listedDays(ledger: Ledger): ListedDay[] {
  return ledger
    .sql(
      `SELECT day, coalesce(sum(written_by <> 'none'), 0) AS sessions,
         coalesce(sum(written_by = 'none'), 0) AS starts, coalesce(sum(cost_usd), 0) AS costUsd, coalesce(sum(responses), 0) AS responses,
         coalesce(sum(unpriced), 0) AS unpriced
       FROM journal_entries GROUP BY day ORDER BY day DESC`,
    )
    .all() as unknown as ListedDay[]
}

/** Titles of the sessions of these days by day; those that cost most come first. */
export function titlesOfDays(ledger: Ledger, days: readonly string[]): Map<string, string[]> {
  const rows = ledger
    .sql(
      `SELECT e.day, ${shownTitle} AS title FROM journal_entries e JOIN sessions s ON s.id = e.session
         LEFT JOIN digests d ON d.session = s.id
       WHERE e.day IN (SELECT value FROM json_each(?)) AND s.kind <> 'subagent' AND e.written_by <> 'none'
       ORDER BY e.day, e.cost_usd DESC, s.prompts DESC, s.uid`,
    )
    .all(JSON.stringify(days))
    .filter(({ title }) => title !== null && title !== '')
  const byDay = Map.groupBy(rows, ({ day }) => String(day))
  return new Map([...byDay].map(([day, own]) => [day, own.map(({ title }) => String(title))]))
}
