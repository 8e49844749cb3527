// Goose, schema versions to 16: one SQLite database, and before it one JSONL file per session,
// which was rewritten as a whole.
import { basename, join } from 'node:path'
import type { Agent, DocumentTranscript, ReaderOutput } from '../agent.ts'
import { listEntries, readRecords } from '../files.ts'
import { asArray, asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'
import { holdsSession, readDatabase } from './database.ts'
import { type GooseMessage, readConversation } from './reader.ts'
import { accumulatedUsage } from './usage.ts'

export const goose: Agent = {
  id: 'goose',
  name: 'Goose',
  resume: 'goose session --resume --session-id <id>',
  roots({ home, env, platform }) {
    if (env.GOOSE_PATH_ROOT) return [join(env.GOOSE_PATH_ROOT, 'data')]
    if (platform === 'win32') return [join(env.APPDATA || join(home, 'AppData', 'Roaming'), 'Block', 'goose', 'data')]
    return [join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'goose')]
  },
  *find(root) {
    const sessions = join(root, 'sessions')
    const files = listEntries(sessions).filter((entry) => entry.isFile())
    const database = files.some((entry) => entry.name === 'sessions.db') ? join(sessions, 'sessions.db') : undefined
    if (database) yield databaseTranscript(database)
    for (const entry of files)
      if (entry.name.endsWith('.jsonl')) yield legacyTranscript(join(sessions, entry.name), database)
  },
}

function databaseTranscript(path: string): DocumentTranscript {
  return { shape: 'document', path, also: [`${path}-wal`], read: (out, memo) => readDatabase(path, out, memo) }
}

/** The database imported the old files under the same ids; the files remain. */
function legacyTranscript(path: string, database: string | undefined): DocumentTranscript {
  return {
    shape: 'document',
    path,
    read(out) {
      if (!database || !holdsSession(database, basename(path, '.jsonl'))) readLegacy(path, out)
      return undefined
    },
  }
}

function readLegacy(path: string, out: ReaderOutput): void {
  const id = basename(path, '.jsonl')
  let facts: JsonObject = {}
  const messages: GooseMessage[] = []
  for (const { record } of readRecords(path, out)) {
    if (typeof record.role === 'string') messages.push(messageOf(record))
    else if ('working_dir' in record || 'description' in record) facts = record
    else out.unknownType('line without role')
  }
  if (messages.length === 0) return
  const session = out.session(id)
  session.about({ cwd: optionalString(facts.working_dir), title: optionalString(facts.description), titleRank: 3 })
  readConversation(messages, { id, out, session, cwd: optionalString(facts.working_dir), isHuman: true })
  const usage = accumulatedUsage(id, facts, { model: null, ts: messages[0]!.ts })
  if (usage) session.usage(usage)
}

function messageOf(record: JsonObject): GooseMessage {
  return {
    id: asString(record.id),
    role: asString(record.role),
    ts: asIsoTime(record.created),
    content: asArray(record.content).map(asObject),
    metadata: asObject(record.metadata),
  }
}
