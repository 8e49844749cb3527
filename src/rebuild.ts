// Makes anew what is derived: search index, digests, prices and project identities, from the bodies in the store. The
// transcripts may be long gone. Sessions whose bodies were let go keep what they have.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from './app.ts'
import { projectOf } from './core/project.ts'
import type { Usage } from './core/session.ts'
import { digest } from './digest/digest.ts'
import { bodyState, readBody } from './store/bodies.ts'
import { indexEvent } from './store/events.ts'
import type { Ledger } from './store/ledger.ts'
import { lighten } from './store/light.ts'
import { saveProjectRow } from './store/projects.ts'
import { searchTexts } from './store/search-texts.ts'
import { forgetSession, saveProject } from './store/sessions.ts'

export interface RebuildReport {
  indexed: number
  digested: number
  repriced: number
  projects: number
  orphans: number
  /** Sessions whose body is missing or short: read again from their transcripts by the next full sweep. */
  lostBodies: string[]
}

export async function rebuild(
  app: App,
  ledger: Ledger,
  onProgress: (done: number, of: number) => void,
): Promise<RebuildReport> {
  const lostBodies = forgetLostBodies(ledger)
  return {
    lostBodies,
    indexed: reindex(ledger, onProgress),
    digested: redigest(app, ledger),
    repriced: await reprice(app, ledger),
    projects: reassignProjects(app, ledger),
    orphans: removeOrphans(ledger),
  }
}

/** A body that is not there any more is no reason to keep its rows: a full sweep then reads the session as new. */
function forgetLostBodies(ledger: Ledger): string[] {
  const rows = ledger.sql('SELECT id, uid, body, body_bytes FROM sessions WHERE body IS NOT NULL').all()
  const lost = rows.filter(
    (row) => bodyState(ledger.layout.bodies, String(row.body), Number(row.body_bytes)) !== 'whole',
  )
  ledger.transaction(() => {
    for (const row of lost) forgetSession(ledger, Number(row.id))
    if (lost.length > 0) ledger.raw.exec('DELETE FROM cursors')
  })
  return lost.map((row) => String(row.uid))
}

function reindex(ledger: Ledger, onProgress: (done: number, of: number) => void): number {
  const rows = ledger.sql('SELECT id, body, body_bytes FROM sessions WHERE body IS NOT NULL ORDER BY id').all()
  let indexed = 0
  ledger.transaction(() => {
    ledger.raw.exec("INSERT INTO texts (texts) VALUES ('delete-all')")
    for (const [done, row] of rows.entries()) {
      for (const event of readBody(ledger.layout.bodies, String(row.body), Number(row.body_bytes))) {
        const texts = searchTexts(lighten(event))
        indexEvent(ledger, Number(row.id), event.seq, texts)
        if (texts.length > 0) indexed++
      }
      onProgress(done + 1, rows.length)
    }
  })
  return indexed
}

function redigest(app: App, ledger: Ledger): number {
  ledger.raw.exec('UPDATE sessions SET digested_through = -1 WHERE evicted_through = 0')
  return digest({ ledger, clock: app.clock }).length
}

async function reprice(app: App, ledger: Ledger): Promise<number> {
  const { priceOf } = await app.context(ledger).loadTools()
  const rows = ledger.sql('SELECT * FROM usage WHERE is_agent_cost = 0').all()
  ledger.transaction(() => {
    for (const row of rows)
      ledger.sql('UPDATE usage SET cost_usd = ? WHERE key = ?').run(priceOf(usageOf(row)), row.key as Buffer)
  })
  return rows.length
}

function usageOf(row: Record<string, unknown>): Usage {
  return {
    key: '',
    ts: row.ts === null ? null : new Date(Number(row.ts)).toISOString(),
    model: row.model as string | null,
    input: Number(row.input),
    cacheRead: Number(row.cache_read),
    cacheWrite: Number(row.cache_write),
    cacheWrite1h: Number(row.cache_write_1h),
    output: Number(row.output),
    reasoning: Number(row.reasoning),
  }
}

/** A folder that is gone may once have been a repository: what is known stays unless something better is found. */
function reassignProjects(app: App, ledger: Ledger): number {
  const rows = ledger
    .sql(
      `SELECT s.id, s.cwd, s.remote, p.key, p.kind FROM sessions s LEFT JOIN projects p ON p.id = s.project WHERE s.cwd IS NOT NULL`,
    )
    .all()
  let changed = 0
  ledger.transaction(() => {
    for (const row of rows) {
      const project = projectOf(String(row.cwd), (row.remote as string | null) ?? undefined, app.config.projects)
      if (project.key === row.key || (project.kind === 'folder' && row.kind === 'remote')) continue
      saveProject(ledger, Number(row.id), saveProjectRow(ledger, project))
      changed++
    }
    ledger.raw.exec('DELETE FROM projects WHERE id NOT IN (SELECT project FROM sessions WHERE project IS NOT NULL)')
  })
  return changed
}

function removeOrphans({ layout, sql }: Ledger): number {
  const named = new Set(
    sql('SELECT body FROM sessions WHERE body IS NOT NULL')
      .all()
      .map((row) => String(row.body)),
  )
  const files = readdirSync(layout.bodies, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.zst') && !named.has(path),
  )
  for (const path of files) rmSync(join(layout.bodies, path), { force: true })
  return files.length
}
