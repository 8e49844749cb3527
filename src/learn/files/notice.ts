// Whether anybody has touched the memory files, told by names and stamps alone: most sweeps find that nobody has. What it
// cannot rule out is looked at closely by look.ts.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { markdownFilesIn, statVaultFile, vaultFolderState } from '../../core/vault.ts'
import type { Ledger } from '../../store/ledger.ts'
import { countMemoryFiles, memoryFiles } from '../../store/memories/files.ts'
import { hasTeams } from '../../store/sync/shares.ts'
import { maxFilesPerScan, memoryFolders } from './find-changes.ts'
import { isIntact, parentOf } from './folders.ts'
import { indexName } from './index-file.ts'
import { memoryFileProblems } from './read.ts'

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
    places.some((folder) => hasOthers(vault, folder, known))
  )
}

/** Folders, and what stands in the place of one: a plain file there is nobody's memory. */
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
