// Removes what SQLite keeps of deleted rows: free pages, unused parts of pages, the write-ahead log
// and segments of the search index.
import { isBusy, isDiskFull } from '../../core/sqlite.ts'
import type { Ledger } from '../ledger.ts'
import { compactIndex } from '../search/passages.ts'

/** From now on, this connection overwrites what it deletes. */
export function overwriteDeleted(ledger: Ledger): void {
  ledger.raw.exec('PRAGMA secure_delete = ON')
}

/**
 * Rewrites the file. Returns false if that is not possible now: another process writes, there is no
 * room for a copy, or a reader keeps an old part of the write-ahead log alive.
 */
export function rewriteLedger(ledger: Ledger): boolean {
  overwriteDeleted(ledger)
  // In memory the copy would take as much as the ledger is large.
  ledger.raw.exec('PRAGMA temp_store = FILE')
  try {
    compactIndex(ledger)
    ledger.raw.exec('VACUUM')
  } catch (error) {
    if (isBusy(error) || isDiskFull(error)) return false
    throw error
  } finally {
    ledger.raw.exec('PRAGMA temp_store = MEMORY')
  }
  return emptyWriteAheadLog(ledger)
}

/** Returns whether the log is empty now. */
export function emptyWriteAheadLog(ledger: Ledger): boolean {
  return Number(ledger.raw.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.busy) === 0
}
