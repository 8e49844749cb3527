// What a newer program has put into the document of an item: kept beside it, and sent back as it came.

import { deleteValue, deleteValuesWithPrefix, readValue, renameValuePrefix, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import type { ItemDocument } from './protocol.ts'

export function unknownOf(ledger: Ledger, space: string, id: string): ItemDocument {
  return (readValue(ledger, noteOf(space, id)) ?? {}) as ItemDocument
}

export function keepUnknown(ledger: Ledger, space: string, id: string, unknown: ItemDocument): void {
  if (Object.keys(unknown).length > 0) writeValue(ledger, noteOf(space, id), unknown)
  else deleteValue(ledger, noteOf(space, id))
}

/** Of a space that has been left. */
export function forgetAllUnknown(ledger: Ledger, space: string): void {
  deleteValuesWithPrefix(ledger, noteOf(space, ''))
}

export function renameUnknown(ledger: Ledger, from: string, to: string): void {
  renameValuePrefix(ledger, noteOf(from, ''), noteOf(to, ''))
}

function noteOf(space: string, id: string): string {
  return `sync unknown ${space} ${id}`
}
