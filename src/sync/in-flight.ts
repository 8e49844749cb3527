// What was sent and not answered: the server may have it. When it turns out that it does, that is the answer which was lost, and no news
// from somebody else; without this, whoever takes something back in between would get it again.

import { deleteValue, deleteValuesWithPrefix, readValue, renameValuePrefix, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'

/** Before it leaves, in the transaction that prepares it. */
export function noteSent(ledger: Ledger, space: string, id: string, hash: string): void {
  const hashes = sentHashes(ledger, space, id)
  if (!hashes.includes(hash)) writeValue(ledger, noteOf(space, id), [...hashes, hash])
}

export function wasSent(ledger: Ledger, space: string, id: string, hash: string): boolean {
  return sentHashes(ledger, space, id).includes(hash)
}

/** Whether the server may have had something from here that nobody here knows of. */
export function isInFlight(ledger: Ledger, space: string, id: string): boolean {
  return sentHashes(ledger, space, id).length > 0
}

/** The server has said what became of it; of others that were sent before, it has not. */
export function noteAnswered(ledger: Ledger, space: string, id: string, hash: string): void {
  const left = sentHashes(ledger, space, id).filter((one) => one !== hash)
  if (left.length > 0) writeValue(ledger, noteOf(space, id), left)
  else forgetSent(ledger, space, id)
}

/** It is known what the server has: whatever was sent before that is not taken any more. */
export function forgetSent(ledger: Ledger, space: string, id: string): void {
  deleteValue(ledger, noteOf(space, id))
}

/** Of a space that has been left. */
export function forgetAllSent(ledger: Ledger, space: string): void {
  deleteValuesWithPrefix(ledger, noteOf(space, ''))
}

export function renameSent(ledger: Ledger, from: string, to: string): void {
  renameValuePrefix(ledger, noteOf(from, ''), noteOf(to, ''))
}

function sentHashes(ledger: Ledger, space: string, id: string): string[] {
  return (readValue(ledger, noteOf(space, id)) ?? []) as string[]
}

function noteOf(space: string, id: string): string {
  return `sync sent ${space} ${id}`
}
