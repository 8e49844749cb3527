// Measures the team server on its own PostgreSQL: 200 clients that push and query over HTTP,
// compared with plain statements on the same rows and, with RECOLLECT_BENCH_BEFORE=<dist/cli.js>,
// with another version; with one and two instances, through PgBouncer, and with a million memories.
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
import { median } from './measure.ts'
import type { Done, Job } from './server-clients.ts'
import { type Cluster, type Instance, startCluster, startInstance } from './server-cluster.ts'
import { type Floor, openFloor } from './server-floor.ts'
import { madeUpDocument } from './server-memories.ts'

const isSmall = Boolean(process.env.RECOLLECT_BENCH_SMALL)
const clients = isSmall ? 20 : 200
/** A first sync of this many memories is one batch. */
const each = 250
const rounds = isSmall ? 2 : 5
const roundMs = isSmall ? 1000 : 6000
const steadyMs = isSmall ? 2000 : 15_000
const many = isSmall ? 20_000 : 1_000_000
/** The `dist/cli.js` of another version, to compare with in the same run. */
const otherProgram = process.env.RECOLLECT_BENCH_BEFORE

export async function server(): Promise<void> {
  const cluster = await startCluster()
  try {
    await measureConcurrency(cluster)
    // Memories of many users, and all in the space of one.
    if (otherProgram === undefined) for (const people of [200, 1]) await amongMany(cluster, people)
  } finally {
    await cluster.stop()
  }
}

/** What is compared: each has its own database and its own running instances. */
interface Setup {
  name: string
  keys: string[]
  instances: Instance[]
  floor?: Floor
}

const loads = {
  'pushes of one memory, 200 at once': { kind: 'single', ms: roundMs },
  'recalls, 200 clients, one a second each': { kind: 'recall', ms: roundMs, pauseMs: 1000 },
  'recalls, 200 at once': { kind: 'recall', ms: roundMs },
} as const

/** All setups in turn in each round, so that the load of the machine affects all of them. */
async function measureConcurrency(cluster: Cluster): Promise<void> {
  const setups: Setup[] = []
  if (otherProgram) setups.push(await prepare(cluster, 'before', { cli: otherProgram }))
  setups.push(await prepare(cluster, 'one instance', {}))
  const pooled = await prepare(cluster, 'through PgBouncer', { isPooled: true })
  if (pooled.instances.length > 0) setups.push(pooled)
  setups.push(await prepare(cluster, 'two instances', { count: 2 }))
  const bare = { name: 'bare', keys: [], instances: [], floor: await openFloor(await urlOfBare(cluster), 1, clients) }
  setups.push(bare)

  try {
    await measureLoads(cluster, setups)
  } finally {
    await bare.floor.close()
    await Promise.all(setups.flatMap(({ instances }) => instances.map((instance) => instance.stop())))
  }
}

async function measureLoads(cluster: Cluster, setups: readonly Setup[]): Promise<void> {
  let from = clients * each
  for (const [load, what] of Object.entries(loads)) {
    const measured = new Map<string, LoadResult[]>()
    for (let round = 0; round < rounds; round++) {
      for (const setup of setups) {
        if (setup.floor && 'pauseMs' in what) continue
        const result = await measureLoad(cluster, setup, { what, from })
        from += result.done.requests
        measured.set(setup.name, [...(measured.get(setup.name) ?? []), result])
      }
    }
    report(`${load.replace('200', String(clients))}, medians of ${rounds} rounds`, measured)
  }
}

let databases = 0

async function prepare(
  cluster: Cluster,
  name: string,
  { cli, count = 1, isPooled = false }: { cli?: string; count?: number; isPooled?: boolean },
): Promise<Setup> {
  const databaseName = `load_${++databases}`
  const url = await cluster.create(databaseName)
  const database = openPostgres(url)
  await migrate(database)
  const keys = await addUsers(database, clients)
  await database.close()
  const instanceUrl = isPooled ? await cluster.pooledUrl(databaseName) : url
  if (instanceUrl === undefined) return { name, keys, instances: [] }
  const instances = await Promise.all(Array.from({ length: count }, () => startInstance(instanceUrl, cli)))
  const what = { kind: 'bulk', batches: 1, size: each } as const
  const result = await measureLoad(cluster, { name, keys, instances }, { what, from: 0 })
  report(`first push of ${clients} machines, ${each} memories each`, new Map([[name, [result]]]), each)
  return { name, keys, instances }
}

