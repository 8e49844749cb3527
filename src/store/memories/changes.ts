// The history of memories. Every write of a memory goes through here, so each change has a before
// and an after and can be undone.
import type { Memory } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'
import { moveArticles } from '../wiki/articles.ts'
import { listMemories, memoryById } from './memories.ts'
import { markMemoriesChanged, removeMemory, writeMemory } from './rows.ts'

export type ChangeKind =
  | 'learned'
  | 'remembered'
  | 'imported'
  | 'edited'
  | 'forgotten'
  | 'reviewed'
  | 'moved'
  | 'linked'
  | 'taken back'
  | 'consolidated'
  | 'synced'
  | 'deleted'
  | 'undone'

export interface ChangeRecord {
  id: number
  at: string
  kind: ChangeKind
  /** One line for people. */
  about: string
  undoneBy: number | null
}

/** Writes memories as one change. Call inside a transaction. */
export function changeMemories(ledger: Ledger, change: NewChange, memories: readonly Memory[]): number {
  const id = beginChange(ledger, change)
  for (const memory of memories) changeMemory(ledger, id, memory)
  return id
}

export type NewChange = Pick<ChangeRecord, 'at' | 'kind' | 'about'>

/**
 * Begins a change whose memories are written one by one, because each depends on the one before.
 */
export function beginChange(ledger: Ledger, { at, kind, about }: NewChange): number {
  const { lastInsertRowid } = ledger.sql('INSERT INTO changes (at, kind, about) VALUES (?, ?, ?)').run(at, kind, about)
  return Number(lastInsertRowid)
}

export function changeMemory(ledger: Ledger, change: number, memory: Memory): void {
  const before = memoryById(ledger, memory.id)
  saveVersion(ledger, change, memory.id, before, memory)
  writeMemory(ledger, memory)
  if (before && before.project !== memory.project) markMemoriesChanged(ledger, before.project)
}

/** Removes another user's memory to which access has ended, and records it in the history. */
export function removeMemoryInChange(ledger: Ledger, change: number, id: string): void {
  const before = memoryById(ledger, id)
  if (!before) return
  saveVersion(ledger, change, id, before, null)
  removeMemory(ledger, id)
}

/**
 * Moves memories and articles to the new key of a project. Memories in a team's space stay
 * unchanged, because the team decides about those. Call inside a transaction.
 */
export function moveMemories(ledger: Ledger, from: string, to: string, at: string): void {
  moveArticles(ledger, from, to)
  const moved = listMemories(ledger, { project: from })
    .filter(({ space }) => space === null)
    .map((memory) => ({ ...memory, project: to, version: memory.version + 1 }))
  if (moved.length > 0) changeMemories(ledger, { at, kind: 'moved', about: `${from} is ${to}` }, moved)
}

/** Removes what a change says about memories; the change itself stays. */
export function deleteVersions(ledger: Ledger, change: number): void {
  ledger.sql('DELETE FROM memory_versions WHERE change = ?').run(change)
}

export interface MemoryVersion {
  change: ChangeRecord
  before: Memory | null
  after: Memory | null
}

export function memoryHistory(ledger: Ledger, id: string): MemoryVersion[] {
  return ledger
    .sql(
      `SELECT c.*, v.before, v.after FROM memory_versions v JOIN changes c ON c.id = v.change
       WHERE v.memory = ? ORDER BY c.id`,
    )
    .all(id)
    .map(versionOf)
}

export function versionsOfChange(ledger: Ledger, change: number): MemoryVersion[] {
  return ledger
    .sql('SELECT c.*, v.before, v.after FROM memory_versions v JOIN changes c ON c.id = v.change WHERE c.id = ?')
    .all(change)
    .map(versionOf)
}

/** Newest first; includes undone changes and the changes that undid them. */
export function listChanges(ledger: Ledger, limit: number): ChangeRecord[] {
  return ledger.sql('SELECT * FROM changes ORDER BY id DESC LIMIT ?').all(limit).map(changeOf)
}

export function changeById(ledger: Ledger, id: number): ChangeRecord | undefined {
  const row = ledger.sql('SELECT * FROM changes WHERE id = ?').get(id)
  return row ? changeOf(row) : undefined
}

/**
 * The last change made on this machine that is not undone and is not itself an undo. A deletion of
 * sessions can be undone while it is held.
 */
export function lastUndoableChange(ledger: Ledger): ChangeRecord | undefined {
  const row = ledger
    .sql(
      `SELECT * FROM changes WHERE undone_by IS NULL AND kind NOT IN ('undone', 'synced')
         AND (kind <> 'deleted' OR id IN (SELECT change FROM deletions WHERE state = 'held')) ORDER BY id DESC LIMIT 1`,
    )
    .get()
  return row ? changeOf(row) : undefined
}

/** Restores the versions before a change, as a new change. Call inside a transaction. */
export function undoChange(ledger: Ledger, change: ChangeRecord, at: string): number {
  const undoing = beginChange(ledger, { at, kind: 'undone', about: change.about })
  for (const { before, after } of versionsOfChange(ledger, change.id)) {
    const id = (before ?? after)!.id
    const now = memoryById(ledger, id)
    saveVersion(ledger, undoing, id, now, before)
    if (before) writeMemory(ledger, before)
    else removeMemory(ledger, id)
    if (now && now.project !== before?.project) markMemoriesChanged(ledger, now.project)
  }
  markUndone(ledger, change.id, undoing)
  // Undoing an undo makes the first change effective again.
  ledger.sql('UPDATE changes SET undone_by = NULL WHERE undone_by = ?').run(change.id)
  return undoing
}

