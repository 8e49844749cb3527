// OpenClaw 2026.9.6 and before: one SQLite database per agent (seen written by 2026.9.6), and to the
// middle of 2026 one JSONL file per session with the entries of Pi (recordings). QClaw and a build
// for Kimi use the same files in folders of their own.
import { dirname, join } from 'node:path'
import type { Machine } from '../../core/paths.ts'
import type { Agent, DocumentTranscript, LogTranscript } from '../agent.ts'
import { listEntries, listSubfolders } from '../files.ts'
import { repairPiBlock } from '../repaired-parts.ts'
import { holdsSession, readDatabase } from './database.ts'
import { openEntries } from './entries.ts'
import { type SessionIndex, sessionIndex } from './session-index.ts'

export const openClaw: Agent = {
  id: 'openclaw',
  name: 'OpenClaw',
  aliases: ['qclaw', 'clawdbot'],
  repairPart: repairPiBlock,
  roots(machine) {
    return [...stateFolders(machine), ...otherBuilds(machine)]
  },
  *find(root) {
    for (const folder of listSubfolders(join(root, 'agents'))) {
      const database = join(folder, 'agent', databaseName)
      const hasDatabase = listEntries(dirname(database)).some((entry) => entry.name === databaseName)
      if (hasDatabase) yield databaseTranscript(database)
      const sessions = join(folder, 'sessions')
      const index = sessionIndex(join(sessions, 'sessions.json'))
      for (const entry of listEntries(sessions)) {
        if (!entry.isFile() || !sessionFile.test(entry.name)) continue
        yield fileTranscript(join(sessions, entry.name), index, hasDatabase ? database : undefined)
      }
    }
  },
}

const databaseName = 'openclaw-agent.sqlite'

/** Copies of sessions have further dots: `<id>.jsonl.reset.<time>`, `<id>.checkpoint.<id>.jsonl`. */
const sessionFile = /^[^.]+\.jsonl$/

function stateFolders({ home, env }: Machine): string[] {
  if (env.OPENCLAW_STATE_DIR) return [env.OPENCLAW_STATE_DIR]
  if (env.OPENCLAW_CONFIG_PATH) return [dirname(env.OPENCLAW_CONFIG_PATH)]
  return [join(env.OPENCLAW_HOME || home, '.openclaw')]
}

/** Profiles (`openclaw --profile name`), the name of the program before 2026, and other vendors. */
function otherBuilds({ home }: Machine): string[] {
  return listEntries(home)
    .filter((entry) => /^\.(?:openclaw-[\w-]+|clawdbot|qclaw|kimi_openclaw)$/.test(entry.name))
    .map((entry) => join(home, entry.name))
}

function databaseTranscript(path: string): DocumentTranscript {
  return { shape: 'document', path, also: [`${path}-wal`], read: (out, memo) => readDatabase(path, out, memo) }
}

/** The database imports the old files under the same ids; the files may remain. */
function fileTranscript(path: string, index: SessionIndex, database: string | undefined): LogTranscript {
  return {
    shape: 'log',
    path,
    open(out, state) {
      const session = index.of(path, out)
      const isImported = database !== undefined && holdsSession(database, session.id)
      return openEntries(path, out, state, { ...session, isSkipped: session.isSkipped || isImported })
    },
  }
}
