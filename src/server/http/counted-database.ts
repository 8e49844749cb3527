// The database, counted: how much is asked of it, how much of that waits or is under way, how often it fails.
import type { Database } from '../database/database.ts'
import { count, type Metrics } from './metrics.ts'

export function countedDatabase(database: Database, metrics: Metrics): Database {
  const { gauges } = metrics
  async function counted<T>(work: () => Promise<T>): Promise<T> {
    gauges.recollect_database_in_flight++
    try {
      return await work()
    } catch (error) {
      if (isDatabaseError(error)) count(metrics, 'recollect_database_errors_total')
      throw error
    } finally {
      gauges.recollect_database_in_flight--
    }
  }
  return {
    name: database.name,
    query(text, values) {
      count(metrics, 'recollect_database_queries_total')
      return counted(() => database.query(text, values))
    },
    transaction: (work) =>
      counted(() =>
        database.transaction((queries) =>
          work({
            query(text, values) {
              count(metrics, 'recollect_database_queries_total')
              return queries.query(text, values)
            },
          }),
        ),
      ),
    close: () => database.close(),
  }
}

/** Work inside of a transaction also throws what is a mere answer to the caller. */
function isDatabaseError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && !('status' in error)
}
