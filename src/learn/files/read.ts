// Applies people's edits of the vault to the ledger before anything is learned: edits win.

import { existsSync } from 'node:fs'
import { openVault, vaultFolderState } from '../../core/vault/files.ts'
import type { Ledger } from '../../store/ledger.ts'
import { requeueFile } from '../../store/memories/files.ts'
import { listMemories, memoryById } from '../../store/memories/memories.ts'
import { markFilesStale } from '../../store/memories/rows.ts'
import { applyEdit, applyNewFile, forgetMissing } from './apply-change.ts'
import { type EditReport, type EditsContext, tryWithFilesLock, type VaultScan } from './context.ts'
import { findChanges, memoryFileProblems, saveMemoryFileProblems, type VaultChanges } from './find-changes.ts'
import { inboxFolder } from './folders.ts'
import { renameMemoryFolders } from './rename-folders.ts'

export async function readMemoryEdits(context: EditsContext): Promise<EditReport> {
  const report: EditReport = { edited: 0, forgotten: 0, added: 0, problems: [] }
  if (existsSync(context.ledger.layout.vault)) await tryWithFilesLock(context, () => readVault(context, report))
  return report
}

async function readVault(context: EditsContext, report: EditReport): Promise<void> {
  const { ledger } = context
  const reading: VaultScan = { context, vault: openVault(ledger.layout.vault), report, moved: new Set() }
  renameMemoryFolders(ledger, reading.vault)
  const before = memoryFileProblems(ledger)
  const again = before.map(({ path }) => path)
  const look = findChanges(ledger, reading.vault, again)
  for (const { file, content, stamp } of look.changed) await applyEdit(reading, { ...file, stamp }, content)
  for (const path of look.fresh) await applyNewFile(reading, path)
  forgetMissing(reading, look.missing)
  markLost(ledger, reading.vault, look)
  for (const path of look.links)
    report.problems.push({ path, line: 1, reason: 'Not a plain file or folder: replace the link by the file itself' })
  for (const { path, reason } of look.unreadable) report.problems.push({ path, line: 1, reason })
  if (before.length > 0 || report.problems.length > 0) saveMemoryFileProblems(ledger, report.problems)
}

/** Files that were not deleted on purpose are written again. */
function markLost(ledger: Ledger, vault: string, { lost, emptied }: VaultChanges): void {
  ledger.transaction(() => {
    for (const project of lost) markFilesStale(ledger, project)
    for (const { memory } of emptied) {
      const found = memoryById(ledger, memory)
      if (found) requeueFile(ledger, found)
    }
    if (vaultFolderState(vault, inboxFolder) === 'missing') markInbox(ledger)
  })
}

function markInbox(ledger: Ledger): void {
  for (const memory of listMemories(ledger, { state: 'inbox' })) markFilesStale(ledger, memory.project)
}
