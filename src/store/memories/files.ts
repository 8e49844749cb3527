// The memory files as they were last written, and which memories have changed since. Paths are
// relative to the vault, with slashes.
import type { Memory, MemoryKind } from '../../memory/memory.ts'
import { isStrings, readChecked, writeValue } from '../key-values.ts'
import type { Ledger } from '../ledger.ts'
import { markFilesStale } from './rows.ts'

/** The user's own memories, or those of teams and other users. */
export type MemoryOwner = 'own' | 'teams'

export interface MemoryFile {
  path: string
  memory: string
  /**
   * Hash of the content. While the file is being written: the old and the new hash, separated by a
   * space.
   */
  hash: string
  stamp: string
  /** Written by a person; without it they are derived from the text. */
  name?: string | null
  description?: string | null
}

const fileColumns = 'path, memory, hash, stamp, name, description'

export function saveMemoryFile(ledger: Ledger, file: MemoryFile): void {
  const { path, memory, hash, stamp, name, description } = file
  ledger
    .sql(`INSERT OR REPLACE INTO memory_files (${fileColumns}) VALUES (?, ?, ?, ?, ?, ?)`)
    .run(path, memory, hash, stamp, name ?? null, description ?? null)
}

export function deleteMemoryFile(ledger: Ledger, path: string): void {
  ledger.sql('DELETE FROM memory_files WHERE path = ?').run(path)
}

/** Ordered by path, after `after`. */
export function memoryFiles(ledger: Ledger, after = '', limit = -1): MemoryFile[] {
  return ledger
    .sql(`SELECT ${fileColumns} FROM memory_files WHERE path > ? ORDER BY path LIMIT ?`)
    .all(after, limit) as unknown as MemoryFile[]
}

export function memoryFilesBelow(ledger: Ledger, folder: string): MemoryFile[] {
  return ledger
    .sql(
      `SELECT ${fileColumns} FROM memory_files
       WHERE path >= $folder || '/' AND path < $folder || '0' ORDER BY path`,
    )
    .all({ folder }) as unknown as MemoryFile[]
}

/** Records that the folder of these files has another name now. */
export function moveMemoryFiles(ledger: Ledger, from: string, to: string): void {
  ledger
    .sql(
      `UPDATE memory_files SET path = $to || substr(path, length($from) + 1)
       WHERE path >= $from || '/' AND path < $from || '0'`,
    )
    .run({ from, to })
}

/** The folders of projects that memory files are recorded in. */
export function foldersOfMemoryFiles(ledger: Ledger): string[] {
  return ledger
    .sql(
      `SELECT DISTINCT 'memory/' || substr(path, 8, instr(substr(path, 8), '/') - 1) AS folder
       FROM memory_files WHERE path LIKE 'memory/%/%'`,
    )
    .all()
    .map((row) => String(row.folder))
}

export function memoryFileAt(ledger: Ledger, path: string): MemoryFile | undefined {
  return ledger.sql(`SELECT ${fileColumns} FROM memory_files WHERE path = ?`).get(path) as unknown as
    | MemoryFile
    | undefined
}

/** Returns two paths while the file is being moved. */
export function pathsOfMemory(ledger: Ledger, memory: string): string[] {
  const rows = ledger.sql('SELECT path FROM memory_files WHERE memory = ? ORDER BY path').all(memory)
  return rows.map(({ path }) => String(path))
}

/** One query for all of them. */
export function filesOfMemories(ledger: Ledger, memories: readonly string[]): Map<string, MemoryFile> {
  const rows = ledger
    .sql(`SELECT ${fileColumns} FROM memory_files WHERE memory IN (SELECT value FROM json_each(?)) ORDER BY path`)
    .all(JSON.stringify(memories)) as unknown as MemoryFile[]
  return new Map(rows.map((row) => [row.memory, row]))
}

const requeuedNote = 'memory files to write again'

/** Has the file of an unchanged memory written the next time. */
export function requeueFile(ledger: Ledger, { id, project }: Pick<Memory, 'id' | 'project'>): void {
  writeValue(ledger, requeuedNote, [...new Set([...requeuedFiles(ledger), id])])
  markFilesStale(ledger, project)
}