/** The database of the first setup: the bare statements write to a table of their own in it. */
async function urlOfBare(cluster: Cluster): Promise<string> {
  return (await cluster.create('unused')).replace('unused', 'load_1')
}

interface LoadResult {
  done: Done
  /** Processor time per request, by who spent it. */
  cpuMs: { instances: number; pgbouncer: number; postgres: number; clients: number }
}

async function measureLoad(
  cluster: Cluster,
  { keys, instances, floor }: Setup,
  { what, from }: Pick<Job, 'what' | 'from'>,
): Promise<LoadResult> {
  const cpuOf = () => ({ ...cluster.cpuMs(), instances: instances.reduce((sum, { cpuMs }) => sum + cpuMs(), 0) })
  const before = cpuOf()
  const urls = instances.map(({ url }) => url)
  const done = floor ? await runBare(floor, what) : await run({ urls, keys, what, from })
  const after = cpuOf()
  const perRequest = (ms: number) => ms / done.requests
  return {
    done,
    cpuMs: {
      instances: perRequest(after.instances - before.instances),
      pgbouncer: perRequest(after.pgbouncer - before.pgbouncer),
      postgres: perRequest(after.postgres - before.postgres),
      clients: perRequest(done.cpuMs),
    },
  }
}

function runBare(floor: Floor, what: Job['what']): Promise<Done> {
  if (what.kind === 'bulk') return floor.bulk(what.batches, what.size)
  return what.kind === 'single' ? floor.single(what.ms) : floor.recall(what.ms)
}

function report(title: string, measured: ReadonlyMap<string, LoadResult[]>, items = 1): void {
  console.log(title)
  const bare = measured.get('bare')
  const rateOf = ({ done }: LoadResult) => (done.requests * items * 1000) / done.ms
  for (const [name, results] of measured) {
    const of = (value: (result: LoadResult) => number) => median(results.map(value))
    const rate = of(rateOf)
    const cpu = Object.entries(results[0]!.cpuMs).flatMap(([who]) => {
      const ms = of(({ cpuMs }) => cpuMs[who as keyof LoadResult['cpuMs']] / items)
      return ms === 0 ? [] : [`${who} ${ms.toFixed(2)}`]
    })
    const ratio = bare && name !== 'bare' ? `, ${(rate / median(bare.map(rateOf))).toFixed(2)} of bare` : ''
    const perCore = of(({ cpuMs }) => 1000 / cpuMs.instances) * items
    const perCoreText = Number.isFinite(perCore)
      ? `; ${Math.round(perCore).toLocaleString('en')} per core of instances`
      : ''
    const failures = results.reduce((sum, { done }) => sum + done.failures, 0)
    const failed = failures > 0 ? `; ${failures} failed` : ''
    const times = `${of(({ done }) => shareOf(done.times, 0.5)).toFixed(0)} / ${of(({ done }) => shareOf(done.times, 0.99)).toFixed(0)} ms`
    console.log(
      `  ${name.padEnd(18)} ${Math.round(rate).toLocaleString('en').padStart(6)}/s  ${times.padStart(16)}${ratio}; CPU ms: ${cpu.join(', ')}${perCoreText}${failed}`,
    )
  }
}

function shareOf(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!
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

function tell(name: string, done: Done, floor: Done): void {
  const rate = ({ requests, ms }: Done) => (requests * 1000) / ms
  const figures = `${Math.round(rate(done)).toLocaleString('en')}/s`
  const ratio = (rate(done) / rate(floor)).toFixed(2)
  const bare = `bare: ${Math.round(rate(floor)).toLocaleString('en')}/s, ${spread(floor.times)}`
  console.log(`${name.padEnd(26)} ${figures.padStart(10)}  ${spread(done.times).padStart(20)}  ${ratio} of ${bare}`)
}

function spread(times: number[]): string {
  return `${shareOf(times, 0.5).toFixed(1)} / ${shareOf(times, 0.99).toFixed(1)} ms`
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
