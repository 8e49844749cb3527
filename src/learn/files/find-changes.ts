// Finds changes to the memory files since Recollect wrote them. Few files are all checked. With
// many, only changed folders and a rotating part of the rest: a sweep without changes must stay
// cheap, and an edit in place does not touch its folder.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import type { Json } from '../../core/session.ts'
import {
  folderStamp,
  markdownFilesIn,
  readVaultFile,
  statVaultFile,
  vaultFolderState,
  vaultFoldersIn,
} from '../../core/vault/files.ts'
import { isObject, readChecked, writeValue } from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import {
  countMemoryFiles,
  deleteMemoryFile,
  hasKeptMemories,
  type MemoryFile,
  memoryFileAt,
  memoryFiles,
  memoryFilesBelow,
  pathsOfMemory,
  saveMemoryFile,
} from '../../store/memories/files.ts'
import { projectsWithMemories } from '../../store/memories/memories.ts'
import { hasTeams } from '../../store/sync/shares.ts'
import type { FileProblem } from './context.ts'
import {
  archiveOf,
  folderOf,
  inboxFolder,
  indexedFolder,
  indexName,
  isIntact,
  isTeamFolder,
  nameOf,
  parentOf,
  teamFolderOf,
} from './folders.ts'
import { foldersToRename } from './rename-folders.ts'
import { hashOf } from './render.ts'

/**
 * Whether anybody may have touched the memory files, by names and stamps alone. Most sweeps end
 * here; otherwise `findChanges` compares contents.
 */
export function mayHaveEdits(ledger: Ledger): boolean {
  const { vault } = ledger.layout
  if (!existsSync(vault)) return false
  if (countMemoryFiles(ledger) > maxFilesPerScan || memoryFileProblems(ledger).length > 0) return true
  const files = memoryFiles(ledger)
  const known = new Set(files.map(({ path }) => path))
  const projects = namesBelow(vault, 'memory').map((name) => `memory/${name}`)
  const places = memoryFolders(projects, hasTeams(ledger))
  return (
    files.some(({ path, stamp }) => !isAsWritten(vault, path, stamp)) ||
    [...new Set(files.map(({ path }) => parentOf(path)))].some((folder) => !isIntact(vault, folder)) ||
    ['memory', ...places].some((folder) => vaultFolderState(vault, folder) === 'link') ||
    places.some((folder) => hasOthers(vault, folder, known)) ||
    foldersToRename(ledger, vault).length > 0
  )
}

export interface VaultChanges {
  /** Content differs from what was written. */
  changed: { file: MemoryFile; content: string; stamp: string }[]
  /** Deleted one by one. */
  missing: MemoryFile[]
  /** Files that Recollect did not write. */
  fresh: string[]
  /** Links in place of files or folders, and folders in place of files. */
  links: string[]
  unreadable: { path: string; reason: string }[]
  /** Files that lost their content, as in a crash; they are written again. */
  emptied: MemoryFile[]
  /** Projects whose whole folder is gone. */
  lost: (string | null)[]
}

/** Up to this many files are checked in every scan. */
export const maxFilesPerScan = 2000

/** `again` are the paths with a problem in the last scan. */
export function findChanges(ledger: Ledger, vault: string, again: readonly string[]): VaultChanges {
  const look: VaultChanges = { changed: [], missing: [], fresh: [], links: [], unreadable: [], emptied: [], lost: [] }
  const projects = projectsWithMemories(ledger)
  const found = vaultFoldersIn(vault, 'memory').map((name) => `memory/${name}`)
  const isShared = hasTeams(ledger)
  const folders = memoryFolders([...found, ...projects.map(folderOf)], isShared)
  for (const project of projects) if (isLost(ledger, vault, project)) look.lost.push(project)
  for (const folder of folders) if (isLink(vault, folder)) look.links.push(folder)

  const isFew = countMemoryFiles(ledger) <= maxFilesPerScan
  const listed = isFew ? folders : changedFolders(ledger, vault, folders)
  const paths = new Set(listed.flatMap((folder) => lookIn(ledger, vault, folder, look)))
  const mayLie = (path: string) => isShared || !isTeamFolder(parentOf(path))
  for (const path of again) if (!paths.has(path) && mayLie(path)) lookAgain(ledger, vault, path, look)
  if (!isFew) for (const file of inTurn(ledger)) if (!paths.has(file.path)) lookAtFile(ledger, vault, file, look)
  return look
}

/**
 * All folders that may hold memories. Users without a team may have a folder `team` of their own.
 */
export function memoryFolders(projects: readonly string[], isShared: boolean): string[] {
  const homes = [...new Set(projects)].flatMap((folder) => (isShared ? [folder, `${folder}/team`] : [folder]))
  return [...homes.flatMap((folder) => [folder, archiveOf(folder)]), inboxFolder]
}

function isLost(ledger: Ledger, vault: string, project: string | null): boolean {
  return (
    (!isIntact(vault, folderOf(project)) && hasKeptMemories(ledger, project, 'own')) ||
    (!isIntact(vault, teamFolderOf(project)) && hasKeptMemories(ledger, project, 'teams'))
  )
}

