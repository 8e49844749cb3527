// Sessions of this machine that are sent to the server, and how their events are split into parts.
import type { Lineage } from '../../core/session.ts'
import type { Ledger } from '../ledger.ts'
import { bodyFromRow, type SessionBody } from '../sessions/bodies.ts'
import { eventRowId, parseEventRowId } from '../sessions/events.ts'

/** A session with all fields of its head. */
export interface SessionToSync {
  id: number
  uid: string
  agent: string
  kind: Lineage
  parent: string | null
  forkedFrom: string | null
  inherited: number
  project: string | null
  projectKind: string | null
  branch: string | null
  remote: string | null
  model: string | null
  version: string | null
  title: string | null
  titleRank: number
  startedMs: number | null
  endedMs: number | null
  events: number
  evictedThrough: number
  contentHash: string | null
  /** Whether it was captured here; false when it was only received. */
  isCaptured: boolean
  body: SessionBody | null
}

/** A subagent without a known folder belongs to the project of its parent. */
const projectOf = 'coalesce(s.project, (SELECT project FROM sessions WHERE uid = s.parent))'

export function sessionToSync(ledger: Ledger, uid: string): SessionToSync | undefined {
  const row = ledger
    .sql(
      `SELECT s.*, p.key AS project_key, p.kind AS project_kind
       FROM sessions s LEFT JOIN projects p ON p.id = ${projectOf} WHERE s.uid = ?`,
    )
    .get(uid)
  if (!row) return undefined
  const string = (name: string) => row[name] as string | null
  return {
    id: Number(row.id),
    uid,
    agent: String(row.agent),
    kind: row.kind as Lineage,
    parent: string('parent'),
    forkedFrom: string('forked_from'),
    inherited: Number(row.inherited),
    project: string('project_key'),
    projectKind: string('project_kind'),
    branch: string('branch'),
    remote: string('remote'),
    model: string('model'),
    version: string('version'),
    title: string('title'),
    titleRank: Number(row.title_rank),
    startedMs: row.started as number | null,
    endedMs: row.ended as number | null,
    events: Number(row.events),
    evictedThrough: Number(row.evicted_through),
    contentHash: string('content_hash'),
    isCaptured: row.source !== null,
    body: bodyFromRow(row),
  }
}

/** A fork without events of its own that has usage of its own. */
const isWithoutText = '(s.events = 0 AND EXISTS (SELECT 1 FROM usage WHERE session = s.id))'

/**
 * Sessions of these projects that have changed since they were split, latest first: by number of
 * events and, for documents, by hash. Sessions that another machine has sent completely are left to
 * that machine.
 */
export function sessionsToSplit(ledger: Ledger, projects: readonly string[], limit: number): string[] {
  return ledger
    .sql(
      `SELECT s.uid FROM sessions s JOIN projects p ON p.id = ${projectOf}
       LEFT JOIN sent_sessions t ON t.uid = s.uid LEFT JOIN received_sessions r ON r.uid = s.uid
       WHERE p.key IN (SELECT value FROM json_each($projects))
         AND s.source IS NOT NULL AND (s.body IS NOT NULL OR ${isWithoutText}) AND (r.uid IS NULL OR s.events > r.events)
         AND (t.uid IS NULL OR t.is_withdrawn OR t.events <> s.events OR t.content_hash IS NOT s.content_hash)
       ORDER BY s.ended DESC LIMIT $limit`,
    )
    .all({ projects: JSON.stringify(projects), limit })
    .map((row) => String(row.uid))
}

/** Sent sessions that are deleted or no longer in one of these projects. */
export function sessionsToWithdraw(ledger: Ledger, projects: readonly string[], limit: number): string[] {
  return ledger
    .sql(
      `SELECT t.uid FROM sent_sessions t LEFT JOIN sessions s ON s.uid = t.uid LEFT JOIN projects p ON p.id = ${projectOf}
       WHERE NOT t.is_withdrawn AND (p.key IS NULL OR p.key NOT IN (SELECT value FROM json_each($projects)))
       ORDER BY t.uid LIMIT $limit`,
    )
    .all({ projects: JSON.stringify(projects), limit })
    .map((row) => String(row.uid))
}

