// What a session is, by its key: a conversation with the user, the task of a subagent or a schedule,
// or a chat room with other people.
import { basename } from 'node:path'
import type { SessionDetails } from '../../core/session.ts'
import type { ReaderOutput } from '../agent.ts'
import { readJsonFile } from '../files.ts'
import { asObject, asString, type JsonObject, optionalString } from '../json-values.ts'

export interface SessionOrigin {
  id: string
  /** Whether text with the user's role was typed by the user. */
  isHuman: boolean
  /** A chat with other people in a messenger: not read. */
  isSkipped: boolean
  about: SessionDetails
}

export interface SessionIndex {
  of(transcript: string, out: Pick<ReaderOutput, 'problem'>): SessionOrigin
}

/**
 * sessions.json holds the current session of each key. Earlier ones of a key are not in it: they are
 * read as the user's.
 */
export function sessionIndex(path: string): SessionIndex {
  let byFile: Map<string, SessionOrigin> | undefined
  return {
    of(transcript, out) {
      byFile ??= readIndex(path, out)
      const id = basename(transcript, '.jsonl')
      return byFile.get(id) ?? originOf(id, '', {}, undefined)
    },
  }
}

function readIndex(path: string, out: Pick<ReaderOutput, 'problem'>): Map<string, SessionOrigin> {
  const entries = asObject(readJsonFile(path, out))
  const origins = new Map<string, SessionOrigin>()
  for (const [key, value] of Object.entries(entries)) {
    const entry = asObject(value)
    const id = optionalString(entry.sessionId)
    if (!id) continue
    const spawner = optionalString(entry.spawnedBy) ?? optionalString(entry.parentSessionKey)
    const parent = spawner ? optionalString(asObject(entries[spawner]).sessionId) : undefined
    origins.set(id, originOf(id, key, { label: entry.label, display_name: entry.displayName }, parent))
    const file = basename(asString(entry.sessionFile), '.jsonl')
    if (file && file !== id) origins.set(file, origins.get(id)!)
  }
  return origins
}

/** `facts` has the names of the columns of `session_nodes`. */
export function originOf(id: string, key: string, facts: JsonObject, parent: string | undefined): SessionOrigin {
  const rest = key.replace(/^agent:[^:]*:/, '')
  const isSubagent = /(?:^|:)(?:subagent|acp):/.test(rest) || facts.created_via === 'spawn'
  const isScheduled = /^(?:cron|hook):|:cron:|:heartbeat$/.test(rest) || scheduled.has(asString(facts.created_via))
  const title = optionalString(facts.label) ?? optionalString(facts.display_name)
  const isFork = optionalString(facts.fork_source_session_id) !== undefined
  return {
    id,
    isHuman: !isSubagent && !isScheduled && (facts.created_actor_type ?? 'human') === 'human',
    isSkipped: /:(?:group|channel|room|thread|dm|direct):/.test(rest),
    about: {
      kind: isSubagent ? 'subagent' : isFork ? 'fork' : undefined,
      parent: isFork ? optionalString(facts.fork_source_session_id) : isSubagent ? parent : undefined,
      title,
      titleRank: title ? (title === facts.label ? 4 : 3) : undefined,
    },
  }
}

const scheduled = new Set(['cron', 'internal', 'plugin'])
