// What a summary of all sessions needs of each, without its text.
import type { Lineage } from '../../core/session.ts'
import type { Ledger } from '../ledger.ts'
import { shownTitle } from './shown-title.ts'

export interface SessionFacts {
  /** Row id. */
  number: number
  id: string
  agent: string
  lineage: Lineage
  /** Id of the session that started this one. */
  parent: string | null
  project: string | null
  startedMs: number | null
  endedMs: number | null
  events: number
  prompts: number
  outcome: string | null
  kind: string | null
  capturedAt: string
  /** When it was last captured or digested. */
  changedAt: string
}

/**
 * Sessions that were captured or digested at or after a time; all of them without one. Values that many
 * sessions share are one string each, because callers keep the facts of all sessions in memory.
 */
export function* sessionFacts(ledger: Ledger, changedSince = ''): Generator<SessionFacts> {
  const shared = new Map<string, string>()
  const share = (value: unknown) => {
    if (value === null) return null
    const text = String(value)
    const known = shared.get(text)
    if (known === undefined) shared.set(text, text)
    return known ?? text
  }
  const rows = ledger
    .sql(
      `SELECT s.id AS number, s.uid AS id, s.agent, s.kind AS lineage, s.parent, p.key AS project, s.started AS startedMs,
         s.ended AS endedMs, s.events, s.prompts, d.outcome, d.kind, s.captured_at AS capturedAt,
         max(s.captured_at, coalesce(d.digested_at, '')) AS changedAt
       FROM sessions s LEFT JOIN projects p ON p.id = s.project LEFT JOIN digests d INDEXED BY digest_facts ON d.session = s.id
       WHERE changedAt >= ?`,
    )
    .iterate(changedSince) as Iterable<Record<keyof SessionFacts, unknown>>
  for (const row of rows)
    yield {
      number: Number(row.number),
      id: String(row.id),
      agent: share(row.agent)!,
      lineage: share(row.lineage) as Lineage,
      parent: share(row.parent),
      project: share(row.project),
      startedMs: row.startedMs as number | null,
      endedMs: row.endedMs as number | null,
      events: Number(row.events),
      prompts: Number(row.prompts),
      outcome: share(row.outcome),
      kind: share(row.kind),
      capturedAt: share(row.capturedAt)!,
      changedAt: share(row.changedAt)!,
    }
}

export function countSessions(ledger: Ledger): number {
  return Number(ledger.sql('SELECT count(*) AS count FROM sessions').get()!.count)
}

/** Changes whenever this or another process has written to the ledger. */
export function changeVersion(ledger: Ledger): string {
  return `${dataVersion(ledger)}:${ledger.sql('SELECT total_changes() AS count').get()!.count}`
}

/** Changes whenever another process has written to the ledger. */
export function dataVersion(ledger: Ledger): number {
  return Number(ledger.sql('PRAGMA data_version').get()!.data_version)
}

/** Row ids of sessions whose title, project, folder or id contains all words. */
export function sessionsMentioning(ledger: Ledger, words: readonly string[]): Set<number> {
  const wanted = words.slice(0, maxWords).map((word) => `%${word.replace(/[%_\\]/g, '\\$&')}%`)
  // Ids are long, and every one of them has digits.
  const columns = (word: string) => ['title', 'name', 'cwd', ...(/\d/.test(word) ? ['uid'] : [])]
  const isMentioned = (word: string, at: number) =>
    columns(word)
      .map((column) => `${column} LIKE ?${at + 1} ESCAPE '\\'`)
      .join(' OR ')
  const rows = ledger
    .sql(
      `SELECT id FROM (
         SELECT s.id, ${shownTitle} AS title, p.name, s.cwd, s.uid
         FROM sessions s LEFT JOIN projects p ON p.id = s.project LEFT JOIN digests d INDEXED BY digest_facts ON d.session = s.id)
       WHERE ${wanted.map((word, at) => `(${isMentioned(word, at)})`).join(' AND ') || 'true'}`,
    )
    .iterate(...wanted)
  const found = new Set<number>()
  for (const { id } of rows) found.add(Number(id))
  return found
}

/** Each number of words is a statement of its own. */
const maxWords = 8
