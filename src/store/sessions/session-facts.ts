// What a summary of all sessions needs of each, without its text.
import type { Lineage } from '../../core/session.ts'
import type { Ledger } from '../ledger.ts'
import { shownTitle } from './shown-title.ts'

export interface SessionFacts {
  /** Row id. */
  number: number
  id: string
  agent: string
  lineage: Lineage
  /** Id of the session that started this one. */
  parent: string | null
  project: string | null
  startedMs: number | null
  endedMs: number | null
  events: number
  prompts: number
  outcome: string | null
  kind: string | null
  capturedAt: string
}

/** Sessions that were captured or grew at or after a time; all of them without one. */
export function sessionFacts(ledger: Ledger, capturedSince = ''): SessionFacts[] {
  return ledger
    .sql(
      `SELECT s.id AS number, s.uid AS id, s.agent, s.kind AS lineage, s.parent, p.key AS project, s.started AS startedMs,
         s.ended AS endedMs, s.events, s.prompts, d.outcome, d.kind, s.captured_at AS capturedAt
       FROM sessions s LEFT JOIN projects p ON p.id = s.project LEFT JOIN digests d ON d.session = s.id
       WHERE s.captured_at >= ?`,
    )
    .all(capturedSince) as unknown as SessionFacts[]
}

export function countSessions(ledger: Ledger): number {
  return Number(ledger.sql('SELECT count(*) AS count FROM sessions').get()!.count)
}

/** Changes whenever this or another process has written to the ledger. */
export function changeVersion(ledger: Ledger): string {
  return `${dataVersion(ledger)}:${ledger.sql('SELECT total_changes() AS count').get()!.count}`
}

/** Changes whenever another process has written to the ledger. */
export function dataVersion(ledger: Ledger): number {
  return Number(ledger.sql('PRAGMA data_version').get()!.data_version)
}

/** Row ids of sessions whose title, project or folder contains all words. */
export function sessionsMentioning(ledger: Ledger, words: readonly string[]): Set<number> {
  const text = `lower(coalesce(${shownTitle}, '') || ' ' || coalesce(p.name, '') || ' ' || coalesce(s.cwd, '') || ' ' || s.uid)`
  const rows = ledger
    .sql(
      `SELECT s.id FROM sessions s LEFT JOIN projects p ON p.id = s.project LEFT JOIN digests d ON d.session = s.id
       WHERE NOT EXISTS (SELECT 1 FROM json_each(?) word WHERE instr(${text}, word.value) = 0)`,
    )
    .all(JSON.stringify(words.map((word) => word.toLowerCase())))
  return new Set(rows.map(({ id }) => Number(id)))
}