/** The folder itself, not one above it. */
function isLink(vault: string, folder: string): boolean {
  return (
    vaultFolderState(vault, folder) === 'link' &&
    !(folder.includes('/') && vaultFolderState(vault, parentOf(folder)) === 'link')
  )
}

const stampsNote = 'memory folders'
const turnNote = 'memory files looked at'

/** The stamp is read before the folder is listed: a later change alters it again. */
function changedFolders(ledger: Ledger, vault: string, folders: readonly string[]): string[] {
  const before = readChecked<Record<string, Json>>(ledger, stampsNote, isObject) ?? {}
  const stamps: Record<string, Json> = {}
  for (const folder of folders) stamps[folder] = folderStamp(vault, folder)
  const changed = folders.filter((folder) => stamps[folder] !== before[folder])
  if (changed.length > 0) writeValue(ledger, stampsNote, stamps)
  return changed
}

function inTurn(ledger: Ledger): MemoryFile[] {
  const after = readChecked<string>(ledger, turnNote, (value) => typeof value === 'string') ?? ''
  const files = memoryFiles(ledger, after, maxFilesPerScan)
  writeValue(ledger, turnNote, files.length < maxFilesPerScan ? '' : files.at(-1)!.path)
  return files
}

/** Returns the paths that are known or were found there. */
function lookIn(ledger: Ledger, vault: string, folder: string, look: VaultChanges): string[] {
  const files = memoryFilesBelow(ledger, folder).filter(({ path }) => parentOf(path) === folder)
  for (const file of files) lookAtFile(ledger, vault, file, look)
  const known = new Set(files.map(({ path }) => path))
  const found = markdownFilesIn(vault, folder)
    .filter((name) => name !== indexName)
    .map((name) => `${folder}/${name}`)
  const others = found.filter((path) => !known.has(path))
  for (const path of others) (statVaultFile(vault, path).kind === 'file' ? look.fresh : look.links).push(path)
  return [...known, ...others]
}

function lookAgain(ledger: Ledger, vault: string, path: string, look: VaultChanges): void {
  const file = memoryFileAt(ledger, path)
  if (file) lookAtFile(ledger, vault, file, look)
  else if (nameOf(path).endsWith('.md') && statVaultFile(vault, path).kind === 'file') look.fresh.push(path)
}

/** An unreadable file does not stop the scan. */
function lookAtFile(ledger: Ledger, vault: string, file: MemoryFile, look: VaultChanges): void {
  try {
    compareFile(ledger, vault, file, look)
  } catch (error) {
    look.unreadable.push({ path: file.path, reason: messageOf(error) })
  }
}

function compareFile(ledger: Ledger, vault: string, file: MemoryFile, look: VaultChanges): void {
  const folder = parentOf(file.path)
  const found = statVaultFile(vault, file.path)
  if (found.kind === 'missing') {
    if (!isIntact(vault, indexedFolder(folder))) return
    if (isUnfinished(ledger, vault, file)) deleteMemoryFile(ledger, file.path)
    else look.missing.push(file)
    return
  }
  if (found.kind === 'other') {
    look.links.push(file.path)
    return
  }
  if (found.stamp === file.stamp || vaultFolderState(vault, folder) === 'link') return
  if (found.isEmpty) {
    look.emptied.push(file)
    return
  }
  const content = readVaultFile(vault, file.path)
  const after = statVaultFile(vault, file.path)
  if (after.kind !== 'file' || after.stamp !== found.stamp) return // still being written
  if (!file.hash.split(' ').includes(hashOf(content))) look.changed.push({ file, content, stamp: found.stamp })
  else if (!file.hash.includes(' ')) saveMemoryFile(ledger, { ...file, stamp: found.stamp })
}

/**
 * The program ended before it wrote or while it moved the file: not a deletion. It is written the
 * next time.
 */
function isUnfinished(ledger: Ledger, vault: string, { path, memory, stamp }: MemoryFile): boolean {
  const elsewhere = pathsOfMemory(ledger, memory).filter((other) => other !== path)
  return stamp === '' || elsewhere.some((other) => statVaultFile(vault, other).kind === 'file')
}

/** Folders and links; a plain file in this place is not a memory. */
function namesBelow(vault: string, folder: string): string[] {
  if (vaultFolderState(vault, folder) !== 'folder') return []
  return readdirSync(join(vault, folder), { withFileTypes: true })
    .filter((entry) => !entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
}

function isAsWritten(vault: string, path: string, stamp: string): boolean {
  const found = statVaultFile(vault, path)
  return found.kind === 'file' && found.stamp === stamp
}

function hasOthers(vault: string, folder: string, known: ReadonlySet<string>): boolean {
  return markdownFilesIn(vault, folder).some((name) => name !== indexName && !known.has(`${folder}/${name}`))
}

/** Files that could not be applied the last time; they are left as their authors wrote them. */
export function memoryFileProblems(ledger: Ledger): FileProblem[] {
  return readChecked<FileProblem[]>(ledger, problemsKey, isProblemList) ?? []
}

function isProblemList(value: Json): boolean {
  return Array.isArray(value) && value.every((one) => isObject(one) && typeof one.path === 'string')
}

export function saveMemoryFileProblems(ledger: Ledger, problems: readonly FileProblem[]): void {
  writeValue(ledger, problemsKey, problems as unknown as Json)
}

const problemsKey = 'memory file problems'
