// Reads the database of OpenCode 1.x: `message` and `part`, or `session_message` of the second
// schema.
import type { Json } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, readChanged, rowsAt, withDatabase } from '../database.ts'
import { asString, type JsonObject, parseJson } from '../json-values.ts'
import { createMessageReader } from './messages.ts'
import { readSession, type StoredMessage, type StoredPart, sessionOf } from './reader.ts'
import { readSessionMessage } from './session-messages.ts'

/** Emits the sessions that changed since the last read; the memo holds the version of each. */
export function readDatabase(path: string, out: ReaderOutput, memo: Json | undefined): Json | undefined {
  const versions = withDatabase(path, out, (database) => {
    const tables = tablesOf(database)
    const sessions = sessionRows(database, tables).map((row) => ({
      id: asString(row.id),
      version: versionColumns.map((name) => asString(row[name]) || String(row[name] ?? '')).join('/'),
      read: () => readOne(database, tables, row, out),
    }))
    return readChanged(out, memo, sessions)
  })
  return versions ?? memo
}

export function holdsSession(path: string, session: string): boolean {
  return rowsAt(path, 'SELECT 1 FROM session WHERE id = ?', session).length > 0
}

interface Tables {
  session: Set<string>
  hasMessages: boolean
  hasSessionMessages: boolean
}

function tablesOf(database: ForeignDatabase): Tables {
  return {
    session: database.columns('session'),
    hasMessages: database.columns('message').size > 0 && database.columns('part').size > 0,
    hasSessionMessages: database.columns('session_message').size > 0,
  }
}

const sessionColumns = `id parent_id fork_session_id directory title version revert time_created time_updated`.split(
  ' ',
)
const versionColumns = `time_updated title messages parts touched sessionMessages sessionTouched`.split(' ')

/**
 * The time of the session does not change while an answer is written, so its version also counts
 * messages and parts (from indexes) and includes the newest message.
 */
function sessionRows(database: ForeignDatabase, tables: Tables): JsonObject[] {
  if (!tables.session.has('id')) return []
  const columns = sessionColumns.filter((name) => tables.session.has(name)).map((name) => `s.${name}`)
  if (tables.hasMessages) {
    const newest = '(SELECT id FROM message WHERE session_id = s.id ORDER BY time_created DESC, id DESC LIMIT 1)'
    columns.push(
      '(SELECT count(*) FROM message WHERE session_id = s.id) AS messages',
      '(SELECT count(*) FROM part WHERE session_id = s.id) AS parts',
      `(SELECT max(time_updated) || '.' || sum(octet_length(data)) FROM
        (SELECT time_updated, data FROM part WHERE message_id = ${newest}
         UNION ALL SELECT time_updated, data FROM message WHERE id = ${newest})) AS touched`,
    )
  }
  if (tables.hasSessionMessages) {
    columns.push(
      '(SELECT count(*) FROM session_message WHERE session_id = s.id) AS sessionMessages',
      `(SELECT octet_length(data) FROM session_message WHERE session_id = s.id
        ORDER BY seq DESC LIMIT 1) AS sessionTouched`,
    )
  }
  return database.rows(`SELECT ${columns.join(', ')} FROM session s ORDER BY s.time_created, s.id`)
}

function readOne(database: ForeignDatabase, tables: Tables, row: JsonObject, out: ReaderOutput): void {
  const stored = sessionOf({ ...row, revert: parseJson(asString(row.revert)) })
  if (!stored.id) return
  const messages = tables.hasMessages ? messagesOf(database, stored.id, out) : []
  if (messages.length > 0) return readSession(out, stored, messages, createMessageReader())
  // A session in both schemas is the same conversation twice; the first schema has more details.
  if (tables.hasSessionMessages)
    readSession(out, stored, sessionMessagesOf(database, stored.id, out), readSessionMessage)
}

function messagesOf(database: ForeignDatabase, session: string, out: ReaderOutput): StoredMessage[] {
  const parts = new Map<string, StoredPart[]>()
  for (const row of database.rows('SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id', session)) {
    const data = dataOf(row, out)
    if (!data) continue
    const message = asString(row.message_id)
    if (!parts.has(message)) parts.set(message, [])
    parts.get(message)!.push({ id: asString(row.id), data })
  }
  return database
    .rows('SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id', session)
    .flatMap((row) => {
      const data = dataOf(row, out)
      return data ? [{ id: asString(row.id), data, parts: parts.get(asString(row.id)) ?? [] }] : []
    })
}

function sessionMessagesOf(database: ForeignDatabase, session: string, out: ReaderOutput): StoredMessage[] {
  return database
    .rows('SELECT id, type, data FROM session_message WHERE session_id = ? ORDER BY seq', session)
    .flatMap((row) => {
      const data = dataOf(row, out)
      return data ? [{ id: asString(row.id), data: { ...data, type: row.type }, parts: [] }] : []
    })
}

function dataOf(row: JsonObject, out: ReaderOutput): JsonObject | undefined {
  const data = parseJson(asString(row.data))
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data
  out.problem(0, `${asString(row.id)} is no JSON object`)
  return undefined
}
