import type { ServerDatabase } from '../../src/server/database/database.ts'
import { waitFor } from '../wait-for.ts'

/** Resolves when so many queries in this database wait for a lock that another one holds. */
export async function waitForBlockedQuery(database: ServerDatabase, count = 1): Promise<void> {
  await waitFor(async () => {
    const waiting = await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    )
    return waiting.length >= count
  })
}
