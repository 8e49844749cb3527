// What a newer program has put into the document of an item: kept beside it, and sent back as it came.

import { forgetNote, forgetNotes, readNote, renameNotes, writeNote } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import type { ItemDocument } from './protocol.ts'

export function unknownOf(ledger: Ledger, space: string, id: string): ItemDocument {
  return (readNote(ledger, noteOf(space, id)) ?? {}) as ItemDocument
}

export function keepUnknown(ledger: Ledger, space: string, id: string, unknown: ItemDocument): void {
  if (Object.keys(unknown).length > 0) writeNote(ledger, noteOf(space, id), unknown)
  else forgetNote(ledger, noteOf(space, id))
}

/** Of a space that has been left. */
export function forgetAllUnknown(ledger: Ledger, space: string): void {
  forgetNotes(ledger, noteOf(space, ''))
}

export function renameUnknown(ledger: Ledger, from: string, to: string): void {
  renameNotes(ledger, noteOf(from, ''), noteOf(to, ''))
}

function noteOf(space: string, id: string): string {
  return `sync unknown ${space} ${id}`
}
