// Reads crush.db. Columns were added by migrations, so missing ones are not selected. Times are
// seconds, although comments in the schema speak of milliseconds.
import type { Json, Usage } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { type ForeignDatabase, readChanged, withDatabase } from '../database.ts'
import { asCount, asIsoTime, asString, asUsd, type JsonObject, optionalString } from '../json-values.ts'
import { readMessages } from './messages.ts'

/** Emits the sessions that changed since the last read; the memo holds the version of each. */
export function readDatabase(
  path: string,
  project: string,
  out: ReaderOutput,
  memo: Json | undefined,
): Json | undefined {
  const versions = withDatabase(path, out, (database) => {
    const sessions = sessionRows(database)
      .filter((row) => optionalString(row.id))
      .map((row) => ({
        id: asString(row.id),
        version: versionColumns.map((name) => String(row[name] ?? '')).join('/'),
        read: () => readSession(database, row, project, out),
      }))
    return readChanged(out, memo, sessions)
  })
  return versions ?? memo
}

const sessionColumns = `id parent_session_id title prompt_tokens completion_tokens cost created_at updated_at`.split(
  ' ',
)
const versionColumns = `updated_at title cost messages bytes`.split(' ')

/** Answers are written while they stream, so the version includes the length of all messages. */
function sessionRows(database: ForeignDatabase): JsonObject[] {
  const known = database.columns('sessions')
  if (!known.has('id') || !database.columns('messages').has('parts')) return []
  const columns = [
    ...sessionColumns.filter((name) => known.has(name)).map((name) => `s.${name}`),
    '(SELECT count(*) FROM messages WHERE session_id = s.id) AS messages',
    '(SELECT sum(octet_length(parts)) FROM messages WHERE session_id = s.id) AS bytes',
  ]
  return database.rows(`SELECT ${columns.join(', ')} FROM sessions s ORDER BY s.created_at, s.id`)
}

function readSession(database: ForeignDatabase, row: JsonObject, project: string, out: ReaderOutput): void {
  const id = asString(row.id)
  const messages = database.rows('SELECT * FROM messages WHERE session_id = ? ORDER BY created_at, rowid', id)
  if (messages.length === 0) return // made to ask a model for a title
  const parent = optionalString(row.parent_session_id)
  const model = messages.map((message) => optionalString(message.model)).findLast(Boolean)
  const session = out.session(id)
  session.about({
    kind: parent ? 'subagent' : undefined,
    parent,
    cwd: project,
    model,
    started: asIsoTime(row.created_at) ?? undefined,
    ...titleOf(row),
  })
  readMessages(messages, { id, out, session, cwd: project, isHuman: !parent })
  const usage = usageOf(row, model ?? null, parent !== undefined)
  if (usage) session.usage(usage)
}

function titleOf(row: JsonObject): { title?: string; titleRank?: number } {
  const title = optionalString(row.title)
  return !title || /^(?:New|Untitled)(?: Agent)? Session$/i.test(title) ? {} : { title, titleRank: 3 }
}

/**
 * The counts are those of the last request, with cached input; the cost is the sum of all. The cost
 * of a child session is also in that of its parent.
 */
function usageOf(row: JsonObject, model: string | null, isChild: boolean): Usage | undefined {
  const input = asCount(row.prompt_tokens)
  const output = asCount(row.completion_tokens)
  const costUsd = isChild ? 0 : asUsd(row.cost) || undefined // zero means that Crush has no price
  if (input + output === 0 && !costUsd) return undefined
  return {
    key: `${asString(row.id)}/last`,
    ts: asIsoTime(row.updated_at),
    model,
    input,
    cacheRead: 0,
    cacheWrite: 0,
    cacheWrite1h: 0,
    output,
    reasoning: 0,
    costUsd,
    isLowerBound: true,
  }
}
