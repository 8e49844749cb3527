// Reads sessions.db. Columns were added by migrations, so missing ones are not selected.
import type { Json } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, hasRow, readChanged, withDatabase } from '../database.ts'
import { asArray, asIsoTime, asObject, asString, type JsonObject, optionalString, parseJson } from '../json-values.ts'
import { type GooseMessage, readConversation } from './reader.ts'
import { accumulatedUsage, ledgerUsages } from './usage.ts'

/** Emits the sessions that changed since the last read; the memo holds the version of each. */
export function readDatabase(path: string, out: ReaderOutput, memo: Json | undefined): Json | undefined {
  const versions = withDatabase(path, out, (database) => {
    const hasLedger = database.columns('usage_ledger').size > 0
    const rows = sessionRows(database, hasLedger).filter((row) => optionalString(row.id))
    const sessions = rows.map((row) => ({
      id: asString(row.id),
      version: versionColumns.map((name) => String(row[name] ?? '')).join('/'),
      read: () => readOne(database, hasLedger, row, out),
    }))
    return readChanged(out, memo, sessions)
  })
  return versions ?? memo
}

export function holdsSession(path: string, session: string): boolean {
  return hasRow(path, 'SELECT 1 FROM sessions WHERE id = ?', session)
}

const sessionColumns = `id name description user_set_name session_type working_dir created_at updated_at input_tokens
  output_tokens accumulated_input_tokens accumulated_output_tokens accumulated_cache_read_tokens
  accumulated_cache_write_tokens accumulated_cost model_config_json parent_session_id`.split(/\s+/)
const versionColumns = `updated_at name messages newest accumulated_output_tokens ledger`.split(' ')

/**
 * Session times have whole seconds, so the version also counts messages; a rewritten message gets a
 * new row id.
 */
function sessionRows(database: ForeignDatabase, hasLedger: boolean): JsonObject[] {
  const known = database.columns('sessions')
  if (!known.has('id') || database.columns('messages').size === 0) return []
  const columns = [
    ...sessionColumns.filter((name) => known.has(name)).map((name) => `s.${name}`),
    '(SELECT count(*) FROM messages WHERE session_id = s.id) AS messages',
    '(SELECT max(id) FROM messages WHERE session_id = s.id) AS newest',
    ...(hasLedger ? ['(SELECT count(*) FROM usage_ledger WHERE session_id = s.id) AS ledger'] : []),
  ]
  return database.rows(`SELECT ${columns.join(', ')} FROM sessions s ORDER BY s.id`)
}

function readOne(database: ForeignDatabase, hasLedger: boolean, row: JsonObject, out: ReaderOutput): void {
  const id = asString(row.id)
  const messages = messagesOf(database, id, out)
  const usages = hasLedger ? ledgerUsages(database.rows('SELECT * FROM usage_ledger WHERE session_id = ?', id)) : []
  if (messages.length === 0 && usages.length === 0) return
  const session = out.session(id)
  const type = optionalString(row.session_type) ?? 'user'
  const parent = optionalString(row.parent_session_id)
  const model = optionalString(asObject(parseJson(asString(row.model_config_json))).model_name)
  const cwd = optionalString(row.working_dir)
  session.about({ kind: type === 'sub_agent' ? 'subagent' : undefined, parent, cwd, model, ...titleOf(row) })
  readConversation(messages, { id, out, session, cwd, isHuman: humanTypes.has(type) })
  for (const usage of usages) session.usage({ ...usage, model: usage.model ?? model ?? null })
  const before = accumulatedUsage(id, row, { model: model ?? null, ts: utc(asString(row.created_at)) }, usages)
  if (before) session.usage(before)
}

/** In other session types a schedule, a parent or the program has the user's role. */
const humanTypes = new Set(['user', 'terminal', 'gateway', 'acp'])

function titleOf(row: JsonObject): { title?: string; titleRank?: number } {
  const title = optionalString(row.name) ?? optionalString(row.description)
  if (!title || /^(?:New (?:Chat|session)|CLI Session|Session \d+)\b/i.test(title)) return {}
  return { title, titleRank: row.user_set_name === 1 ? 4 : 3 }
}

function messagesOf(database: ForeignDatabase, session: string, out: ReaderOutput): GooseMessage[] {
  const known = database.columns('messages')
  const columns = ['message_id', 'metadata_json'].filter((name) => known.has(name)).map((name) => `, ${name}`)
  return database
    .rows(
      `SELECT role, content_json, created_timestamp${columns.join('')} FROM messages WHERE session_id = ? ORDER BY id`,
      session,
    )
    .flatMap((row) => {
      const content = parseJson(asString(row.content_json))
      if (!Array.isArray(content)) out.problem(0, `a message of ${session} is no list of blocks`)
      return {
        id: asString(row.message_id),
        role: asString(row.role),
        ts: asIsoTime(row.created_timestamp),
        content: asArray(content).map(asObject),
        metadata: asObject(parseJson(asString(row.metadata_json))),
      }
    })
}

/** SQLite's time format, in UTC. */
function utc(stamp: string): string | null {
  return asIsoTime(`${stamp.replace(' ', 'T')}${/Z|[+-]\d\d:\d\d$/.test(stamp) ? '' : 'Z'}`)
}
