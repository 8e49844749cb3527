// Replaces a damaged ledger: makes a new one from what can be read of it, moves the damaged files to
// backups/, and puts the new one in their place. A process that is killed on the way leaves the
// damaged ledger or the complete new one. Call with the locks held that keep other writers out.
import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import type { Layout } from '../../core/paths.ts'
import { isDamaged, openDatabase, type SqliteDatabase } from '../../core/sqlite.ts'
import { writeValue } from '../key-values.ts'
import { openLedger, quickCheck } from '../ledger.ts'
import { migrations } from '../migrations.ts'
import { checkSearchIndex } from '../search/postings/check.ts'
import { clearSuspicion, finishReplacement, rebuiltPath, recoveryNote } from './ledger-files.ts'
import { type SalvageReport, salvage } from './salvage.ts'

export type LedgerHealth =
  | { kind: 'intact' }
  /** Only the search index is damaged, which is derived. */
  | { kind: 'index'; reason: string }
  | { kind: 'damaged'; reason: string }
  /** Written by a newer version, which may know better. */
  | { kind: 'newer' }

/** Checks the whole file. Errors that are no damage, such as a lock or a full disk, are thrown. */
export function ledgerHealth(layout: Layout): LedgerHealth {
  const found = statSync(layout.ledger, { throwIfNoEntry: false })
  if (!found) return { kind: 'intact' }
  if (!found.isFile()) return { kind: 'damaged', reason: 'it is not a file' }
  let database: SqliteDatabase | undefined
  try {
    database = openDatabase(layout.ledger, { pragmas: ['busy_timeout = 5000'] })
    const { user_version: version } = database.raw.prepare('PRAGMA user_version').get()!
    if (Number(version) > migrations.length) return { kind: 'newer' }
    const faults = database.raw
      .prepare('PRAGMA quick_check(100)')
      .all()
      .map((row) => String(Object.values(row)[0]))
    const reason = faults[0]!
    if (reason !== 'ok')
      return faults.every((fault) => fault.includes('passage_blocks'))
        ? { kind: 'index', reason }
        : { kind: 'damaged', reason }
    // The index of an older version is built again in any case.
    const index = Number(version) < migrations.length ? 'ok' : checkSearchIndex(database)
    return index === 'ok' ? { kind: 'intact' } : { kind: 'index', reason: index }
  } catch (error) {
    if (isDamaged(error)) return { kind: 'damaged', reason: messageOf(error) }
    throw error
  } finally {
    database?.close()
  }
}

export interface LedgerRecovery extends SalvageReport {
  at: string
  reason: string
  /** Where the damaged files are. */
  folder: string
}

export function replaceLedger(layout: Layout, reason: string, at: string): LedgerRecovery {
  const rebuilt = rebuiltPath(layout)
  const unfinished = `${layout.ledger}.rebuilding`
  rmSync(rebuilt, { force: true })
  for (const end of ['', '-wal', '-shm', '.copy', '.copy-wal', '.copy-shm'])
    rmSync(`${unfinished}${end}`, { force: true })
  const folder = newFolder(join(layout.backups, `damaged-${at.replaceAll(':', '').replace(/\.\d+/, '')}`))
  const ledger = openLedger({ ...layout, ledger: unfinished })
  let recovery: LedgerRecovery
  try {
    recovery = { at, reason, folder, ...salvage(layout.ledger, ledger) }
    writeValue(ledger, recoveryNote, { ...recovery })
    const fault = quickCheck(ledger)
    if (fault !== 'ok') throw new Error(`the new ledger is not intact: ${fault}`)
    ledger.raw.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    ledger.close() // removes its -wal, so that one file holds everything
  }
  renameSync(unfinished, rebuilt)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  renameSync(layout.ledger, join(folder, basename(layout.ledger)))
  finishReplacement(layout)
  clearSuspicion(layout)
  return recovery
}

/** A second ledger damaged within the same second must not replace the first. */
function newFolder(path: string, number = 1): string {
  const folder = number === 1 ? path : `${path}-${number}`
  return existsSync(folder) ? newFolder(path, number + 1) : folder
}
