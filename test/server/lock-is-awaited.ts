import type { ServerDatabase } from '../../src/server/database/database.ts'

/** Until somebody in this database waits for a lock that another one has. */
export async function lockIsAwaited(database: ServerDatabase): Promise<void> {
  for (;;) {
    const waiting = await database.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
    )
    if (waiting.length > 0) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
