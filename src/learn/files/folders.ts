// Which folder of the vault holds what.
import type { Memory } from '../../core/memory.ts'
import { projectFolder } from '../../core/vault.ts'
import { folderIn, lookAt } from '../../core/vault-files.ts'
import { indexName } from './index-file.ts'

export const inboxFolder = 'inbox'

export function folderOf(project: string | null): string {
  return `memory/${projectFolder(project)}`
}

export function archiveOf(project: string | null): string {
  return `${folderOf(project)}/archive`
}

/** Undefined where a memory has no file. */
export function wantedFolder({ state, supersededBy, project }: Memory): string | undefined {
  if (state === 'forgotten') return undefined
  if (state === 'inbox') return inboxFolder
  return supersededBy ? archiveOf(project) : folderOf(project)
}

export function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A folder without its index was not emptied file by file: it was removed, or lies on a disk that is not here. */
export function isWhole(vault: string, folder: string): boolean {
  if (folderIn(vault, folder) !== 'folder') return false
  return folder === inboxFolder || lookAt(vault, `${folder.replace(/\/archive$/, '')}/${indexName}`).kind !== 'missing'
}