export interface SentSession {
  uid: string
  item: string
  events: number
  contentHash: string | null
  isWithdrawn: boolean
}

export function sentSession(ledger: Ledger, by: { uid: string } | { item: string }): SentSession | undefined {
  const row =
    'uid' in by
      ? ledger.sql('SELECT * FROM sent_sessions WHERE uid = ?').get(by.uid)
      : ledger.sql('SELECT * FROM sent_sessions WHERE item = ?').get(by.item)
  if (!row) return undefined
  return {
    uid: String(row.uid),
    item: String(row.item),
    events: Number(row.events),
    contentHash: row.content_hash as string | null,
    isWithdrawn: row.is_withdrawn === 1,
  }
}

export function saveSentSession(ledger: Ledger, sent: SentSession): void {
  const { uid, item, events, contentHash, isWithdrawn } = sent
  ledger
    .sql('INSERT OR REPLACE INTO sent_sessions (uid, item, events, content_hash, is_withdrawn) VALUES (?, ?, ?, ?, ?)')
    .run(uid, item, events, contentHash, isWithdrawn ? 1 : 0)
}

export interface SentPart {
  id: string
  uid: string
  part: 'events' | 'usages'
  number: number
  first: number
  next: number
  /** Expected hash on the server; null while it is unknown. */
  hash: string | null
}

export function sentPart(ledger: Ledger, id: string): SentPart | undefined {
  return ledger.sql('SELECT * FROM sent_parts WHERE id = ?').get(id) as SentPart | undefined
}

export function sentParts(ledger: Ledger, uid: string): SentPart[] {
  return ledger.sql('SELECT * FROM sent_parts WHERE uid = ? ORDER BY part, number').all(uid) as unknown as SentPart[]
}

export function saveSentPart(ledger: Ledger, part: SentPart): void {
  const { id, uid, number, first, next, hash } = part
  ledger
    .sql('INSERT OR REPLACE INTO sent_parts (id, uid, part, number, first, next, hash) VALUES (?, ?, ?, ?, ?, ?, ?)')
    .run(id, uid, part.part, number, first, next, hash)
}

/**
 * Queues sessions that a space has never had, as after joining another server, for splitting again.
 * Parts are reset first, so that an interrupted reset starts over.
 */
export function resetSentSessions(ledger: Ledger, space: string): void {
  const isUnknown = `NOT is_withdrawn AND NOT EXISTS (SELECT 1 FROM sync_items WHERE space = $space AND id = item)
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE space = $space AND id = item)`
  ledger
    .sql(`UPDATE sent_parts SET hash = NULL WHERE uid IN (SELECT uid FROM sent_sessions WHERE ${isUnknown})`)
    .run({ space })
  ledger.sql(`UPDATE sent_sessions SET events = -1 WHERE ${isUnknown}`).run({ space })
}

/** Ids of all heads and parts that should be on the server. */
export function sentIds(ledger: Ledger, after: string, limit: number): string[] {
  return ledger
    .sql(
      `SELECT id FROM (SELECT item AS id FROM sent_sessions WHERE events >= 0
         UNION ALL SELECT id FROM sent_parts WHERE hash IS NOT NULL)
       WHERE id > ? ORDER BY id LIMIT ?`,
    )
    .all(after, limit)
    .map((row) => String(row.id))
}

/** Event keys (from `hashKey`) of a session between two places, by place. */
export function eventKeysBetween(ledger: Ledger, session: number, first: number, next: number): Map<number, string> {
  const rows = ledger
    .sql('SELECT id, key FROM events WHERE id >= ? AND id < ?')
    .all(eventRowId(session, first), eventRowId(session, next))
  return new Map(
    rows.map((row) => [parseEventRowId(Number(row.id)).seq, Buffer.from(row.key as Uint8Array).toString('base64')]),
  )
}
