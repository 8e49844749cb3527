// What was sent and not answered: the server may have it. When it turns out that it does, that is the answer which was lost, and no news
// from somebody else; without this, whoever takes something back in between would get it again.
import {
  deleteValue,
  deleteValuesWithPrefix,
  readValue,
  renameValuePrefix,
  writeValue,
} from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { ItemDocument } from '../protocol.ts'

/** Before it leaves, in the transaction that prepares it. */
export function recordSent(ledger: Ledger, space: string, id: string, hash: string): void {
  const hashes = sentHashes(ledger, space, id)
  if (!hashes.includes(hash)) writeValue(ledger, sentKey(space, id), [...hashes, hash])
}

export function wasSent(ledger: Ledger, space: string, id: string, hash: string): boolean {
  return sentHashes(ledger, space, id).includes(hash)
}

/** Whether the server may have had something from here that nobody here knows of. */
export function hasUnacknowledged(ledger: Ledger, space: string, id: string): boolean {
  return sentHashes(ledger, space, id).length > 0
}

/** The server has said what became of it; of others that were sent before, it has not. */
export function recordAcknowledged(ledger: Ledger, space: string, id: string, hash: string): void {
  const left = sentHashes(ledger, space, id).filter((one) => one !== hash)
  if (left.length > 0) writeValue(ledger, sentKey(space, id), left)
  else forgetSent(ledger, space, id)
}

/** It is known what the server has: whatever was sent before that is not taken any more. */
export function forgetSent(ledger: Ledger, space: string, id: string): void {
  deleteValue(ledger, sentKey(space, id))
}

/** Of a space that has been left. */
export function forgetAllSent(ledger: Ledger, space: string): void {
  deleteValuesWithPrefix(ledger, sentKey(space, ''))
}

export function renameSent(ledger: Ledger, from: string, to: string): void {
  renameValuePrefix(ledger, sentKey(from, ''), sentKey(to, ''))
}

function sentHashes(ledger: Ledger, space: string, id: string): string[] {
  return (readValue(ledger, sentKey(space, id)) ?? []) as string[]
}

function sentKey(space: string, id: string): string {
  return `sync sent ${space} ${id}`
}

// What a newer program has put into the document of an item: kept beside it, and sent back as it came.

export function unknownFieldsOf(ledger: Ledger, space: string, id: string): ItemDocument {
  return (readValue(ledger, unknownFieldsKey(space, id)) ?? {}) as ItemDocument
}

export function saveUnknownFields(ledger: Ledger, space: string, id: string, unknown: ItemDocument): void {
  if (Object.keys(unknown).length > 0) writeValue(ledger, unknownFieldsKey(space, id), unknown)
  else deleteValue(ledger, unknownFieldsKey(space, id))
}

/** Of a space that has been left. */
export function forgetAllUnknown(ledger: Ledger, space: string): void {
  deleteValuesWithPrefix(ledger, unknownFieldsKey(space, ''))
}

export function renameUnknown(ledger: Ledger, from: string, to: string): void {
  renameValuePrefix(ledger, unknownFieldsKey(from, ''), unknownFieldsKey(to, ''))
}

function unknownFieldsKey(space: string, id: string): string {
  return `sync unknown ${space} ${id}`
}
