// The note that bodies may have to be adopted. Apart from adoption itself, because every sweep reads
// it and most need no more.
import { deleteValue, readValue, writeValue } from '../store/key-values.ts'
import { adoptionNote, type Ledger } from '../store/ledger.ts'

/** Set when a ledger is created beside existing bodies; the next sweep adopts them. */
export function isAdoptionDue(ledger: Ledger): boolean {
  return readValue(ledger, adoptionNote) !== undefined
}

export function markAdoptionDue(ledger: Ledger): void {
  writeValue(ledger, adoptionNote, true)
}

export function markAdopted(ledger: Ledger): void {
  deleteValue(ledger, adoptionNote)
}
