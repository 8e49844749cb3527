// What both drivers share: transactions that are tried again, and the mistakes that one of them would let pass.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Database, Queries } from './database.ts'

export interface Driver extends Queries {
  name: string
  /** One try: committed when `work` is done, rolled back when it throws. */
  begin<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  close(): Promise<void>
}

const maxTries = 5

export function databaseOn(driver: Driver): Database {
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
      return inside.run(true, () => untilDone(() => driver.begin((queries) => workIn(queries, work))))
    },
    close: () => driver.close(),
  }
}

/** After a failed query PostgreSQL answers COMMIT with a rollback: who has caught the failure must not believe that all is written. */
async function workIn<T>(queries: Queries, work: (queries: Queries) => Promise<T>): Promise<T> {
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
    throw failure && codeOf(error) === '25P02' ? failure.error : error
  } finally {
    isOver = true
  }
}

async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt()
    } catch (error) {
      if (tries === maxTries || !metAnother(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** tries))
    }
  }
}

/** Nothing was written, and the same can succeed the next time: a failure to serialise, or a deadlock. */
function metAnother(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error) ?? '')
}

/** PostgreSQL's own code of an error, or the operating system's. */
export function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : undefined
}
