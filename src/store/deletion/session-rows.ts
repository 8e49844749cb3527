// The rows of sessions that are deleted: read for the archive, removed, and written back by undo.
// Passages are not archived, because they are made again from the body.
import type { SQLInputValue } from '../../core/sqlite.ts'
import type { Ledger } from '../ledger.ts'
import { seqSpan } from '../sessions/events.ts'
import { scheduleBodyDeletion } from '../sessions/evictions.ts'
import { deleteSession } from '../sessions/sessions.ts'
import { shownTitle } from '../sessions/shown-title.ts'

export interface SessionToDelete {
  id: number
  uid: string
  agent: string
  kind: string
  title: string | null
  project: string | null
  cwd: string | null
  /** Path of its transcript; null if it was received. */
  source: string | null
  /** Machine that it was received from. */
  origin: string | null
  endedMs: number | null
  events: number
  body: string | null
  bytes: number
  /** Days of its journal entries. */
  days: string[]
  isSent: boolean
}

export interface DeletionFilter {
  uids?: readonly string[]
  project?: string
  agent?: string
  beforeMs?: number
}

/** Sessions that match all of the filter, earliest first, with their subagents. */
export function sessionsToDelete(
  ledger: Ledger,
  { uids, project, agent, beforeMs }: DeletionFilter,
): SessionToDelete[] {
  return ledger
    .sql(
      `WITH RECURSIVE chosen (uid) AS (
         SELECT s.uid FROM sessions s LEFT JOIN projects p ON p.id = s.project
         WHERE ($uids IS NULL OR s.uid IN (SELECT value FROM json_each($uids)))
           AND ($project IS NULL OR p.key = $project) AND ($agent IS NULL OR s.agent = $agent)
           AND ($before IS NULL OR coalesce(s.ended, unixepoch(s.captured_at) * 1000) < $before)
         UNION SELECT child.uid FROM sessions child JOIN chosen ON child.parent = chosen.uid)
       SELECT s.*, ${shownTitle} AS shown_title, p.key AS project_key, r.origin,
         (SELECT json_group_array(e.day ORDER BY e.day) FROM journal_entries e WHERE e.session = s.id) AS days,
         EXISTS (SELECT 1 FROM sent_sessions t WHERE t.uid = s.uid AND NOT t.is_withdrawn) AS is_sent
       FROM sessions s LEFT JOIN projects p ON p.id = s.project LEFT JOIN digests d ON d.session = s.id
       LEFT JOIN received_sessions r ON r.uid = s.uid
       WHERE s.uid IN (SELECT uid FROM chosen) ORDER BY s.started, s.uid`,
    )
    .all({
      uids: uids ? JSON.stringify(uids) : null,
      project: project ?? null,
      agent: agent ?? null,
      before: beforeMs ?? null,
    })
    .map((row) => ({
      id: Number(row.id),
      uid: String(row.uid),
      agent: String(row.agent),
      kind: String(row.kind),
      title: row.shown_title as string | null,
      project: row.project_key as string | null,
      cwd: row.cwd as string | null,
      source: transcriptOf(ledger, String(row.uid), row.source as string | null),
      origin: row.source === null ? (row.origin as string | null) : null,
      endedMs: row.ended as number | null,
      events: Number(row.events),
      body: row.body as string | null,
      bytes: Number(row.body_bytes),
      days: JSON.parse(String(row.days)) as string[],
      isSent: row.is_sent === 1,
    }))
}

/** The last file that told something may be an index; the one that is named after the session is better. */
function transcriptOf(ledger: Ledger, uid: string, source: string | null): string | null {
  const native = uid.slice(uid.indexOf(':') + 1)
  if (source === null || source.includes(native)) return source
  const row = ledger.sql('SELECT path FROM cursors WHERE instr(path, ?) > 0 ORDER BY length(path) LIMIT 1').get(native)
  return row ? String(row.path) : source
}

/** Other sessions that begin with events of these, as forks or with another agent. */
export function sessionsInheritingFrom(ledger: Ledger, ids: readonly number[]): string[] {
  return ledger
    .sql(
      `WITH gone AS MATERIALIZED (SELECT value AS id FROM json_each($ids))
       SELECT DISTINCT s.uid FROM inherited i JOIN events e ON e.key = i.key JOIN sessions s ON s.id = i.session
       WHERE e.id / ${seqSpan} IN (SELECT id FROM gone) AND i.session NOT IN (SELECT id FROM gone)
       UNION SELECT s.uid FROM handoffs h JOIN sessions s ON s.uid = h.uid JOIN sessions o ON o.uid = h.origin
       WHERE o.id IN (SELECT id FROM gone) AND s.id NOT IN (SELECT id FROM gone) ORDER BY 1`,
    )
    .all({ ids: JSON.stringify(ids) })
    .map((row) => String(row.uid))
}

export interface ArchivedRow {
  table: string
  row: Record<string, SQLInputValue>
}

/** A row that undo writes over the present one; the others are added if they are missing. */
const replacedTables: ReadonlySet<string> = new Set(['model_calls', 'changes', 'memory_versions'])

