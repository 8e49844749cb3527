// Writes the files of changed memories. A file that a person has changed since is left to
// `readMemoryEdits`, so nothing is overwritten.

import {
  openVault,
  readVaultFile,
  removeVaultFile,
  statVaultFile,
  vaultFolderState,
  writeVaultFile,
} from '../../core/vault/files.ts'
import { fileNameOf } from '../../memory/file-name.ts'
import type { Memory } from '../../memory/memory.ts'
import { readChecked, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  deleteMemoryFile,
  filesOfMemories,
  forgetRequeuedFiles,
  hasKeptMemories,
  lastChangeId,
  type MemoryFile,
  memoriesChangedSince,
  memoryFileAt,
  memoryFilesBelow,
  requeuedFiles,
  saveMemoryFile,
} from '../../store/memories/files.ts'
import { listMemories, memoryById, projectsWithMemories } from '../../store/memories/memories.ts'
import { markFilesWritten, projectsWithStaleFiles } from '../../store/memories/rows.ts'
import { type MemoryFilesContext, renderContextOf, tryWithFilesLock } from './context.ts'
import {
  desiredFolder,
  folderOf,
  inboxFolder,
  indexedFolder,
  isIntact,
  nameOf,
  parentOf,
  teamFolderOf,
} from './folders.ts'
import { moveOwnLines, writeIndexes } from './index-file.ts'
import { renameMemoryFolders } from './rename-folders.ts'
import { hashOf, ownNames, type RenderContext, renderMemory } from './render.ts'

export function writeMemoryFiles(context: MemoryFilesContext, which: 'due' | 'all' = 'due'): { written: number } {
  const { ledger } = context
  const projects = which === 'all' ? projectsWithMemories(ledger) : projectsWithStaleFiles(ledger)
  if (projects.length === 0) return { written: 0 }
  return { written: tryWithFilesLock(context, () => writeProjects(context, projects, which)) ?? 0 }
}

function writeProjects(
  context: MemoryFilesContext,
  projects: readonly (string | null)[],
  which: 'due' | 'all',
): number {
  const { ledger } = context
  const vault = openVault(ledger.layout.vault)
  renameMemoryFolders(ledger, vault, projects)
  const through = lastChangeId(ledger)
  const since = which === 'all' ? undefined : readChecked<number>(ledger, throughNote, Number.isInteger)
  const around = renderContextOf(context)
  let written = 0
  for (const ids of batches(changedMemories(ledger, vault, projects, since))) {
    written += writeBatch(ledger, vault, around, ids)
  }
  for (const project of projects) moveOwnLines(ledger, vault, project)
  for (const project of projects) written += writeIndexes(ledger, vault, project)
  ledger.transaction(() => {
    writeValue(ledger, throughNote, through)
    forgetRequeuedFiles(ledger)
    // Memories that changed meanwhile stay due.
    if (lastChangeId(ledger) === through) for (const project of projects) markFilesWritten(ledger, project)
  })
  return written
}

/** Id of the last change that is in the files. */
const throughNote = 'memory files'

function changedMemories(
  ledger: Ledger,
  vault: string,
  projects: readonly (string | null)[],
  since: number | undefined,
): string[] {
  const ids = new Set(since === undefined ? [] : [...memoriesChangedSince(ledger, since), ...requeuedFiles(ledger)])
  const writeAnew = (folder: string, filter: Parameters<typeof listMemories>[1]) => {
    if (since !== undefined && isIntact(vault, folder)) return
    ledger.transaction(() => dropMissing(ledger, vault, folder))
    for (const { id } of listMemories(ledger, filter)) ids.add(id)
  }
  for (const project of projects) {
    writeAnew(folderOf(project), { project })
    if (hasKeptMemories(ledger, project, 'teams')) writeAnew(teamFolderOf(project), { project })
  }
  writeAnew(inboxFolder, { state: 'inbox' })
  return [...ids]
}

function dropMissing(ledger: Ledger, vault: string, folder: string): void {
  for (const { path } of memoryFilesBelow(ledger, folder).filter(
    ({ path }) => indexedFolder(parentOf(path)) === folder,
  ))
    if (statVaultFile(vault, path).kind === 'missing') deleteMemoryFile(ledger, path)
}

function* batches(ids: readonly string[]): Iterable<string[]> {
  for (let at = 0; at < ids.length; at += 500) yield ids.slice(at, at + 500)
}

interface Job {
  memory: string
  /** Its current file. */
  old: MemoryFile | undefined
  /** Its desired path; undefined to remove the file. */
  path: string | undefined
  content: string
  /** What a person named it. */
  own: Pick<MemoryFile, 'name' | 'description'>
}

