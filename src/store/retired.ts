// Body files that the ledger no longer names. They are listed in the same transaction that stopped naming them, and
// deleted after it; a run that is killed in between leaves the list, and the next one goes on with it.
import type { Json } from '../core/session.ts'
import { deleteBody } from './bodies.ts'
import type { Ledger } from './ledger.ts'
import { readNote, writeNote } from './notes.ts'

const name = 'retired bodies'

export function retireBody(ledger: Ledger, file: string): void {
  writeNote(ledger, name, [...listed(ledger), file])
}

export function removeRetired(ledger: Ledger): void {
  const files = listed(ledger)
  if (files.length === 0) return
  for (const file of files) if (typeof file === 'string') deleteBody(ledger.layout.bodies, file)
  writeNote(ledger, name, [])
}

function listed(ledger: Ledger): Json[] {
  const files = readNote(ledger, name)
  return Array.isArray(files) ? files : []
}
