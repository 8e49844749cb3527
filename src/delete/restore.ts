// Undoes a deletion: rows, bodies, search index and memories are again as they were.

import { indexBody } from '../capture/reindex.ts'
import { isoTime } from '../core/clock.ts'
import { UserError } from '../core/errors.ts'
import type { Memory } from '../memory/memory.ts'
import { type Deletion, deletionOf, removeTombstones, setDeletionState } from '../store/deletion/deletions.ts'
import { restoreProject, restoreRow } from '../store/deletion/session-rows.ts'
import type { Ledger } from '../store/ledger.ts'
import { beginChange, type ChangeRecord, deleteVersions, markUndone } from '../store/memories/changes.ts'
import { requeueFile } from '../store/memories/files.ts'
import { memoryById } from '../store/memories/memories.ts'
import { restoreMemoryRow, writeMemory } from '../store/memories/rows.ts'
import { indexDigest } from '../store/search/index-session.ts'
import { forgetSeenPassages } from '../store/search/vectors.ts'
import { deleteBody } from '../store/sessions/bodies.ts'
import { saveCommits } from '../store/sessions/commits.ts'
import { cancelBodyDeletion } from '../store/sessions/evictions.ts'
import { markBriefsStale } from '../store/sessions/projects.ts'
import { addProjectsToCompile } from '../store/wiki/projects-to-compile.ts'
import { makeWikiDue } from '../wiki/due.ts'
import { type ArchiveRecord, hasArchive, readArchive, restoreBodyFile } from './archive.ts'
import type { DeletionContext } from './delete.ts'

/** Requires the sweep and the learn lock; `finishDeletions` then restores the files. */
export function undoDeletion({ ledger, clock }: DeletionContext, change: ChangeRecord): Deletion {
  const deletion = restorableDeletion(ledger, change)
  ledger.transaction(() => {
    const at = isoTime(clock.nowMs())
    const restoring = newRestoration(ledger, change.id)
    removeTombstones(ledger, change.id)
    // The version that the deletion wrote goes, the ones before it come back.
    deleteVersions(ledger, change.id)
    for (const record of readArchive(ledger.layout, change.id)) restoreRecord(restoring, record)
    for (const session of restoring.sessions) indexDigest(ledger, session)
    markBriefsStale(ledger, [...restoring.keys])
    addProjectsToCompile(ledger, [...restoring.keys])
    makeWikiDue(ledger)
    forgetSeenPassages(ledger)
    markUndone(ledger, change.id, beginChange(ledger, { at, kind: 'undone', about: change.about }))
    setDeletionState(ledger, change.id, 'restoring')
  })
  return deletion
}

function restorableDeletion(ledger: Ledger, { id }: ChangeRecord): Deletion {
  const deletion = deletionOf(ledger, id)
  if (deletion?.state === 'held' && hasArchive(ledger.layout, id)) return deletion
  if (deletion?.state === 'deleting')
    throw new UserError(`Deletion ${id} is not finished`, 'Run: recollect sweep, then undo it.', 1)
  throw new UserError(
    `Deletion ${id} cannot be undone: it was purged`,
    'Deleted sessions can be restored for a day. The transcripts of the agents were not touched.',
    1,
  )
}

interface Restoration {
  ledger: Ledger
  change: number
  /** Row ids of projects then and now. */
  projects: Map<number, number>
  /** Keys of projects and of memories' projects; null for memories of no project. */
  keys: Set<string>
  /** Row ids. */
  sessions: number[]
}

function newRestoration(ledger: Ledger, change: number): Restoration {
  return { ledger, change, projects: new Map(), keys: new Set(), sessions: [] }
}

function restoreRecord(restoring: Restoration, record: ArchiveRecord): void {
  const { ledger, change, projects, keys, sessions } = restoring
  switch (record.kind) {
    case 'project':
      projects.set(record.project.id, restoreProject(ledger, record.project))
      keys.add(record.project.key)
      return
    case 'row':
      restoreRow(ledger, record, projects)
      if (record.table === 'sessions') sessions.push(Number(record.row.id))
      return
    case 'body':
      restoreBodyFile(ledger.layout, change, record.file)
      cancelBodyDeletion(ledger, record.file)
      ledger.onRollback(() => deleteBody(ledger.layout.bodies, record.file))
      indexBody(ledger, { id: record.session, file: record.file, bytes: record.bytes })
      return
    case 'removed memory':
      restoreMemoryRow(ledger, record.memory, record.number)
      return markRestored(restoring, record.memory)
    case 'changed memory':
      return restoreChanged(restoring, record.before, record.after)
    case 'commits':
      saveCommits(ledger, record.project, record.commits)
      return
    case 'journal':
    case 'memory file':
    case 'article':
      return // files.ts
    default:
      record satisfies never
  }
}

function restoreChanged(restoring: Restoration, before: Memory, after: Memory): void {
  const memory = mergedMemory(restoring.ledger, before, after)
  writeMemory(restoring.ledger, memory)
  markRestored(restoring, memory)
}

function markRestored({ ledger, keys }: Restoration, memory: Memory): void {
  requeueFile(ledger, memory)
  if (memory.project !== null) keys.add(memory.project)
}

/** A memory that was changed since the deletion only gets its evidence back. */
function mergedMemory(ledger: Ledger, before: Memory, after: Memory): Memory {
  const now = memoryById(ledger, before.id)
  if (!now || isSame(now, after)) return before
  const known = new Set(now.evidence.map((one) => JSON.stringify(one)))
  const missing = before.evidence.filter((one) => !known.has(JSON.stringify(one)))
  const said = now.counts.said + before.counts.said - after.counts.said
  return {
    ...now,
    evidence: [...missing, ...now.evidence],
    counts: { ...now.counts, said },
    version: now.version + 1,
  }
}

function isSame(a: Memory, b: Memory): boolean {
  const stated = ({ counts: { said }, ...memory }: Memory) => JSON.stringify({ ...memory, said })
  return stated(a) === stated(b)
}
