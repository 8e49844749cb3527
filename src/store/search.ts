// Asking the full-text index. It holds words and row ids, no text: a hit leads to its session, its place there and the body.
import { isoTime } from '../core/clock.ts'
import { eventKinds } from '../core/session.ts'
import type { Body } from './bodies.ts'
import { eventRowId, placeOfRow } from './events.ts'
import type { Ledger } from './ledger.ts'

export interface SearchFilter {
  agent?: string
  project?: string
  sinceMs?: number
}

export interface TextHit {
  session: number
  seq: number
  /** Higher is better. */
  score: number
}

/** What a person asked says more about an exchange than what was answered, and both more than what was run. */
const weights = { prompt: 3, reply: 1.5, command: 1, path: 1.5, error: 1.5 }

const span = eventRowId(1, 0)

/** Sessions of an agent, of a project, since a time; all of them where nothing is asked for. */
const fitting = `SELECT s.id FROM sessions s LEFT JOIN projects p ON p.id = s.project
  WHERE ($agent IS NULL OR s.agent = $agent) AND ($project IS NULL OR p.key = $project)
    AND ($since IS NULL OR s.ended >= $since)`

/** Events that fit an expression of the index, the best first; the caller stops when it has enough. */
export function* findTexts(ledger: Ledger, match: string, filter: SearchFilter): Generator<TextHit> {
  const { prompt, reply, command, path, error } = weights
  const rows = ledger
    .sql(
      `SELECT rowid AS id, bm25(texts, ${prompt}, ${reply}, ${command}, ${path}, ${error}) AS score FROM texts
       WHERE texts MATCH $match
         AND ($agent IS NULL AND $project IS NULL AND $since IS NULL OR rowid / ${span} IN (${fitting}))
         AND ($since IS NULL OR coalesce((SELECT ts FROM events WHERE id = texts.rowid), $since) >= $since)
       ORDER BY score, rowid DESC`,
    )
    .iterate({ match, ...filterValues(filter) })
  for (const row of rows) yield { ...placeOfRow(Number(row.id)), score: -Number(row.score) }
}

function filterValues({ agent, project, sinceMs }: SearchFilter) {
  return { agent: agent ?? null, project: project ?? null, since: sinceMs ?? null }
}

/** The place of the prompt that an event follows; the beginning of the session where none was before it. */
export function promptBefore(ledger: Ledger, session: number, seq: number): number {
  const row = ledger
    .sql('SELECT id FROM events WHERE id BETWEEN ? AND ? AND kind = ? ORDER BY id DESC LIMIT 1')
    .get(eventRowId(session, 0), eventRowId(session, seq), eventKinds.indexOf('prompt'))
  return row ? placeOfRow(Number(row.id)).seq : 0
}

export function timeOfEvent(ledger: Ledger, session: number, seq: number): string | null {
  const row = ledger.sql('SELECT ts FROM events WHERE id = ?').get(eventRowId(session, seq))
  return row && row.ts !== null ? isoTime(Number(row.ts)) : null
}

/** What a hit shows of its session. */
export interface SearchedSession {
  uid: string
  project: string | null
  title: string | null
  goal: string | null
  ended: string | null
  body: Pick<Body, 'file' | 'bytes'> | null
}

const shown = `SELECT s.uid, p.key AS project, coalesce(s.title, nullif(d.title, '')) AS title,
    d.state ->> '$.goal' AS goal, s.ended, s.body, s.body_bytes
  FROM sessions s LEFT JOIN projects p ON p.id = s.project LEFT JOIN digests d ON d.session = s.id`

export function searchedSession(ledger: Ledger, id: number): SearchedSession {
  return sessionOf(ledger.sql(`${shown} WHERE s.id = ?`).get(id)!)
}

/** Sessions whose text was let go, and with it their place in the index. */
export function* evictedSessions(ledger: Ledger, filter: SearchFilter): Generator<SearchedSession> {
  const rows = ledger
    .sql(`${shown} WHERE s.evicted_through > 0 AND s.id IN (${fitting}) ORDER BY s.ended DESC, s.id`)
    .iterate(filterValues(filter))
  for (const row of rows) yield sessionOf(row)
}

function sessionOf(row: Record<string, unknown>): SearchedSession {
  return {
    uid: String(row.uid),
    project: row.project as string | null,
    title: row.title as string | null,
    goal: row.goal as string | null,
    ended: row.ended === null ? null : isoTime(Number(row.ended)),
    body: row.body === null ? null : { file: String(row.body), bytes: Number(row.body_bytes) },
  }
}
