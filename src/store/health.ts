// What SQLite says of itself.
import { messageOf } from '../core/errors.ts'
import type { Ledger } from './ledger.ts'

/** `ok`, or what is wrong with the file. */
export function checkDatabase(ledger: Ledger): string {
  return String(Object.values(ledger.raw.prepare('PRAGMA quick_check(1)').get() ?? {})[0])
}

/** `ok`, or what is wrong with the search index. */
export function checkSearchIndex(ledger: Ledger): string {
  try {
    ledger.raw.exec("INSERT INTO passage_terms (passage_terms) VALUES ('integrity-check')")
    return 'ok'
  } catch (error) {
    return messageOf(error)
  }
}
