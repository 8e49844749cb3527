import { statSync } from 'node:fs'
import type { App } from '../app.ts'
import { type Ledger, useSmallCache } from '../store/ledger.ts'

export interface OpenedLedger {
  ledger(): Ledger
  close(): void
}

/** Keeps the ledger open, and opens it again after a sweep has replaced a damaged one. */
export function openLedgerFor(app: App): OpenedLedger {
  let open: { ledger: Ledger; file: string } | undefined
  const close = () => {
    open?.ledger.close()
    open = undefined
  }
  return {
    ledger() {
      const file = identityOf(app.layout.ledger)
      if (open && open.file !== file) close()
      open ??= { ledger: useSmallCache(app.ledgerToRead()), file: identityOf(app.layout.ledger) }
      return open.ledger
    },
    close,
  }
}

function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats ? `${stats.dev}:${stats.ino}` : ''
}
