// Gives folders of memory files the name that they have by the rules of today. A folder is renamed as
// a whole, with what people put there, before its files are compared: none counts as deleted.
import { renameVaultFolder, vaultFolderState, vaultFoldersIn } from '../../core/vault/files.ts'
import type { Ledger } from '../../store/ledger.ts'
import { foldersOfMemoryFiles, memoryFilesBelow, moveMemoryFiles, requeueFile } from '../../store/memories/files.ts'
import { memoryById, projectsWithMemories } from '../../store/memories/memories.ts'
import { markLinksStale } from '../../store/sessions/projects.ts'
import { folderOf, isFolderOf } from './folders.ts'

/**
 * After a kill the folder may be renamed while the ledger has its old name; both steps repeat. `left`
 * are projects that may have no memories any more, but files.
 */
export function renameMemoryFolders(ledger: Ledger, vault: string, left: readonly (string | null)[] = []): void {
  for (const { project, from, to } of foldersToRename(ledger, vault, left)) {
    const isFound = vaultFolderState(vault, from) === 'folder'
    if (isFound && vaultFolderState(vault, to) === 'missing') renameVaultFolder(vault, from, to)
    ledger.transaction(() => {
      if (vaultFolderState(vault, from) === 'missing') moveMemoryFiles(ledger, from, to)
      else for (const { memory } of memoryFilesBelow(ledger, from)) requeue(ledger, memory)
      markLinksStale(ledger, project)
    })
  }
}

function requeue(ledger: Ledger, id: string): void {
  const memory = memoryById(ledger, id)
  if (memory) requeueFile(ledger, memory)
}

interface RenamedFolder {
  project: string
  from: string
  to: string
}

/**
 * Folders that are named by other rules. One beside a folder with the right name stays once its
 * memory files have left it.
 */
export function foldersToRename(ledger: Ledger, vault: string, left: readonly (string | null)[] = []): RenamedFolder[] {
  const recorded = new Set(foldersOfMemoryFiles(ledger))
  const found = new Set([...vaultFoldersIn(vault, 'memory').map((name) => `memory/${name}`), ...recorded])
  // Names have a hash, and loading it takes a fifth of a sweep that finds nothing new.
  if (found.size === 0) return []
  const projects = [...projectsWithMemories(ledger), ...left].filter((project) => project !== null)
  const wanted = new Set(projects.map(folderOf))
  return [...found]
    .filter((folder) => !wanted.has(folder))
    .flatMap((from) => {
      const project = projects.find((one) => isFolderOf(one, from))
      return project === undefined ? [] : [{ project, from, to: folderOf(project) }]
    })
    .filter(({ from, to }) => recorded.has(from) || vaultFolderState(vault, to) === 'missing')
}
