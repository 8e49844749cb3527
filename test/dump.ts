// The whole ledger as plain data, without the times at which we did the work: two stores that know the same are equal.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { layoutOf } from '../src/core/paths.ts'
import { openLedger } from '../src/store/ledger.ts'
import { bestPassages } from '../src/store/search/passage-search.ts'
import { readBody } from '../src/store/sessions/bodies.ts'

export function dump(store: string) {
  const ledger = openLedger(layoutOf(store))
  try {
    const rows = (sql: string) => ledger.sql(sql).all().map(plain)
    const sessions = rows('SELECT * FROM sessions ORDER BY uid')
    const ids = new Map(sessions.map((row) => [row.id, row.uid]))
    return {
      sessions: sessions.map(({ id: _, captured_at: __, body: ___, body_bytes, body_frames, copy_bytes, ...row }) => ({
        ...row,
      })),
      events: sessions.flatMap((row) =>
        row.body === null
          ? []
          : [...readBody(ledger.layout.bodies, String(row.body), Number(row.body_bytes))].map((event) => ({
              session: row.uid,
              ...event,
            })),
      ),
      keys: rows('SELECT hex(key) AS key, kind, ts FROM events ORDER BY key'),
      usage: rows('SELECT hex(key) AS name, * FROM usage ORDER BY name').map(({ key: _, session, ...row }) => ({
        ...row,
        session: ids.get(session),
      })),
      digests: rows('SELECT * FROM digests ORDER BY session')
        .map(({ session, digested_at: _, ...row }) => ({ ...row, session: ids.get(session) }))
        .sort(bySession),
      found: bestPassages(ledger, { any: ['question', 'answer', 'work'] }, {}, 1_000_000).length,
      passages: rows(`SELECT count(*) AS count, sum(next IS NOT NULL) AS linked, sum(said) AS terms FROM passages`),
      cursors: rows('SELECT path, offset, is_ignored FROM cursors ORDER BY path'),
      problems: rows('SELECT path, offset, reason FROM problems ORDER BY path, offset'),
      projects: rows('SELECT key, name, kind, domain FROM projects ORDER BY key'),
      memories: rows(
        `SELECT id, project, kind, status, state, text, evidence, said, version, superseded_by FROM memories ORDER BY id`,
      ),
      journal: journalOf(ledger.layout.vault),
      redactions: rows('SELECT * FROM redactions ORDER BY kind'),
    }
  } finally {
    ledger.close()
  }
}

/** Every line of every day. */
function journalOf(vault: string): string[] {
  const folder = join(vault, 'journal')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line.startsWith('###'))
    .sort()
}

function plain(row: Record<string, unknown>): Record<string, unknown> {
  return { ...row }
}

function bySession(a: { session?: unknown }, b: { session?: unknown }): number {
  return String(a.session) < String(b.session) ? -1 : 1
}
