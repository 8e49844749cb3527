// The database interface of the server. Two drivers implement it: PostgreSQL through its URL, and
// PGlite inside this process.
import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * bigint columns are numbers, timestamptz ISO strings in UTC, jsonb is parsed, text[] are arrays.
 */
export type Row = Record<string, unknown>

export interface Queries {
  /**
   * `$1`, `$2` … are the values. Objects are sent as JSON, arrays as arrays of the column's type.
   */
  query<T extends Row = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
}

export interface ServerDatabase extends Queries {
  /**
   * Read committed. Rolls back if `work` throws; retries after deadlocks and serialisation
   * failures.
   */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** For the user; never contains the password. */
  readonly name: string
  close(): Promise<void>
}

interface Driver extends Queries {
  name: string
  /** One attempt: commits when `work` is done, rolls back if it throws. */
  begin<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const maxTries = 5

export function createDatabase(driver: Driver): ServerDatabase {
  const inside = new AsyncLocalStorage<true>()
  // A query outside the own transaction would deadlock: PGlite has one connection, and a full pool
  // waits for itself.
  const checkOutside = () => {
    if (inside.getStore()) throw new Error('inside of a transaction, only the queries of that transaction can be used')
  }
  return {
    name: driver.name,
    async query(text, values) {
      checkOutside()
      return driver.query(text, values)
    },
    async transaction(work) {
      checkOutside()
      return inside.run(true, () => withRetries(() => driver.begin((queries) => runWork(queries, work))))
    },
    close: () => driver.close(),
  }
}

/**
 * PostgreSQL answers COMMIT with a rollback after a failed query. Rethrows the failure even if
 * `work` caught it, so that the transaction does not count as committed.
 */
async function runWork<T>(queries: Queries, work: (queries: Queries) => Promise<T>): Promise<T> {
  let failure: { error: unknown } | undefined
  let isOver = false
  const own: Queries = {
    async query(text, values) {
      if (isOver) throw new Error('the transaction of this query is over')
      try {
        return await queries.query(text, values)
      } catch (error) {
        failure ??= { error }
        throw error
      }
    },
  }
  try {
    const result = await work(own)
    if (failure) throw failure.error
    return result
  } catch (error) {
    throw failure && errorCodeOf(error) === '25P02' ? failure.error : error
  } finally {
    isOver = true
  }
}

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === maxTries || !isSerialisationFailure(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** tries))
    }
  }
}

/** Nothing was written and a retry can succeed. */
function isSerialisationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(errorCodeOf(error) ?? '')
}

/** The error code of PostgreSQL or the operating system. */
export function errorCodeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}

/** The database could not be reached, or it is not ready for queries. */
export function isUnavailable(error: unknown): boolean {
  return unavailableCodes.test(errorCodeOf(error) ?? '')
}

/**
 * Class 08 and 57P0x are broken connections or a stopping server, 53 is out of resources, 25006 a
 * standby, 28 and 3D000 a server that is being set up; the others are codes of the system and the
 * driver.
 */
const unavailableCodes =
  /^(?:08...|57P0\d|53\d00|25006|28...|3D000|ECONN\w+|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT|CONNECTION_\w+)$/
