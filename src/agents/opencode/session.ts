// One stored session as events: what the databases and the trees of files have in common.
import type { ReaderOutput, SessionOutput } from '../agent.ts'
import { asCount, asIsoTime, asObject, type JsonObject, optionalString } from '../json-values.ts'
import { type PendingCalls, pendingCalls } from '../pending-calls.ts'

export interface StoredSession {
  id: string
  parent?: string
  /** The session that this one was branched off. */
  origin?: string
  directory?: string
  title?: string
  version?: string
  created: number
  updated: number
  /** The first message that was taken back; it and all after it are still stored. */
  revertedFrom?: string
}

export interface StoredMessage {
  id: string
  data: JsonObject
  parts: StoredPart[]
}

export interface StoredPart {
  id: string
  data: JsonObject
}

/** What the readers of single messages need around them. */
export interface Reading {
  out: ReaderOutput
  session: SessionOutput
  stored: StoredSession
  calls: PendingCalls
  /** How many prompts there were, in all and before the message from which on all was taken back. */
  prompts: { all: number; kept: number | undefined }
}

/** Hands over the session, calling back for each message that is its own. */
export function readSession(
  out: ReaderOutput,
  stored: StoredSession,
  messages: StoredMessage[],
  readMessage: (message: StoredMessage, reading: Reading) => void,
): void {
  // A branch begins with copies under new ids; they are as old as their originals, which are older than the branch.
  const own = messages.filter((message) => (createdAt(message) || stored.created) >= stored.created)
  if (messages.length === 0) return
  const session = out.session(stored.id)
  const isBranch = stored.origin !== undefined || own.length < messages.length
  session.about({
    kind: stored.parent ? 'subagent' : isBranch ? 'fork' : undefined,
    parent: stored.parent ?? stored.origin,
    cwd: stored.directory,
    version: stored.version,
    ...titleOf(stored),
  })
  const reading: Reading = {
    out,
    session,
    stored,
    calls: pendingCalls(undefined),
    prompts: { all: 0, kept: undefined },
  }
  for (const message of own) {
    if (message.id === stored.revertedFrom) reading.prompts.kept = reading.prompts.all
    readMessage(message, reading)
  }
  readRevert(reading)
}

export function createdAt(message: StoredMessage): number {
  return asCount(asObject(message.data.time).created)
}

/** The parent's task text opens a child session; nobody typed it. */
export function promptKind({ stored, prompts }: Reading): 'prompt' | 'context' {
  if (stored.parent) return 'context'
  prompts.all++
  return 'prompt'
}

/** Until a title was generated there is a place-holder with the time of day. */
function titleOf({ title }: StoredSession): { title?: string; titleRank?: number } {
  if (!title || /^(?:New|Child) session - \d{4}-/.test(title)) return {}
  return { title, titleRank: 3 }
}

function readRevert({ session, stored, prompts }: Reading): void {
  if (prompts.kept === undefined) return
  session.event({
    id: '',
    key: `${stored.id}/revert/${stored.revertedFrom}`,
    kind: 'lifecycle',
    role: 'system',
    ts: asIsoTime(stored.updated),
    text: 'Went back to an earlier message',
    undoes: prompts.all - prompts.kept,
  })
}

export function sessionOf(row: JsonObject): StoredSession {
  const times = asObject(row.time)
  return {
    id: optionalString(row.id) ?? '',
    parent: optionalString(row.parent_id) ?? optionalString(row.parentID),
    origin: optionalString(row.fork_session_id),
    directory: optionalString(row.directory),
    title: optionalString(row.title),
    version: optionalString(row.version),
    created: asCount(row.time_created) || asCount(times.created),
    updated: asCount(row.time_updated) || asCount(times.updated),
    revertedFrom: optionalString(asObject(row.revert).messageID),
  }
}
