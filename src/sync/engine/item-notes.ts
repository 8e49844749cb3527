// Per-item notes of the engine. Unacknowledged hashes: content that was sent but not answered. If
// the server turns out to have it, that is the lost answer and no change by another user; without
// this, a change undone in between would come back. Unknown fields: parts of a document that a
// newer program wrote; they are kept and sent back unchanged.
import {
  deleteValue,
  deleteValuesWithPrefix,
  isObject,
  isStrings,
  readChecked,
  renameValuePrefix,
  writeValue,
} from '../../store/key-values.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { ItemDocument } from '../protocol.ts'

/** Call before sending, in the transaction that prepares the batch. */
export function recordSent(ledger: Ledger, space: string, id: string, hash: string): void {
  const hashes = sentHashes(ledger, space, id)
  if (!hashes.includes(hash)) writeValue(ledger, sentKey(space, id), [...hashes, hash])
}

export function wasSent(ledger: Ledger, space: string, id: string, hash: string): boolean {
  return sentHashes(ledger, space, id).includes(hash)
}

/** Whether the server may have received content that this machine has no answer for. */
export function hasUnacknowledged(ledger: Ledger, space: string, id: string): boolean {
  return sentHashes(ledger, space, id).length > 0
}

/** The server answered for this content. Earlier unanswered content stays recorded. */
export function recordAcknowledged(ledger: Ledger, space: string, id: string, hash: string): void {
  const left = sentHashes(ledger, space, id).filter((one) => one !== hash)
  if (left.length > 0) writeValue(ledger, sentKey(space, id), left)
  else forgetSent(ledger, space, id)
}

/** The server's state is known, so earlier content cannot be stored any more. */
export function forgetSent(ledger: Ledger, space: string, id: string): void {
  deleteValue(ledger, sentKey(space, id))
}

function sentHashes(ledger: Ledger, space: string, id: string): string[] {
  return readChecked<string[]>(ledger, sentKey(space, id), isStrings) ?? []
}

function sentKey(space: string, id: string): string {
  return `sync sent ${space} ${id}`
}

export function unknownFieldsOf(ledger: Ledger, space: string, id: string): ItemDocument {
  return readChecked<ItemDocument>(ledger, unknownFieldsKey(space, id), isObject) ?? {}
}

export function saveUnknownFields(ledger: Ledger, space: string, id: string, unknown: ItemDocument): void {
  if (Object.keys(unknown).length > 0) writeValue(ledger, unknownFieldsKey(space, id), unknown)
  else deleteValue(ledger, unknownFieldsKey(space, id))
}

export function deleteNotesOfSpace(ledger: Ledger, space: string): void {
  deleteValuesWithPrefix(ledger, sentKey(space, ''))
  deleteValuesWithPrefix(ledger, unknownFieldsKey(space, ''))
}

export function renameNotesOfSpace(ledger: Ledger, from: string, to: string): void {
  renameValuePrefix(ledger, sentKey(from, ''), sentKey(to, ''))
  renameValuePrefix(ledger, unknownFieldsKey(from, ''), unknownFieldsKey(to, ''))
}

function unknownFieldsKey(space: string, id: string): string {
  return `sync unknown ${space} ${id}`
}
