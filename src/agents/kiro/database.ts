// Reads data.sqlite3 of Kiro CLI 1 and 2 and of Amazon Q CLI: a conversation is one JSON value. The
// table `conversations` has one row per folder (source of amazon-q-developer-cli, April 2026);
// `conversations_v2` has one per conversation and folder (documentation only).
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Json } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, readChanged, withDatabase } from '../database.ts'
import { asIsoTime, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { readHistory } from './history.ts'

/** Emits the conversations that changed since the last read; the memo holds the version of each. */
export function readDatabase(path: string, out: ReaderOutput, memo: Json | undefined): Json | undefined {
  const versions = withDatabase(path, out, (database) => {
    const rows = conversationRows(database)
    return readChanged(
      out,
      memo,
      rows.map((row) => ({ id: row.id, version: row.version, read: () => readRow(database, row, path, out) })),
    )
  })
  return versions ?? memo
}

interface ConversationRow {
  /** The id of the conversation, or the folder in the older table. */
  id: string
  version: string
  cwd: string
  started?: string
  ended?: string
  /** Selects the value. */
  sql: string
  values: string[]
}

function conversationRows(database: ForeignDatabase): ConversationRow[] {
  const rows = new Map<string, ConversationRow>()
  if (database.columns('conversations').has('value')) {
    for (const row of database.rows('SELECT key, octet_length(value) AS size FROM conversations ORDER BY key')) {
      const cwd = asString(row.key)
      const sql = 'SELECT value FROM conversations WHERE key = ?'
      rows.set(`${cwd}/`, { id: `${cwd}/`, version: String(row.size), cwd, sql, values: [cwd] })
    }
  }
  if (database.columns('conversations_v2').has('conversation_id')) {
    // Moving to another folder leaves the old row behind: the last one read is the newest.
    const newest = `SELECT key, conversation_id, created_at, updated_at, octet_length(value) AS size
      FROM conversations_v2 ORDER BY updated_at, key`
    for (const row of database.rows(newest)) {
      const [cwd, id] = [asString(row.key), asString(row.conversation_id)]
      rows.set(id, {
        id,
        version: `${row.updated_at}/${row.size}`,
        cwd,
        started: asIsoTime(row.created_at) ?? undefined,
        ended: asIsoTime(row.updated_at) ?? undefined,
        sql: 'SELECT value FROM conversations_v2 WHERE conversation_id = ? AND key = ?',
        values: [id, cwd],
      })
    }
  }
  return [...rows.values()]
}

function readRow(database: ForeignDatabase, row: ConversationRow, path: string, out: ReaderOutput): void {
  const value = parseJson(asString(database.rows(row.sql, ...row.values)[0]?.value))
  if (typeof value !== 'object' || value === null) return out.problem(0, `the conversation in ${row.cwd} is no JSON`)
  const conversation: JsonObject = asObject(value)
  const id = optionalString(conversation.conversation_id) ?? row.id
  if (hasLog(path, id) || (row.id !== id && isInNewerTable(database, id))) return
  readHistory(conversation, { id, cwd: row.cwd, started: row.started, ended: row.ended, out })
}

/**
 * A conversation may also be in the newer store. All systems keep the database three folders below
 * the home.
 */
function hasLog(path: string, id: string): boolean {
  const home = dirname(dirname(dirname(dirname(path))))
  return existsSync(join(home, '.kiro', 'sessions', 'cli', `${id}.jsonl`))
}

function isInNewerTable(database: ForeignDatabase, id: string): boolean {
  if (!database.columns('conversations_v2').has('conversation_id')) return false
  return database.rows('SELECT 1 FROM conversations_v2 WHERE conversation_id = ?', id).length > 0
}
