import type { ServerDatabase } from '../../src/server/database/database.ts'
import { waitFor } from '../wait-for.ts'

/** Resolves when a query in this database waits for a lock that another one holds. */
export async function lockIsAwaited(database: ServerDatabase): Promise<void> {
  await waitFor(async () => {
    const waiting = await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    )
    return waiting.length > 0
  })
}
