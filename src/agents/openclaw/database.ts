// Reads openclaw-agent.sqlite, schema 23 as 2026.9.6 writes it; columns that older schemas lack are
// not selected. The entries of a session are a forest: all are read in the order in which they were
// written, and going back is recorded as a rewind, so that the path to the last entry remains.
import type { Json } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, hasRow, readChanged, withDatabase } from '../database.ts'
import { asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { openEntries } from './entries.ts'
import { originOf } from './session-index.ts'

/** Emits the sessions that changed since the last read; the memo holds the version of each. */
export function readDatabase(path: string, out: ReaderOutput, memo: Json | undefined): Json | undefined {
  const versions = withDatabase(path, out, (database) => {
    const sessions = sessionRows(database).map((row) => ({
      id: asString(row.session_id),
      version: versionColumns.map((name) => String(row[name] ?? '')).join('/'),
      read: () => readSession(database, row, out),
    }))
    return readChanged(out, memo, sessions)
  })
  return versions ?? memo
}

export function holdsSession(path: string, session: string): boolean {
  return hasRow(path, 'SELECT 1 FROM transcript_events WHERE session_id = ? LIMIT 1', session)
}

const windowColumns = ['session_id', 'session_key', 'updated_at', 'model']
const nodeColumns = `label display_name created_via created_actor_type parent_session_key spawned_by
  fork_source_session_id`.split(/\s+/)
const versionColumns = ['updated_at', 'newest', 'generation', 'label', 'display_name']

/** A key has one node and, after resets and roll-overs, several windows: each one is a session. */
function sessionRows(database: ForeignDatabase): JsonObject[] {
  const [windows, nodes] = [database.columns('session_windows'), database.columns('session_nodes')]
  if (!windows.has('session_id') || !database.columns('transcript_events').has('seq')) return []
  const columns = [
    ...windowColumns.filter((name) => windows.has(name)).map((name) => `w.${name}`),
    ...nodeColumns.filter((name) => nodes.has(name)).map((name) => `n.${name}`),
    '(SELECT max(seq) FROM transcript_events WHERE session_id = w.session_id) AS newest',
  ]
  // A rewritten session keeps its rows' numbers.
  if (database.columns('transcript_rewrite_watermarks').has('generation'))
    columns.push('(SELECT generation FROM transcript_rewrite_watermarks WHERE session_id = w.session_id) AS generation')
  const join = nodes.has('session_key') ? 'LEFT JOIN session_nodes n ON n.session_key = w.session_key' : ''
  return database.rows(`SELECT ${columns.join(', ')} FROM session_windows w ${join} ORDER BY w.session_id`)
}

function readSession(database: ForeignDatabase, row: JsonObject, out: ReaderOutput): void {
  const id = asString(row.session_id)
  const spawner = optionalString(row.spawned_by) ?? optionalString(row.parent_session_key)
  const origin = originOf(id, asString(row.session_key), row, spawner && currentSession(database, spawner))
  if (origin.isSkipped) return
  const reader = openEntries(id, out, undefined, origin)
  for (const event of database.rows('SELECT * FROM transcript_events WHERE session_id = ? ORDER BY seq', id)) {
    const entry = entryOf(event)
    if (entry) reader.record(entry, 0)
    else out.problem(0, `entry ${String(event.seq)} of ${id} is no JSON object`)
  }
}

function currentSession(database: ForeignDatabase, key: string): string | undefined {
  const [node] = database.rows('SELECT current_session_id FROM session_nodes WHERE session_key = ?', key)
  return optionalString(node?.current_session_id)
}

/** A large entry is compressed. */
function entryOf({ event_json: plain, event_zstd: compressed }: JsonObject): Record<string, Json> | undefined {
  const entry = asObject(parseJson(asString(plain) || decompressed(compressed)))
  return Object.keys(entry).length > 0 ? (entry as Record<string, Json>) : undefined
}

/** The schema allows 4 MiB. */
const maxEntryBytes = 16 * 1024 * 1024

function decompressed(blob: unknown): string {
  if (!(blob instanceof Uint8Array)) return ''
  try {
    const { zstdDecompressSync } = process.getBuiltinModule('node:zlib')
    return zstdDecompressSync(blob, { maxOutputLength: maxEntryBytes }).toString('utf8')
  } catch {
    return ''
  }
}
