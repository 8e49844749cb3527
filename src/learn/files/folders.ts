// Folders of the vault in which memory files lie.

import { isProjectFolder, projectFolder, statVaultFile, vaultFolderState } from '../../core/vault/files.ts'
import type { Memory } from '../../memory/memory.ts'

export const inboxFolder = 'inbox'
export const indexName = 'MEMORY.md'

export function folderOf(project: string | null): string {
  return `memory/${projectFolder(project)}`
}

/** Also under a name that it had before. */
export function isFolderOf(project: string | null, folder: string): boolean {
  return folder.startsWith('memory/') && isProjectFolder(folder.slice('memory/'.length), project)
}

/** Memories of teams about a project, and shared ones. */
export function teamFolderOf(project: string | null): string {
  return `${folderOf(project)}/team`
}

export function archiveOf(folder: string): string {
  return `${folder}/archive`
}

/** The folder whose index lists a file: not the archive in it. */
export function indexedFolder(folder: string): string {
  return folder.replace(/\/archive$/, '')
}

export function isTeamFolder(folder: string): boolean {
  return /^memory\/[^/]+\/team$/.test(indexedFolder(folder))
}

/** Undefined for a memory without a file. */
export function desiredFolder({ state, supersededBy, project, space }: Memory): string | undefined {
  if (state === 'forgotten' || state === 'candidate') return undefined
  if (state === 'inbox') return inboxFolder
  const folder = space === null ? folderOf(project) : teamFolderOf(project)
  return supersededBy ? archiveOf(folder) : folder
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/**
 * A folder without its index was removed as a whole, or is on a disk that is not mounted: its files
 * were not deleted one by one.
 */
export function isIntact(vault: string, folder: string): boolean {
  if (vaultFolderState(vault, folder) !== 'folder') return false
  return folder === inboxFolder || statVaultFile(vault, `${indexedFolder(folder)}/${indexName}`).kind !== 'missing'
}
