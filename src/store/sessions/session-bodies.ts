// Where the body of a session is, and what its header says.
import { isoTime } from '../../core/clock.ts'
import type { Project } from '../../core/project/project.ts'
import type { Lineage } from '../../core/session.ts'
import type { Ledger } from '../ledger.ts'
import { bodyFromRow, type SessionBody } from './bodies.ts'
import type { BodyHeader } from './body-frames.ts'

/** `capturedAt` is the time of the last growth; retention counts from there. */
export function saveBody(ledger: Ledger, id: number, body: SessionBody | null, capturedAt: string): void {
  saveBodyFile(ledger, id, body)
  ledger.sql('UPDATE sessions SET captured_at = ? WHERE id = ?').run(capturedAt, id)
}

/** For a body that has no more events than before. */
export function saveBodyFile(ledger: Ledger, id: number, body: SessionBody | null): void {
  ledger
    .sql('UPDATE sessions SET body = ?, body_bytes = ?, body_raw = ?, body_frames = ?, copy_bytes = ? WHERE id = ?')
    .run(body?.file ?? null, body?.bytes ?? 0, body?.raw ?? 0, body?.frames ?? 0, body?.copyBytes ?? 0, id)
}

/** Gives a session a body file that it did not have; the text before `firstSeq` is missing. */
export function attachBody(ledger: Ledger, id: number, body: SessionBody, firstSeq: number, capturedAt: string): void {
  saveBody(ledger, id, body, capturedAt)
  ledger.sql('UPDATE sessions SET evicted_through = ?, evicted_at = NULL WHERE id = ?').run(firstSeq, id)
}

/** What the body of a session says about it, so that it can be read without the ledger. */
export function bodyHeaderOf(ledger: Ledger, id: number): BodyHeader {
  const row = ledger
    .sql(
      `SELECT s.uid, s.agent, s.kind, s.parent, s.forked_from, s.inherited, s.cwd, s.remote, s.branch, s.title,
         s.title_rank, s.model, s.version, s.started, p.key AS project, p.kind AS project_kind
       FROM sessions s LEFT JOIN projects p ON p.id = s.project WHERE s.id = ?`,
    )
    .get(id)!
  const string = (name: string) => row[name] as string | null
  return {
    version: 1,
    session: String(row.uid),
    agent: String(row.agent),
    kind: row.kind as Lineage,
    parent: string('parent'),
    forkedFrom: string('forked_from'),
    inherited: Number(row.inherited),
    cwd: string('cwd'),
    remote: string('remote'),
    branch: string('branch'),
    project: row.project === null ? null : { key: String(row.project), kind: row.project_kind as Project['kind'] },
    title: string('title'),
    titleRank: Number(row.title_rank),
    model: string('model'),
    agentVersion: string('version'),
    startedAt: row.started === null ? null : isoTime(Number(row.started)),
  }
}

export function bodyOfSession(ledger: Ledger, uid: string): SessionBody | null {
  const row = ledger
    .sql('SELECT body, body_bytes, body_raw, body_frames, copy_bytes FROM sessions WHERE uid = ?')
    .get(uid)
  return row ? bodyFromRow(row) : null
}
