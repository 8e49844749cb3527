// The change that an import is: begun with the first item that is written, so that an import which
// finds nothing new leaves no trace.
import { type Clock, isoTime } from '../core/clock.ts'
import { describeChange, type ImportedRow, importedBy, removeEmptyChange, saveImported } from '../store/imported.ts'
import type { Ledger } from '../store/ledger.ts'
import { beginChange, versionsOfChange } from '../store/memories/changes.ts'

export interface ImportChange {
  /** Number of the change; begins it if needed. Call inside a transaction. */
  begin(): number
  /** Records what was added besides memories. Call inside a transaction. */
  record(row: ImportedRow): void
  /** Describes the change; returns its number, or null if nothing was changed. */
  finish(about: string): number | null
}

export function createImportChange(ledger: Ledger, clock: Clock, name: string): ImportChange {
  let id: number | undefined
  const begin = () => {
    id ??= beginChange(ledger, { at: isoTime(clock.nowMs()), kind: 'imported', about: `memories of ${name}` })
    return id
  }
  return {
    begin,
    record: (row) => saveImported(ledger, begin(), row),
    finish(about) {
      if (id === undefined) return null
      const change = id
      return ledger.transaction(() => {
        const isEmpty = importedBy(ledger, change).length === 0 && versionsOfChange(ledger, change).length === 0
        if (isEmpty) removeEmptyChange(ledger, change)
        else describeChange(ledger, change, about)
        return isEmpty ? null : change
      })
    },
  }
}
