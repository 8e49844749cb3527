// Goose, schema versions to 16: one SQLite database, and before it one JSONL file per session, rewritten as a whole.
import { basename, join } from 'node:path'
import type { Agent, DocumentTranscript } from '../agent.ts'
import { listEntries } from '../folders.ts'
import { holdsSession, readDatabase } from './database.ts'
import { readLegacy } from './legacy.ts'

export const goose: Agent = {
  id: 'goose',
  name: 'Goose',
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

/** The database took the old files in when it was made, under the same ids; the files stay where they were. */
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
