// Undoes an import: memories get their earlier versions back, candidates and pages go, and imported
// sessions are deleted with what was derived from them.
import { type DeletionRunContext, type DeletionRunOptions, runDeletion } from '../delete/run.ts'
import { type ChangeContext, undo } from '../learn/change.ts'
import { removeTombstones, setDeletionState } from '../store/deletion/deletions.ts'
import { forgetImported, hasSession, importedBy } from '../store/imported.ts'
import type { ChangeRecord, MemoryVersion } from '../store/memories/changes.ts'
import { memoryById } from '../store/memories/memories.ts'
import { removeMemory } from '../store/memories/rows.ts'
import { buildWiki } from '../wiki/build.ts'
import { removePages } from './pages.ts'

export interface UndoneImport {
  change: ChangeRecord
  versions: MemoryVersion[]
  /** Candidates, sessions and pages that were removed. */
  candidates: number
  sessions: number
  pages: number
  /** Pages that a person has changed since, which stay. */
  left: string[]
}

export async function undoImport(
  context: DeletionRunContext & ChangeContext,
  id: number,
  options: DeletionRunOptions = {},
): Promise<UndoneImport> {
  const { ledger } = context
  const { change, versions } = undo(context, id)
  const rows = importedBy(ledger, change.id)
  const candidates = rows.filter(
    ({ kind, name }) => kind === 'candidate' && memoryById(ledger, name)?.state === 'candidate',
  )
  ledger.transaction(() => {
    for (const { name } of candidates) removeMemory(ledger, name)
  })
  const uids = rows.flatMap(({ kind, name }) => (kind === 'session' && hasSession(ledger, name) ? name : []))
  if (uids.length > 0) {
    const deletion = await runDeletion(context, { uids }, options)
    // They can be imported again, so there is nothing to restore.
    ledger.transaction(() => {
      removeTombstones(ledger, deletion.change)
      setDeletionState(ledger, deletion.change, 'purging')
    })
  }
  const left = await removePages(context, rows)
  const pages = rows.filter(({ kind }) => kind === 'file' || kind === 'section').length
  if (pages > left.length) await buildWiki(context)
  ledger.transaction(() => forgetImported(ledger, change.id))
  return {
    change,
    versions,
    candidates: candidates.length,
    sessions: uids.length,
    pages: pages - left.length,
    left,
  }
}
