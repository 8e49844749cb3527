import { existsSync } from 'node:fs'
import type { App } from '../../app.ts'
import { currentPublications } from '../../store/patterns/practices.ts'

/** The files in which practices stand, as far as the ledger knows; none where it cannot be read. */
export function publishedFiles(app: App): string[] {
  if (!existsSync(app.layout.ledger)) return []
  try {
    const ledger = app.existingLedger()
    try {
      const files = new Set(currentPublications(ledger).map(({ file }) => file))
      return [...files].filter((file) => existsSync(file)).sort()
    } finally {
      ledger.close()
    }
  } catch {
    // A ledger that is broken must not keep anybody from leaving.
    return []
  }
}
