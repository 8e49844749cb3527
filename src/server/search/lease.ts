// One instance at a time makes vectors. A lock of the database would have to be held while an endpoint is asked, in an open
// transaction: PGlite could do nothing else meanwhile, and PostgreSQL could not clean up. A lease runs out by itself.
import type { Database } from '../database/database.ts'

const lasts = '2 minutes'

/** Taken, or kept for longer; false where somebody else has it. The database's clock counts: instances may differ. */
export async function takeLease(database: Database, holder: string): Promise<boolean> {
  const rows = await database.query(
    `INSERT INTO vector_lease (name, holder, until) VALUES ('fill', $1, now() + interval '${lasts}')
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
     WHERE vector_lease.holder = excluded.holder OR vector_lease.until < now()
     RETURNING holder`,
    [holder],
  )
  return rows.length > 0
}

export async function giveBackLease(database: Database, holder: string): Promise<void> {
  await database.query('DELETE FROM vector_lease WHERE holder = $1', [holder])
}
