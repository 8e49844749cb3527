// What a hit of the index leads to: its session, its place there and the body.
import { isoTime } from '../../core/clock.ts'
import type { Ledger } from '../ledger.ts'
import type { SessionBody } from '../sessions/bodies.ts'
import { eventRowId } from '../sessions/events.ts'

export function timeOfEvent(ledger: Ledger, session: number, seq: number): string | null {
  const row = ledger.sql('SELECT ts FROM events WHERE id = ?').get(eventRowId(session, seq))
  return row && row.ts !== null ? isoTime(Number(row.ts)) : null
}

/** What a hit shows of its session. */
export interface HitSession {
  uid: string
  project: string | null
  title: string | null
  goal: string | null
  ended: string | null
  body: Pick<SessionBody, 'file' | 'bytes'> | null
}

const shown = `SELECT s.uid, p.key AS project, coalesce(s.title, nullif(d.title, '')) AS title,
    d.state ->> '$.goal' AS goal, s.ended, s.body, s.body_bytes
  FROM sessions s LEFT JOIN projects p ON p.id = s.project LEFT JOIN digests d ON d.session = s.id`

export function sessionOfHit(ledger: Ledger, id: number): HitSession {
  return sessionOf(ledger.sql(`${shown} WHERE s.id = ?`).get(id)!)
}

function sessionOf(row: Record<string, unknown>): HitSession {
  return {
    uid: String(row.uid),
    project: row.project as string | null,
    title: row.title as string | null,
    goal: row.goal as string | null,
    ended: row.ended === null ? null : isoTime(Number(row.ended)),
    body: row.body === null ? null : { file: String(row.body), bytes: Number(row.body_bytes) },
  }
}
