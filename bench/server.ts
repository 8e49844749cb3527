// Measures the team server on its own PostgreSQL: 200 clients that push and query over HTTP,
// compared with plain statements on the same rows; with one and two instances, and with a million
// memories.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import postgres from 'postgres'
import type { ServerDatabase } from '../src/server/database/database.ts'
import { migrate } from '../src/server/database/migrate.ts'
import { openPostgres } from '../src/server/database/postgres.ts'
import { indexFieldsOf } from '../src/server/search/index-fields.ts'
import { createKey } from '../src/server/store/keys.ts'
import { createUser } from '../src/server/store/users.ts'
import { bucketOf, hashOfDocument, markOf } from '../src/sync/item-hash.ts'
import type { Done, Job } from './server-clients.ts'
import { type Cluster, startCluster, startInstance } from './server-cluster.ts'
import { openFloor } from './server-floor.ts'
import { madeUpDocument } from './server-memories.ts'

const isSmall = Boolean(process.env.RECOLLECT_BENCH_SMALL)
const clients = isSmall ? 20 : 200
/** A first sync of this many memories is one batch. */
const each = 250
const steadyMs = isSmall ? 2000 : 15_000
const many = isSmall ? 20_000 : 1_000_000

export async function server(): Promise<void> {
  const cluster = await startCluster()
  try {
    for (const instances of [1, 2]) await measureConcurrency(cluster, instances)
    // Memories of many users, and all in the space of one.
    for (const people of [200, 1]) await amongMany(cluster, people)
  } finally {
    await cluster.stop()
  }
}

async function measureConcurrency(cluster: Cluster, instances: number): Promise<void> {
  const url = await cluster.create(`crowd_${instances}`)
  const database = openPostgres(url)
  await migrate(database)
  const keys = await addUsers(database, clients)
  await database.close()
  console.log(`${clients} clients, ${instances === 1 ? 'one instance' : `${instances} instances`}`)
  const running = await Promise.all(Array.from({ length: instances }, () => startInstance(url)))
  const urls = running.map((instance) => instance.url)
  try {
    const bulk = await run({ urls, keys, what: { kind: 'bulk', batches: 1, size: each }, from: 0 })
    const from = clients * each
    const single = await run({ urls, keys, what: { kind: 'single', ms: steadyMs }, from })
    const recall = await run({ urls, keys, what: { kind: 'recall', ms: steadyMs }, from })
    const floor = await openFloor(url, instances, clients)
    tell(`push of ${(clients * each).toLocaleString('en')}`, bulk, await floor.bulk(1, each), each)
    tell('push of one', single, await floor.single(steadyMs))
    tell('recall', recall, await floor.recall(steadyMs))
    await floor.close()
  } finally {
    await Promise.all(running.map((instance) => instance.stop()))
  }
}

async function addUsers(database: ServerDatabase, count: number): Promise<string[]> {
  const keys: string[] = []
  for (let number = 0; number < count; number++) {
    const user = `user-${number}`
    const key = await database.transaction(async (queries) => {
      await createUser(queries, user)
      return createKey(queries, { user, name: 'bench', role: 'writer', expiresAt: null })
    })
    keys.push(key!.text)
  }
  return keys
}

/** Clients run in their own process. */
async function run(job: Job): Promise<Done> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server-clients.ts'), JSON.stringify(job)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (piece) => {
    said += piece
  })
  await finished(child.stdout)
  return JSON.parse(said) as Done
}

function tell(name: string, done: Done, floor: Done, items = 1): void {
  const rate = ({ requests, ms }: Done) => (requests * items * 1000) / ms
  const figures = `${Math.round(rate(done)).toLocaleString('en')}/s`
  const ratio = (rate(done) / rate(floor)).toFixed(2)
  const bare = `bare: ${Math.round(rate(floor)).toLocaleString('en')}/s, ${spread(floor.times)}`
  console.log(`${name.padEnd(26)} ${figures.padStart(10)}  ${spread(done.times).padStart(20)}  ${ratio} of ${bare}`)
}

function spread(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!.toFixed(1)
  return `${at(0.5)} / ${at(0.99)} ms`
}

async function amongMany(cluster: Cluster, people: number): Promise<void> {
  const url = await cluster.create(`many_${people}`)
  const database = openPostgres(url)
  await migrate(database)
  const keys = await addUsers(database, people)
  await copyIn(url, people)
  const [size] = await database.query<{ items: string; search: string }>(
    `SELECT pg_size_pretty(pg_total_relation_size('items')) AS items, pg_size_pretty(pg_relation_size('items_search')) AS search`,
  )
  await database.close()
  console.log(
    `${many.toLocaleString('en')} memories of ${people === 1 ? 'one person' : `${people} people`} (${size!.items}, of that ${size!.search} for words)`,
  )
  const instance = await startInstance(url)
  try {
    for (const atOnce of [1, 8]) {
      const asking = Array.from({ length: atOnce }, (_, index) => keys[index % people]!)
      const what = { kind: 'recall', ms: steadyMs } as const
      await run({ urls: [instance.url], keys: asking, what: { ...what, ms: 1000 }, from: 0 })
      const done = await run({ urls: [instance.url], keys: asking, what, from: many })
      const floor = await openFloor(url, 1, atOnce)
      tell(`recall, ${atOnce} at once`, done, await floor.recall(steadyMs))
      await floor.close()
    }
  } finally {
    await instance.stop()
  }
}

async function copyIn(url: string, people: number): Promise<void> {
  const sql = postgres(url, { onnotice() {} })
  const spaces = await sql`SELECT id, user_id FROM spaces WHERE kind = 'personal' ORDER BY user_id`
  await sql`DROP INDEX items_search`
  const columns = `space_id, id, kind, version, seq, hash, bucket, mark, document, project, tags, text_hash, search, importance, author_id`
  const stream = await sql.unsafe(`COPY items (${columns}) FROM STDIN`).writable()
  for (let number = 0; number < many; number++) {
    const { id: space, user_id } = spaces[number % people]!
    const id = `mem_${number.toString(36).padStart(8, '0')}`
    const document = madeUpDocument(number)
    const hash = hashOfDocument(document)
    const { project, tags, textHash, search, importance } = indexFieldsOf(space, 'memory', document)
    const row = [
      ...[space, id, 'memory', 1, Math.floor(number / people) + 1, hash, bucketOf(id), markOf(id, hash)],
      ...[JSON.stringify(document), project, `{${tags.join(',')}}`, textHash, search, importance, user_id],
    ]
    if (!stream.write(`${row.map(copied).join('\t')}\n`)) await new Promise((resolve) => stream.once('drain', resolve))
  }
  stream.end()
  await finished(stream)
  await sql`UPDATE spaces s SET seq = (SELECT coalesce(max(seq), 0) FROM items i WHERE i.space_id = s.id)`
  await sql`CREATE INDEX items_search ON items USING gin (search)`
  await sql`VACUUM ANALYZE`
  await sql.end()
}

/** Escapes a value for COPY. */
function copied(value: unknown): string {
  return value === null ? '\\N' : String(value).replace(/\\/g, '\\\\').replace(/\n/g, '\\n').replace(/\t/g, '\\t')
}