/** Their number is only an order: a row whose number was used again gets another one. */
const numberedTables: ReadonlySet<string> = new Set(['work_log', 'dead_letters'])

/** Tables with rows of a session, and the condition that finds them by `$id` and `$uid`. */
export const sessionTables: Readonly<Record<string, string>> = {
  sessions: 'id = $id',
  events: `id >= $id * ${seqSpan} AND id < ($id + 1) * ${seqSpan}`,
  inherited: 'session = $id',
  usage: 'session = $id',
  digests: 'session = $id',
  summaries: 'session = $id',
  touched: 'session = $id',
  fixes: 'session = $id',
  program_runs: 'session = $id',
  session_notes: 'session = $id',
  session_folds: 'session = $id',
  journal_entries: 'session = $id',
  shown: 'session = $id',
  hook_events: 'session = $uid',
  work_log: 'session = $uid',
  dead_letters: 'session = $uid',
  model_calls: 'session = $uid',
  received_sessions: 'uid = $uid',
  received_parts: 'uid = $uid',
  patterns: `EXISTS (SELECT 1 FROM json_each(pattern, '$.examples') e WHERE e.value ->> 'session' = $uid)`,
}

export function* rowsOfSession(ledger: Ledger, session: Pick<SessionToDelete, 'id' | 'uid'>): Generator<ArchivedRow> {
  for (const [table, condition] of Object.entries(sessionTables)) {
    const columns = columnsOf(ledger, table).join(', ')
    const rows = ledger.raw.prepare(`SELECT ${columns} FROM ${table} WHERE ${condition}`)
    for (const row of rows.iterate(parametersOf(condition, session)))
      yield { table, row: { ...row } as ArchivedRow['row'] }
  }
}

/** Calls of models keep their cost, for the budget. */
export function deleteRowsOfSession(ledger: Ledger, session: Pick<SessionToDelete, 'id' | 'uid' | 'body'>): void {
  const { id, uid, body } = session
  for (const table of ['work_log', 'dead_letters', 'received_sessions', 'received_parts', 'patterns']) {
    const condition = sessionTables[table]!
    ledger.sql(`DELETE FROM ${table} WHERE ${condition}`).run(parametersOf(condition, session))
  }
  ledger.sql('UPDATE model_calls SET session = NULL, refused = NULL, drop_reasons = NULL WHERE session = ?').run(uid)
  deleteSession(ledger, id)
  if (body) scheduleBodyDeletion(ledger, body)
}

function parametersOf(
  condition: string,
  { id, uid }: Pick<SessionToDelete, 'id' | 'uid'>,
): Record<string, SQLInputValue> {
  return { ...(condition.includes('$id') ? { id } : {}), ...(condition.includes('$uid') ? { uid } : {}) }
}

/** `projects` maps row ids of projects at the time of the deletion to those of today. */
export function restoreRow(ledger: Ledger, { table, row }: ArchivedRow, projects: ReadonlyMap<number, number>): void {
  // A ledger that was updated since may have lost a column.
  const columns = columnsOf(ledger, table).filter((column) => column in row)
  const values = { ...row }
  if (table === 'sessions' && values.project !== null)
    values.project = projects.get(Number(values.project)) ?? values.project!
  const isTaken = numberedTables.has(table) && hasRow(ledger, table, values.id!)
  const used = isTaken ? columns.filter((column) => column !== 'id') : columns
  const verb = replacedTables.has(table) ? 'INSERT OR REPLACE' : 'INSERT OR IGNORE'
  ledger
    .sql(`${verb} INTO ${table} (${used.join(', ')}) VALUES (${used.map(() => '?').join(', ')})`)
    .run(...used.map((column) => values[column]!))
}

function hasRow(ledger: Ledger, table: string, id: SQLInputValue): boolean {
  return ledger.sql(`SELECT 1 FROM ${table} WHERE id = ?`).get(id) !== undefined
}

/** Without generated columns, which cannot be written. */
function columnsOf(ledger: Ledger, table: string): string[] {
  return ledger
    .sql('SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0')
    .all(table)
    .map((row) => String(row.name))
}

export interface ArchivedProject {
  id: number
  key: string
  name: string
  kind: string
  domain: string | null
}

export function projectsOfSessions(ledger: Ledger, ids: readonly number[]): ArchivedProject[] {
  return ledger
    .sql(
      `SELECT * FROM projects WHERE id IN (
         SELECT project FROM sessions WHERE id IN (SELECT value FROM json_each(?)))`,
    )
    .all(JSON.stringify(ids))
    .map((row) => ({ ...row }) as unknown as ArchivedProject)
}

/** Returns the row id of the project, which may be another one now. */
export function restoreProject(ledger: Ledger, { id, key, name, kind, domain }: ArchivedProject): number {
  const known = ledger.sql('SELECT id FROM projects WHERE key = ?').get(key)
  if (known) return Number(known.id)
  const isFree = !hasRow(ledger, 'projects', id)
  const row = ledger
    .sql('INSERT INTO projects (id, key, name, kind, domain) VALUES (?, ?, ?, ?, ?) RETURNING id')
    .get(isFree ? id : null, key, name, kind, domain)!
  return Number(row.id)
}
