// The work log: what became of hook events and sessions in the runs of sweep and worker, also if
// nothing did. It answers why nothing was learned, so it keeps a bounded number of rows.
import type { Ledger } from './ledger.ts'

export const workKinds = [
  'run', // a sweep, or a part of one, that did something; the detail is in numbers
  'captured', // a hook event whose session was captured
  'coalesced', // a hook event that was handled together with another one of its session
  'no transcript', // a hook event of a session that is not known
  'read', // by rules
  'judged', // by a model
  'waits', // for a model; the question is kept
  'postponed', // until the session is at rest
  'skipped', // and why
  'dropped', // elements of an answer that could not be used
  'denied', // a tool that a fork of a session wanted to use
  'failed',
  'deleted', // by the user
  'held back', // from agents, because it may harm, and why
] as const
export type WorkKind = (typeof workKinds)[number]

export interface WorkLogEntry {
  atMs: number
  /** '' if it is about no session. */
  session: string
  what: WorkKind
  detail: string
  /** How long it took, where that is known. */
  ms: number | null
}

/** Rows that are kept. */
const maxRows = 4000
const maxDetailLength = 500

/** The row belongs to the run of the ledger, if it was opened for one. */
export function logWork(ledger: Ledger, entry: Omit<WorkLogEntry, 'ms'> & { ms?: number }): void {
  const { atMs, session, what, detail, ms = null } = entry
  const { lastInsertRowid } = ledger
    .sql('INSERT INTO work_log (at, session, what, detail, ms, run) VALUES (?, ?, ?, ?, ?, ?)')
    .run(Math.floor(atMs), session, what, detail.slice(0, maxDetailLength), ms, ledger.runMs ?? null)
  ledger.sql('DELETE FROM work_log WHERE id <= ?').run(Number(lastInsertRowid) - maxRows)
}

/** Does nothing if the log has the same row of the session already: sessions are read repeatedly. */
export function logWorkOnce(ledger: Ledger, entry: Omit<WorkLogEntry, 'ms'>): void {
  const { session, what, detail } = entry
  const row = ledger
    .sql('SELECT 1 FROM work_log WHERE session = ? AND what = ? AND detail = ? LIMIT 1')
    .get(session, what, detail.slice(0, maxDetailLength))
  if (!row) logWork(ledger, entry)
}

/** Without the rows of runs, the newest first. */
export function readWorkLog(ledger: Ledger, { limit = maxRows, session }: WorkLogFilter = {}): WorkLogEntry[] {
  return ledger
    .sql(
      `SELECT * FROM work_log WHERE what <> 'run' AND ($session IS NULL OR session = $session)
       ORDER BY id DESC LIMIT $limit`,
    )
    .all({ limit, session: session ?? null })
    .map(entryOf)
}

export interface WorkLogFilter {
  limit?: number | undefined
  /** Only rows of this session. */
  session?: string | undefined
}

/** A sweep, or a worker with all of its sweeps. */
export interface WorkRun {
  atMs: number
  /** What each part did; none if the run was killed, or only wrote rows. */
  parts: WorkLogEntry[]
  /** In the order in which they were written. */
  entries: WorkLogEntry[]
}

/** The newest first. */
export function readRuns(ledger: Ledger, { limit = 20, session }: WorkLogFilter = {}): WorkRun[] {
  const rows = ledger
    .sql(
      `WITH recent AS MATERIALIZED (
         SELECT coalesce(run, at) AS run FROM work_log WHERE $session IS NULL OR session = $session
         GROUP BY 1 ORDER BY 1 DESC LIMIT $limit)
       SELECT *, coalesce(run, at) AS begun FROM work_log
       WHERE coalesce(run, at) IN (SELECT run FROM recent)
         AND ($session IS NULL OR session = $session OR what = 'run') ORDER BY begun DESC, id`,
    )
    .all({ limit, session: session ?? null })
  return [...Map.groupBy(rows, (row) => Number(row.begun))].map(([atMs, ofRun]) => {
    const entries = ofRun.map(entryOf)
    return {
      atMs,
      parts: entries.filter(({ what }) => what === 'run'),
      entries: entries.filter(({ what }) => what !== 'run'),
    }
  })
}

/** Whether a run has written a row. */
export function hasRunRows(ledger: Ledger): boolean {
  return ledger.sql('SELECT 1 FROM work_log WHERE run = ? LIMIT 1').get(ledger.runMs ?? null) !== undefined
}

function entryOf(row: Record<string, unknown>): WorkLogEntry {
  return {
    atMs: Number(row.at),
    session: String(row.session),
    what: row.what as WorkKind,
    detail: String(row.detail),
    ms: row.ms as number | null,
  }
}
