// Reads of concurrent requests in one query. Nothing is cached: a value is read after it was asked
// for, by the query that runs next.

/** Queries at the same time. A read that finds a free one starts at once. */
const maxQueries = 2

const maxKeysOfQuery = 100

interface WaitingRead<Value> {
  key: string
  resolve(value: Value | undefined): void
  reject(error: unknown): void
}

export function coalesceReads<Value>(
  read: (keys: string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  const waiting: WaitingRead<Value>[] = []
  let queries = 0

  function start(): void {
    while (queries < maxQueries && waiting.length > 0) {
      queries++
      run(waiting.splice(0, maxKeysOfQuery)).finally(() => {
        queries--
        start()
      })
    }
  }

  async function run(reads: readonly WaitingRead<Value>[]): Promise<void> {
    try {
      const values = await read([...new Set(reads.map(({ key }) => key))])
      for (const { key, resolve } of reads) resolve(values.get(key))
    } catch (error) {
      for (const { reject } of reads) reject(error)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      start()
    })
}
