// Body files that the ledger no longer names. They are listed in the same transaction that stopped naming them, and
// deleted after it; a run that is killed in between leaves the list, and the next one goes on with it.

import type { Ledger } from '../ledger.ts'
import { deleteBody } from './bodies.ts'

export function scheduleBodyDeletion(ledger: Ledger, file: string): void {
  ledger.sql('INSERT INTO retired (file) VALUES (?) ON CONFLICT DO NOTHING').run(file)
}

export function deleteScheduledBodies(ledger: Ledger): void {
  const files = ledger.sql('SELECT file FROM retired').all()
  if (files.length === 0) return
  for (const { file } of files) deleteBody(ledger.layout.bodies, String(file))
  ledger.raw.exec('DELETE FROM retired')
}

/** Whether somebody is about to delete a file of this name. */
export function isScheduledForDeletion(ledger: Ledger, file: string): boolean {
  return ledger.sql('SELECT 1 FROM retired WHERE file = ?').get(file) !== undefined
}