function writeBatch(ledger: Ledger, vault: string, around: RenderContext, ids: readonly string[]): number {
  const known = filesOfMemories(ledger, ids)
  const taken = new Set<string>()
  const jobs = ids.flatMap((id) => planFile({ ledger, vault, around, taken }, id, known.get(id)) ?? [])
  if (jobs.length === 0) return 0
  // Record both hashes before writing, so that after a crash either content counts as ours.
  ledger.transaction(() => {
    for (const { old, path, memory, content, own } of jobs) {
      if (path === undefined) continue
      // After an unfinished write any of its contents may be there.
      const before = old?.path === path ? `${old.stamp === '' ? old.hash : old.hash.split(' ').at(-1)} ` : ''
      saveMemoryFile(ledger, { path, memory, hash: `${before}${hashOf(content)}`, stamp: '', ...own })
    }
  })
  const done = jobs.map((job) => ({ ...job, stamp: carryOut(vault, job) }))
  const isDone = ({ path, stamp }: (typeof done)[number]) => path === undefined || stamp !== undefined
  ledger.transaction(() => {
    for (const one of done) {
      const { old, path, memory, content, stamp, own } = one
      if (old && old.path !== path && isDone(one)) deleteMemoryFile(ledger, old.path)
      // If writing failed, the old hash stays: the file was not edited.
      if (path !== undefined && stamp === undefined && old?.path !== path) deleteMemoryFile(ledger, path)
      if (path !== undefined && stamp !== undefined)
        saveMemoryFile(ledger, { path, memory, hash: hashOf(content), stamp, ...own })
    }
  })
  return done.filter(isDone).length
}

interface Planning {
  ledger: Ledger
  vault: string
  around: RenderContext
  /** Paths that other files of this batch get. */
  taken: Set<string>
}

/** Undefined if the file is up to date, or has an edit that is not applied yet. */
function planFile(planning: Planning, id: string, old: MemoryFile | undefined): Job | undefined {
  const { ledger, vault, around, taken } = planning
  const memory = memoryById(ledger, id)
  const folder = memory ? desiredFolder(memory) : undefined
  if (folder === undefined && !old) return undefined
  if (old && !isOurs(vault, old)) return undefined
  if (!memory || folder === undefined) return { memory: id, old, path: undefined, content: '', own: {} }
  const isInPlace = old !== undefined && parentOf(old.path) === folder
  const path = isInPlace ? old.path : freePath(planning, folder, id, old ? nameOf(old.path) : fileNameOf(memory))
  const content = renderMemory(memory, around, old ? readVaultFile(vault, old.path) : '')
  if (old?.path === path && old.hash === hashOf(content) && !isEmptied(vault, path)) return undefined
  taken.add(path)
  return { memory: id, old, path, content, own: keptNames(memory, around, content, old) }
}

/** The names that were read from the file, without secrets, as long as it contains names of a person. */
function keptNames(memory: Memory, around: RenderContext, content: string, old: MemoryFile | undefined): Job['own'] {
  if (!old?.name && !old?.description) return {}
  const { name, description } = ownNames(memory, around, content)
  return { name: name && old.name, description: description && old.description }
}

/** Neither changed nor deleted since it was written. A file emptied by a crash counts as ours. */
function isOurs(vault: string, { path, hash, stamp }: MemoryFile): boolean {
  if (vaultFolderState(vault, parentOf(path)) !== 'folder') return false
  const found = statVaultFile(vault, path)
  if (found.kind !== 'file') return false
  return found.stamp === stamp || found.isEmpty || hash.split(' ').includes(hashOf(readVaultFile(vault, path)))
}

function isEmptied(vault: string, path: string): boolean {
  const found = statVaultFile(vault, path)
  return found.kind === 'file' && found.isEmpty
}

/** A foreign file keeps its name; ours gets a number. */
function freePath({ ledger, vault, taken }: Planning, folder: string, memory: string, name: string): string {
  for (let count = 1; ; count++) {
    const path = `${folder}/${count === 1 ? name : name.replace(/\.md$/, `-${count}.md`)}`
    const owner = memoryFileAt(ledger, path)?.memory
    if (owner === memory) return path
    if (owner === undefined && !taken.has(path) && statVaultFile(vault, path).kind === 'missing') return path
  }
}

/** Returns the stamp of the written file. */
function carryOut(vault: string, { old, path, content }: Job): string | undefined {
  try {
    const stamp = path === undefined ? undefined : writeVaultFile(vault, path, content)
    if (old && old.path !== path && (path === undefined || stamp !== undefined)) removeVaultFile(vault, old.path)
    return stamp
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EACCES' && code !== 'EPERM' && code !== 'EISDIR') throw error
    return undefined
  }
}
