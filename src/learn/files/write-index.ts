import { rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { readVaultFile, removeVaultFile, statVaultFile, vaultFolderState, writeVaultFile } from '../../core/vault.ts'
import type { Ledger } from '../../store/ledger.ts'
import { indexedMemories, type MemoryOwner, memoryFilesBelow } from '../../store/memories/files.ts'
import { archiveOf, folderOf, teamFolderOf } from './folders.ts'
import { indexName, renderIndex, userLines } from './index-file.ts'

/** Gives back how many files were written or removed. That of the teams first: one's own leads to it. */
export function writeIndexes(ledger: Ledger, vault: string, project: string | null): number {
  return writeIndex(ledger, vault, project, 'teams') + writeIndex(ledger, vault, project, 'own')
}

/** One, or none where it is as it should be. */
function writeIndex(ledger: Ledger, vault: string, project: string | null, whose: MemoryOwner): number {
  const folder = whose === 'own' ? folderOf(project) : teamFolderOf(project)
  const path = `${folder}/${indexName}`
  if (vaultFolderState(vault, folder) === 'link') return 0
  const found = statVaultFile(vault, path)
  if (found.kind === 'other') return 0
  const before = found.kind === 'file' ? readVaultFile(vault, path) : ''
  if (memoryFilesBelow(ledger, folder).length === 0 && userLines(before).length === 0) {
    if (found.kind === 'missing') return 0
    removeVaultFile(vault, path)
    removeEmptyFolders(vault, [archiveOf(folder), folder])
    return 1
  }
  const hasTeam = whose === 'own' && statVaultFile(vault, `${teamFolderOf(project)}/${indexName}`).kind === 'file'
  const after = renderIndex({ project, whose, hasTeam }, indexedMemories(ledger, project, whose), before)
  if (before === after) return 0
  return writeVaultFile(vault, path, after) === undefined ? 0 : 1
}

function removeEmptyFolders(vault: string, folders: string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(join(vault, folder))
    } catch {
      // Something lies there.
    }
  }
}
