// Brings a database to the shape that this program knows, step by step. Each step is done whole or not at all, and once,
// however many instances start at the same time.
import { UserError } from '../../core/errors.ts'
import type { Database, Queries } from './database.ts'
import { type Migration, migrations } from './migrations.ts'

/** Any number, the same in every instance: the name of the lock under which one of them works. */
const lock = 7_306_515_221

/** The names of the steps that were done now. */
export async function migrate(database: Database, steps: readonly Migration[] = migrations): Promise<string[]> {
  const done: string[] = []
  for (;;) {
    const step = await database.transaction((queries) => doNext(queries, steps))
    if (step === undefined) return done
    done.push(step.name)
  }
}

async function doNext(queries: Queries, steps: readonly Migration[]): Promise<Migration | undefined> {
  // Another instance may be at a step that takes its time.
  await queries.query(`SELECT set_config('lock_timeout', '0', true), set_config('statement_timeout', '0', true)`)
  await queries.query('SELECT pg_advisory_xact_lock($1)', [lock])
  await queries.query(
    `CREATE TABLE IF NOT EXISTS migrations (
       number integer PRIMARY KEY, name text NOT NULL, done_at timestamptz NOT NULL DEFAULT now()
     )`,
  )
  const done = await queries.query<{ name: string }>('SELECT name FROM migrations ORDER BY number')
  refuseUnknown(done, steps)
  const step = steps[done.length]
  if (step === undefined) return undefined
  await queries.query(step.sql)
  await queries.query('INSERT INTO migrations (number, name) VALUES ($1, $2)', [done.length + 1, step.name])
  return step
}

function refuseUnknown(done: readonly { name: string }[], steps: readonly Migration[]): void {
  const unknown = done.find(({ name }, index) => name !== steps[index]?.name)
  if (unknown === undefined) return
  throw new UserError(
    `The database is newer than this program: it has the step "${unknown.name}", which is not known here`,
    'Update Recollect on this machine. Nothing was changed.',
    3,
  )
}
