// Makes a build atomic. Copies of the original files are saved first, then a list of them; after a
// kill, the next build restores the files of a list that the ledger does not know as done.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomically } from '../core/files.ts'
import type { Layout } from '../core/paths.ts'
import { readVaultBytes, removeVaultFile, statVaultFile, writeVaultFile } from '../core/vault/files.ts'
import { readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'

interface PendingBuild {
  id: string
  files: { path: string; before: Buffer | undefined; after: string | undefined }[]
}

interface PendingList {
  id: string
  /** `copy`: file name of the original; `after`: hash of what we write; null for none. */
  files: { path: string; copy: string | null; after: string | null }[]
}

const builtKey = 'wiki built'

export function beginBuild(layout: Layout, { id, files }: PendingBuild): void {
  const folder = folderOf(layout)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const listed: PendingList = {
    id,

    files: files.map(({ path, before, after }, at) => {
      if (before) writeFileSync(join(folder, `${at}.md`), before, { mode: 0o600 })
      return { path, copy: before ? `${at}.md` : null, after: after ?? null }
    }),
  }
  writeAtomically(listOf(layout), JSON.stringify(listed))
}

/** First `inLedger`, in the transaction of the build; then `onDisk` deletes the copies. */
export const endBuild = {
  inLedger: (ledger: Ledger, id: string) => writeValue(ledger, builtKey, id),
  onDisk: (layout: Layout) => rmSync(folderOf(layout), { recursive: true, force: true }),
}

/**
 * Restores files after a kill. Returns whether a build was rolled back. Requires the wiki's lock.
 */
export function recoverBuild(ledger: Ledger): boolean {
  const { layout } = ledger
  if (!existsSync(listOf(layout))) return false
  const isDone = readList(layout)?.id === readValue(ledger, builtKey)
  if (!isDone) rollBackBuild(layout)
  endBuild.onDisk(layout)
  return !isDone
}

/** Does not restore a file that a person has changed since. */
export function rollBackBuild(layout: Layout): void {
  for (const { path, copy, after } of readList(layout)?.files ?? []) {
    const file = `${path}.md`
    const isThere = statVaultFile(layout.vault, file).kind === 'file'
    const hash = isThere ? createHash('sha256').update(readVaultBytes(layout.vault, file)).digest('hex') : null
    if (hash !== after) continue
    if (copy === null) removeVaultFile(layout.vault, file)
    else writeVaultFile(layout.vault, file, readFileSync(join(folderOf(layout), copy)))
  }
  endBuild.onDisk(layout)
}

function readList(layout: Layout): PendingList | undefined {
  try {
    return JSON.parse(readFileSync(listOf(layout), 'utf8')) as PendingList
  } catch {
    return undefined
  }
}

function folderOf(layout: Layout): string {
  return join(layout.run, 'wiki-build')
}

function listOf(layout: Layout): string {
  return join(folderOf(layout), 'list.json')
}
