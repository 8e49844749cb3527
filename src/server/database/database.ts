// What the server needs of PostgreSQL. Two things can give it: a server reached through its URL, and PGlite inside this process.
import { AsyncLocalStorage } from 'node:async_hooks'

/** A row as the driver gives it. bigint columns come as numbers, timestamptz as ISO strings in UTC, jsonb parsed, text[] as arrays. */
export type Row = Record<string, unknown>

export interface Queries {
  /** `$1`, `$2` … stand for the values. Objects are sent as JSON; an array is sent as an array of its column's type. */
  query<T extends Row = Row>(text: string, values?: readonly unknown[]): Promise<T[]>
}

export interface ServerDatabase extends Queries {
  /** Read committed; rolled back when `work` throws, and tried again when the database says that it met another one (deadlock). */
  transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /** For people: never holds the password. */
  readonly name: string
  close(): Promise<void>
}

// What both drivers share: transactions that are tried again, and the mistakes that one of them would let pass.

interface Driver extends Queries {
  name: string
  /** One try: committed when `work` is done, rolled back when it throws. */
  begin<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const maxTries = 5

export function createDatabase(driver: Driver): ServerDatabase {
  const inside = new AsyncLocalStorage<true>()
  // PGlite has one connection: whoever asks past their own transaction waits for themselves. A pool that is full does the same.
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

/** After a failed query PostgreSQL answers COMMIT with a rollback: who has caught the failure must not believe that all is written. */
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

/** Nothing was written, and the same can succeed the next time: a failure to serialise, or a deadlock. */
function isSerialisationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(errorCodeOf(error) ?? '')
}

/** PostgreSQL's own code of an error, or the operating system's. */
export function errorCodeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
