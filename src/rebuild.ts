// Rebuilds derived data from the store: search index, digests, fixes, prices, project identities, memory
// files, wiki, vectors and briefs. Transcripts are not needed. Sessions without a body keep what
// they have.
import { existsSync } from 'node:fs'
import type { App } from './app.ts'
import { prepareBriefs } from './brief/prepare.ts'
import { adoptBodies } from './capture/adopt-bodies.ts'
import { markAdopted } from './capture/adoption-note.ts'
import { assignProjects } from './capture/projects/assign-projects.ts'
import { reindex } from './capture/reindex.ts'
import { addBodyHeaders, redactBodies } from './capture/repair-bodies.ts'
import { isoTime } from './core/clock.ts'
import { digest } from './digest/digest.ts'
import { searchSessions } from './fixes/search-sessions.ts'
import { writeHints } from './fixes/write-hints.ts'
import { readMemoryEdits } from './learn/files/read.ts'
import { writeMemoryFiles } from './learn/files/write.ts'
import { updateVectors } from './search/vectors/embed-passages.ts'
import { resetFixes } from './store/fixes/fixes.ts'
import type { Ledger } from './store/ledger.ts'
import { bodyFault, bodyState } from './store/sessions/bodies.ts'
import { resetDigests } from './store/sessions/digests.ts'
import { deleteScheduledBodies, evictBody, storedBodies } from './store/sessions/evictions.ts'
import { deleteSession } from './store/sessions/sessions.ts'
import { deleteCursors } from './store/sessions/transcripts.ts'
import { repriceUsage } from './store/sessions/usage.ts'
import { buildWiki } from './wiki/build.ts'
import { forgetCompiled } from './wiki/due.ts'

export interface RebuildReport {
  indexed: number
  digested: number
  /** Sessions that were searched for fixes. */
  searched: number
  repriced: number
  projects: number
  /** Sessions whose body was found without a row in the ledger. */
  adopted: number
  /** Sessions from whose body secrets were removed that earlier rules had missed. */
  redacted: number
  /** Body files of which nothing can be read; they are kept. */
  unreadableBodies: string[]
  /** Sessions of whose body a part cannot be read; the rest is kept. */
  damagedBodies: string[]
  memoryFiles: number
  articles: number
  briefs: number
  /**
   * Sessions whose body is missing; the next sweep reads those whose transcript still exists.
   */
  lostBodies: string[]
}

export async function rebuild(
  app: App,
  ledger: Ledger,
  onProgress: (done: number, of: number) => void,
): Promise<RebuildReport> {
  const lostBodies = handleLostBodies(app, ledger)
  addBodyHeaders({ ledger, clock: app.clock })
  const { redact } = await app.context(ledger).loadTools()
  const redacted = redactBodies({ ledger, clock: app.clock }, redact)
  const adopted = adoptBodies({ ...app, ledger }, 'all')
  markAdopted(ledger)
  const indexed = reindex({ ledger, clock: app.clock }, onProgress)
  await updateVectors(app.context(ledger))
  const report = {
    lostBodies,
    indexed,
    digested: redigest(app, ledger),
    searched: searchAgain(app, ledger),
    repriced: await reprice(app, ledger),
    projects: assignProjects({ ...app, ledger }, { isFull: true }),
    adopted: adopted.adopted.length,
    redacted,
    unreadableBodies: adopted.unreadable,
    damagedBodies: damagedBodies(ledger),
    memoryFiles: await rewriteMemories(app, ledger),
    articles: await rebuildWiki(app, ledger),
    briefs: prepareBriefs(app.briefContext(ledger)),
  }
  writeHints(app.context(ledger), 'all')
  return report
}

/**
 * A session without its body is deleted if its transcript still exists, so that the next sweep
 * reads it as new. Otherwise it keeps digest and cost, as after eviction.
 */
function handleLostBodies(app: App, ledger: Ledger): string[] {
  const lost = storedBodies(ledger).filter(
    ({ file, bytes }) => bodyState(ledger.layout.bodies, file, bytes) === 'missing',
  )
  const again = lost.filter(({ source }) => source !== null && existsSync(source))
  ledger.transaction(() => {
    for (const session of lost) {
      if (again.includes(session)) deleteSession(ledger, session.id)
      else evictBody(ledger, session, isoTime(app.clock.nowMs()))
    }
    if (again.length > 0) deleteCursors(ledger) // a session may be in more files than its last source
  })
  deleteScheduledBodies(ledger)
  return lost.map((session) => session.uid)
}

function damagedBodies(ledger: Ledger): string[] {
  return storedBodies(ledger)
    .filter(({ file, bytes }) => bodyFault(ledger.layout.bodies, file, bytes, 'content') !== undefined)
    .map(({ uid }) => uid)
}

function redigest(app: App, ledger: Ledger): number {
  resetDigests(ledger)
  return digest({ ledger, clock: app.clock }).length
}

function searchAgain(app: App, ledger: Ledger): number {
  resetFixes(ledger)
  return searchSessions({ ledger, clock: app.clock })
}

async function reprice(app: App, ledger: Ledger): Promise<number> {
  const { priceOf } = await app.context(ledger).loadTools()
  return ledger.transaction(() => repriceUsage(ledger, priceOf))
}

/** Edits by users are read first. */
async function rewriteMemories(app: App, ledger: Ledger): Promise<number> {
  const context = app.context(ledger)
  await readMemoryEdits(context)
  return writeMemoryFiles(context, 'all').written
}

/** Without a model: text by models and edits or deletions by users stay. */
async function rebuildWiki({ clock, zone, machine }: App, ledger: Ledger): Promise<number> {
  forgetCompiled(ledger)
  const build = await buildWiki({ ledger, clock, zone, machine })
  return build.kind === 'done' ? build.report.created.length + build.report.updated.length : 0
}
