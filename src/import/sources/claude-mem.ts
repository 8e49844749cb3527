// claude-mem (thedotmack/claude-mem): a database of what a model observed in sessions of agents. Seen
// in a database that 13.25.3 wrote (schema_versions up to 52); earlier versions named the columns
// `claude_session_id` and `sdk_session_id`. Its observations are thousands of notes about single
// steps, so they are imported as sessions, which are searched, and not as memories.
import { join } from 'node:path'
import { type ForeignDatabase, withDatabase } from '../../agents/database.ts'
import { asArray, asIsoTime, asString, type JsonObject, optionalString, parseJson } from '../../agents/json-values.ts'
import { expandHome } from '../../core/paths.ts'
import type { Event } from '../../core/session.ts'
import { kindOfUserText } from '../machine-text.ts'
import type { ImportedSession, ImportSource } from '../source.ts'

const databaseName = 'claude-mem.db'

export const claudeMem: ImportSource = {
  id: 'claude-mem',
  name: 'claude-mem',
  places: ({ home, env }) => [join(expandHome(env.CLAUDE_MEM_DATA_DIR ?? '~/.claude-mem', home), databaseName)],
  files: [databaseName],
  detect: (path) =>
    withDatabase(path, { problem() {} }, (database) =>
      ['observations', 'session_summaries', 'sdk_sessions'].every((table) => database.columns(table).size > 0),
    ) ?? false,
  countSessions: (path) => withDatabase(path, { problem() {} }, (database) => sessionsOf(database).length) ?? 0,
  *read(file, out) {
    const report = { problem: (_: number, reason: string) => out.problem({ file, reason }) }
    const sessions = withDatabase(file, report, sessionsOf) ?? []
    // Each session is read by itself, because the texts of all of them may take gigabytes.
    for (const session of sessions) {
      const events = withDatabase(file, report, (database) => eventsOf(database, session)) ?? []
      if (events.length > 0) yield imported(file, session, events)
    }
  },
}

interface StoredSession {
  /** Ids of the agent's session and of the one that observed it; either may be missing. */
  native: string
  observer: string
  project: string
  title: string | undefined
  started: string | null
}

/** Sessions with their own row, and observed ones that have lost it. */
function sessionsOf(database: ForeignDatabase): StoredSession[] {
  const { native, observer } = idColumns(database)
  const rows = database.rows('SELECT * FROM sdk_sessions ORDER BY started_at_epoch, id')
  const known = rows.map((row) => ({
    native: asString(row[native]),
    observer: asString(row[observer]),
    project: asString(row.project),
    title: optionalString(row.custom_title),
    started: asIsoTime(row.started_at_epoch),
  }))
  const orphans = database
    .rows(
      `SELECT DISTINCT ${observer} AS observer, project FROM observations
       WHERE ${observer} NOT IN (SELECT ${observer} FROM sdk_sessions WHERE ${observer} IS NOT NULL) ORDER BY 1`,
    )
    .map((row) => ({
      native: '',
      observer: asString(row.observer),
      project: asString(row.project),
      title: undefined,
      started: null,
    }))
  // The sessions in which claude-mem itself asked its model.
  return [...known, ...orphans].filter(({ project }) => project !== 'observer-sessions')
}

function idColumns(database: ForeignDatabase): { native: string; observer: string } {
  const columns = database.columns('sdk_sessions')
  return {
    native: columns.has('content_session_id') ? 'content_session_id' : 'claude_session_id',
    observer: columns.has('memory_session_id') ? 'memory_session_id' : 'sdk_session_id',
  }
}

function eventsOf(database: ForeignDatabase, session: StoredSession): Event[] {
  const { native, observer } = idColumns(database)
  const rowsOf = (table: string, column: string, id: string) =>
    id === '' || !database.columns(table).has(column)
      ? []
      : database.rows(`SELECT * FROM ${table} WHERE ${column} = ? ORDER BY created_at_epoch, id`, id)
  const events = [
    ...rowsOf('user_prompts', native, session.native).map((row) => {
      const text = asString(row.prompt_text)
      return { ...eventOf('prompt', row, text), ...kindOfUserText(text) }
    }),
    ...rowsOf('observations', observer, session.observer).map((row) => eventOf('observation', row, observation(row))),
    ...rowsOf('session_summaries', observer, session.observer).map((row) => eventOf('summary', row, summary(row))),
  ]
  return events.filter(({ text }) => text !== '').sort((a, b) => ((a.ts ?? '') < (b.ts ?? '') ? -1 : 1))
}

/** What claude-mem's model wrote is the word of an agent. */
function eventOf(what: string, row: JsonObject, text: string): Event {
  const id = `${what}/${row.id}`
  return { id, key: id, kind: 'reply', role: 'assistant', ts: asIsoTime(row.created_at_epoch), text: text.trim() }
}

function observation(row: JsonObject): string {
  const title = [asString(row.title), asString(row.subtitle)].filter(Boolean).join(': ')
  const files = [...new Set([...list(row.files_modified), ...list(row.files_read)])]
  return [
    title,
    asString(row.narrative) || asString(row.text),
    list(row.facts)
      .map((fact) => `- ${fact}`)
      .join('\n'),
    files.length > 0 ? `Files: ${files.join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

function summary(row: JsonObject): string {
  const parts: [string, string][] = [
    ['', asString(row.request)],
    ['Investigated', asString(row.investigated)],
    ['Learned', asString(row.learned)],
    ['Completed', asString(row.completed)],
    ['Next steps', asString(row.next_steps)],
    ['Notes', asString(row.notes)],
  ]
  return parts
    .filter(([, text]) => text.trim() !== '')
    .map(([label, text]) => (label === '' ? text : `${label}: ${text}`))
    .join('\n\n')
}

/** A JSON list, or the text of a version that stored it otherwise. */
function list(value: JsonObject[string]): string[] {
  const text = asString(value).trim()
  if (text === '') return []
  const parsed = parseJson(text)
  return parsed === undefined
    ? [text]
    : asArray(parsed)
        .map(asString)
        .filter((one) => one !== '')
}

function imported(file: string, session: StoredSession, events: Event[]): ImportedSession {
  const started = session.started ?? events[0]!.ts
  return {
    kind: 'session',
    native: session.native || session.observer,
    file,
    about: { ...(session.title ? { title: session.title, titleRank: 1 } : {}), ...(started ? { started } : {}) },
    ...(session.project === '' ? {} : { project: session.project }),
    events,
  }
}
