// Reads the database of OpenCode 1.x: `message` and `part`, or `session_message` of the second
// schema. Versions of a program share a database, so columns are taken as they are found.
import type { Json } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, hasRow, readChanged, withDatabase } from '../database.ts'
import { asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { createMessageReader } from './messages.ts'
import {
  type OpenCodeDialect,
  type OpenCodeSource,
  readSession,
  type StoredMessage,
  type StoredPart,
  type StoredSession,
  sessionOf,
} from './reader.ts'
import { readSessionMessage } from './session-messages.ts'

interface DatabaseSource extends OpenCodeSource {
  path: string
  memo: Json | undefined
}

/** Emits the sessions that changed since the last read; the memo holds the version of each. */
export function readDatabase({ path, dialect, out, memo }: DatabaseSource): Json | undefined {
  const versions = withDatabase(path, out, (database) => {
    const tables = tablesOf(database, dialect)
    const sessions = sessionRows(database, tables).map((row) => ({
      id: asString(row.id),
      version: versionOf(row, tables),
      read: () => readOne(database, tables, row, { out, dialect }),
    }))
    return readChanged(out, memo, sessions)
  })
  return versions ?? memo
}

export function holdsSession(path: string, session: string): boolean {
  return hasRow(path, 'SELECT 1 FROM session WHERE id = ?', session)
}

interface Tables {
  session: Set<string>
  hasMessages: boolean
  /** Whether messages and parts say when they were changed. */
  hasChangeTimes: boolean
  hasSessionMessages: boolean
  /** What messages of the second schema are sorted by, before their ids. */
  sessionOrder: string
  /** Messages of subagents are in the session that started them. */
  hasAgents: boolean
  usage: OpenCodeDialect['usage']
}

function tablesOf(database: ForeignDatabase, { usage }: OpenCodeDialect): Tables {
  const [message, part, sessionMessage] = ['message', 'part', 'session_message'].map((name) => database.columns(name))
  return {
    session: database.columns('session'),
    hasMessages: message!.size > 0 && part!.size > 0,
    hasChangeTimes: message!.has('time_updated') && part!.has('time_updated'),
    hasSessionMessages: sessionMessage!.size > 0,
    sessionOrder: sessionMessage!.has('seq') ? 'seq' : 'time_created', // the number was added later
    hasAgents: message!.has('agent_id'),
    usage: usage && database.columns(usage.table).size > 0 ? usage : undefined,
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
    const changed = tables.hasChangeTimes ? 'time_updated' : '0 AS time_updated'
    columns.push(
      '(SELECT count(*) FROM message WHERE session_id = s.id) AS messages',
      '(SELECT count(*) FROM part WHERE session_id = s.id) AS parts',
      `(SELECT max(time_updated) || '.' || sum(octet_length(data)) FROM
        (SELECT ${changed}, data FROM part WHERE message_id = ${newest}
         UNION ALL SELECT ${changed}, data FROM message WHERE id = ${newest})) AS touched`,
    )
  }
  if (tables.hasSessionMessages) {
    columns.push(
      '(SELECT count(*) FROM session_message WHERE session_id = s.id) AS sessionMessages',
      `(SELECT octet_length(data) FROM session_message WHERE session_id = s.id
        ORDER BY ${tables.sessionOrder} DESC, id DESC LIMIT 1) AS sessionTouched`,
    )
  }
  if (tables.usage) columns.push(`(${tables.usage.version}) AS usage`)
  return database.rows(`SELECT ${columns.join(', ')} FROM session s ORDER BY s.time_created, s.id`)
}

function versionOf(row: JsonObject, { usage }: Tables): string {
  const columns = usage ? [...versionColumns, 'usage'] : versionColumns
  return columns.map((name) => asString(row[name]) || String(row[name] ?? '')).join('/')
}

function readOne(database: ForeignDatabase, tables: Tables, row: JsonObject, source: OpenCodeSource): void {
  const stored = sessionOf({ ...row, revert: parseJson(asString(row.revert)) })
  if (!stored.id) return
  const { out } = source
  for (const usage of tables.usage?.read(database, stored.id) ?? []) out.session(stored.id).usage(usage)
  const messages = tables.hasMessages ? messagesOf(database, tables, stored, out) : []
  if (messages.length > 0) {
    for (const [agent, own] of Map.groupBy(messages, (message) => message.agent ?? mainAgent))
      readSession(source, agent === mainAgent ? stored : subagentOf(stored, agent), own, createMessageReader())
    return
  }
  // A session in both schemas is the same conversation twice; the first schema has more details.
  if (tables.hasSessionMessages)
    readSession(source, stored, sessionMessagesOf(database, tables, stored.id, out), readSessionMessage)
}

/** As MiMo Code calls the agent that the user talks to. */
const mainAgent = 'main'

function subagentOf({ id, directory, version, created, updated }: StoredSession, agent: string): StoredSession {
  return { id: `${id}/${agent}`, parent: id, directory, title: agent, version, created, updated }
}

function messagesOf(
  database: ForeignDatabase,
  { hasAgents }: Tables,
  { id: session, created }: StoredSession,
  out: ReaderOutput,
): StoredMessage[] {
  const parts = new Map<string, StoredPart[]>()
  for (const row of database.rows('SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id', session)) {
    const data = dataOf(row, out)
    if (!data) continue
    const message = asString(row.message_id)
    if (!parts.has(message)) parts.set(message, [])
    parts.get(message)!.push({ id: asString(row.id), data })
  }
  return database
    .rows(
      `SELECT id, data, time_created, ${hasAgents ? 'agent_id' : 'NULL'} AS agent FROM message
       WHERE session_id = ? ORDER BY time_created, id`,
      session,
    )
    .flatMap((row) => {
      const data = dataOf(row, out)
      const [id, agent] = [asString(row.id), optionalString(row.agent)]
      return data ? [{ id, data: withTime(data, row, created), parts: parts.get(id) ?? [], agent }] : []
    })
}

function sessionMessagesOf(
  database: ForeignDatabase,
  { sessionOrder }: Tables,
  session: string,
  out: ReaderOutput,
): StoredMessage[] {
  return database
    .rows(`SELECT id, type, data FROM session_message WHERE session_id = ? ORDER BY ${sessionOrder}, id`, session)
    .flatMap((row) => {
      const data = dataOf(row, out)
      return data ? [{ id: asString(row.id), data: { ...data, type: row.type }, parts: [] }] : []
    })
}

/**
 * ZCode may have the time of a message beside its data only, also as text. One before the session
 * would make it a copy.
 */
function withTime(data: JsonObject, row: JsonObject, startedMs: number): JsonObject {
  if (asObject(data.time).created !== undefined) return data
  const ms = Number(row.time_created) || Date.parse(asString(row.time_created))
  return ms > 0 ? { ...data, time: { ...asObject(data.time), created: Math.max(ms, startedMs) } } : data
}

function dataOf(row: JsonObject, out: ReaderOutput): JsonObject | undefined {
  const data = parseJson(asString(row.data))
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) return data
  out.problem(0, `${asString(row.id)} is no JSON object`)
  return undefined
}