export function markUndone(ledger: Ledger, change: number, undoing: number): void {
  ledger.sql('UPDATE changes SET undone_by = ? WHERE id = ?').run(undoing, change)
}

/**
 * Later changes of the same memories, which must be undone first. A later change that was itself
 * undone is no obstacle, and neither is its undo.
 */
export function laterChanges(ledger: Ledger, change: number): ChangeRecord[] {
  return ledger
    .sql(
      `SELECT DISTINCT c.* FROM memory_versions mine JOIN memory_versions later ON later.memory = mine.memory
       JOIN changes c ON c.id = later.change
       WHERE mine.change = $change AND c.id > $change AND c.undone_by IS NULL
         AND NOT EXISTS (SELECT 1 FROM changes taken WHERE taken.undone_by = c.id AND taken.id > $change)
       ORDER BY c.id DESC`,
    )
    .all({ change })
    .map(changeOf)
}

export function saveVersion(
  ledger: Ledger,
  change: number,
  id: string,
  before: Memory | undefined,
  after: Memory | null,
) {
  ledger
    .sql(
      `INSERT INTO memory_versions (change, memory, before, after) VALUES (?, ?, ?, ?)
       ON CONFLICT (change, memory) DO UPDATE SET after = excluded.after`,
    )
    .run(change, id, before ? JSON.stringify(before) : null, after ? JSON.stringify(after) : null)
}

function changeOf(row: Record<string, unknown>): ChangeRecord {
  return {
    id: Number(row.id),
    at: String(row.at),
    kind: row.kind as ChangeKind,
    about: String(row.about),
    undoneBy: (row.undone_by as number | null) ?? null,
  }
}

function versionOf(row: Record<string, unknown>): MemoryVersion {
  return {
    change: changeOf(row),
    before: row.before === null ? null : (JSON.parse(String(row.before)) as Memory),
    after: row.after === null ? null : (JSON.parse(String(row.after)) as Memory),
  }
}

/**
 * Counts sessions that have grown since then, except the one that grew last, which may still be
 * running.
 */
export function countSessionsGrownSince(ledger: Ledger, at: string | null): number {
  const row = ledger
    .sql(
      `SELECT max(count(*) - 1, 0) AS count FROM sessions
       WHERE kind <> 'subagent' AND ($at IS NULL OR captured_at > $at)`,
    )
    .get({ at })
  return Number(row!.count)
}

interface VersionPair {
  before: Memory
  after: Memory
}

/** Versions of memories that consolidation wrote and a user has undone. */
export function undoneConsolidations(ledger: Ledger): VersionPair[] {
  return ledger
    .sql(
      `SELECT v.before, v.after FROM changes c JOIN memory_versions v ON v.change = c.id
       WHERE c.kind = 'consolidated' AND c.undone_by IS NOT NULL AND v.before IS NOT NULL AND v.after IS NOT NULL`,
    )
    .all()
    .map(versionPairOf)
}

/** Whether it was forgotten at some time, although it may be valid again. */
export function wasForgotten(ledger: Ledger, memory: string): boolean {
  return (
    ledger
      .sql("SELECT 1 FROM memory_versions WHERE memory = ? AND after ->> 'state' = 'forgotten' LIMIT 1")
      .get(memory) !== undefined
  )
}

/** Memories whose doubt a user has removed, as they were before. */
export function rejectedDoubts(ledger: Ledger): Memory[] {
  return ledger
    .sql(
      `SELECT v.before, v.after FROM changes c JOIN memory_versions v ON v.change = c.id
       WHERE c.kind = 'edited' AND c.undone_by IS NULL AND v.before ->> 'doubt' IS NOT NULL AND v.after ->> 'doubt' IS NULL`,
    )
    .all()
    .map((row) => versionPairOf(row).before)
}

/** Pairs of contradicting memories that a user decided to keep both. */
export function acceptedContradictions(ledger: Ledger): [string, string][] {
  return ledger
    .sql(
      `SELECT v.memory, v.before ->> 'contradicts' AS other FROM changes c JOIN memory_versions v ON v.change = c.id
       WHERE c.kind = 'reviewed' AND c.undone_by IS NULL AND v.before ->> 'contradicts' IS NOT NULL
         AND v.after ->> 'state' = 'kept'`,
    )
    .all()
    .map((row) => [String(row.memory), String(row.other)])
}

export function firstVersion(ledger: Ledger, id: string): Memory | undefined {
  const row = ledger
    .sql(
      'SELECT after FROM memory_versions WHERE memory = ? AND before IS NULL AND after IS NOT NULL ORDER BY change LIMIT 1',
    )
    .get(id)
  return row ? (JSON.parse(String(row.after)) as Memory) : undefined
}

/** Folders in which sessions of a project ran, latest first. */
export function foldersByLastSession(ledger: Ledger, project: string): string[] {
  return ledger
    .sql(
      `SELECT s.cwd FROM sessions s JOIN projects p ON p.id = s.project
       WHERE p.key = ? AND s.cwd IS NOT NULL GROUP BY s.cwd ORDER BY max(s.ended) DESC`,
    )
    .all(project)
    .map((row) => String(row.cwd))
}

function versionPairOf(row: Record<string, unknown>): VersionPair {
  return { before: JSON.parse(String(row.before)) as Memory, after: JSON.parse(String(row.after)) as Memory }
}