export function requeuedFiles(ledger: Ledger): string[] {
  return readChecked<string[]>(ledger, requeuedNote, isStrings) ?? []
}

export function forgetRequeuedFiles(ledger: Ledger): void {
  writeValue(ledger, requeuedNote, [])
}

export function countMemoryFiles(ledger: Ledger): number {
  return Number(ledger.sql('SELECT count(*) AS count FROM memory_files').get()!.count)
}

export function lastChangeId(ledger: Ledger): number {
  return Number(ledger.sql('SELECT coalesce(max(id), 0) AS id FROM changes').get()!.id)
}

export function memoriesChangedSince(ledger: Ledger, change: number): string[] {
  return ledger
    .sql('SELECT DISTINCT memory FROM memory_versions WHERE change > ? ORDER BY memory')
    .all(change)
    .map((row) => String(row.memory))
}

/** The data of one line of an index file. */
export interface IndexedMemory {
  id: string
  kind: MemoryKind
  text: string
  /** Path of its file, and what a person named it there. */
  path: string
  name: string | null
  description: string | null
  space: string | null
  author: string | null
}

/**
 * Current memories of a project that have a file: by importance, then number of mentions, then
 * newest first.
 */
export function indexedMemories(ledger: Ledger, project: string | null, whose: MemoryOwner): IndexedMemory[] {
  return ledger
    .sql(
      `SELECT m.id, m.kind, m.text, f.path, f.name, f.description, m.space, m.author
       FROM memories m JOIN memory_files f ON f.memory = m.id
       WHERE m.project IS ? AND m.state = 'kept' AND m.superseded_by IS NULL AND (m.space IS NOT NULL) = ?
       ORDER BY m.importance DESC, m.said DESC, m.confirmed_at DESC, m.number DESC`,
    )
    .all(project, whose === 'teams' ? 1 : 0) as unknown as IndexedMemory[]
}

export function hasKeptMemories(ledger: Ledger, project: string | null, whose: MemoryOwner): boolean {
  const row = ledger
    .sql(`SELECT 1 FROM memories WHERE project IS ? AND state = 'kept' AND (space IS NOT NULL) = ? LIMIT 1`)
    .get(project, whose === 'teams' ? 1 : 0)
  return row !== undefined
}

/**
 * The user's own memories that were imported from a file, by that file: in any state, newest first.
 */
export function memoriesByOriginFile(ledger: Ledger): Map<string, string[]> {
  const rows = ledger
    .sql(
      `SELECT m.id, json_extract(e.value, '$.file') AS file FROM memories m, json_each(m.evidence) e
       WHERE m.space IS NULL AND m.evidence LIKE '%"file":%' AND json_extract(e.value, '$.file') IS NOT NULL ORDER BY m.number DESC`,
    )
    .all()
  const byFile = new Map<string, string[]>()
  for (const { id, file } of rows) {
    const known = byFile.get(String(file)) ?? []
    if (!known.includes(String(id))) known.push(String(id))
    byFile.set(String(file), known)
  }
  return byFile
}

/** The project of most sessions whose transcripts are below a folder. */
export function projectOfTranscripts(ledger: Ledger, folder: string, separator: string): string | undefined {
  const row = ledger
    .sql(
      `SELECT p.key FROM sessions s JOIN projects p ON p.id = s.project
       WHERE substr(s.source, 1, length($below)) = $below GROUP BY p.key ORDER BY count(*) DESC, p.key LIMIT 1`,
    )
    .get({ below: folder + separator })
  return row ? String(row.key) : undefined
}

export function sessionFolders(ledger: Ledger): { cwd: string; project: string }[] {
  return ledger
    .sql(
      `SELECT DISTINCT s.cwd, p.key AS project FROM sessions s JOIN projects p ON p.id = s.project
       WHERE s.cwd IS NOT NULL ORDER BY s.cwd`,
    )
    .all() as unknown as { cwd: string; project: string }[]
}

export function sessionStartMs(ledger: Ledger, uid: string): number | undefined {
  const row = ledger.sql('SELECT coalesce(started, ended) AS at FROM sessions WHERE uid = ?').get(uid)
  return (row?.at as number | null | undefined) ?? undefined
}
