// Backups of the server's database, as people make them, and what it is to go back to one.
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { openPostgres } from '../../src/server/database/postgres.ts'
import type { OpenedDatabase } from '../server/databases.ts'

/** Returns what puts it in the place of the database as it is then. */
export async function takeBackup(opened: OpenedDatabase): Promise<() => Promise<void>> {
  return opened.url === undefined ? copyTables(opened) : copyDatabase(opened.url, opened.database)
}

async function copyDatabase(url: string, database: ServerDatabase): Promise<() => Promise<void>> {
  const address = new URL(url)
  const live = address.pathname.slice(1)
  address.pathname = '/postgres'
  const alone = async (...statements: string[]) => {
    const admin = openPostgres(address.href)
    // No client may be connected; the next query connects again.
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [live])
    for (const statement of statements) await admin.query(statement)
    await admin.close()
    await connectedAnew(database)
  }
  await alone(`CREATE DATABASE ${live}_backup TEMPLATE ${live}`)
  return () => alone(`ALTER DATABASE ${live} RENAME TO ${live}_lost`, `ALTER DATABASE ${live}_backup RENAME TO ${live}`)
}

/** Every connection that was cut has been noticed: enough questions at once go through all of them. */
async function connectedAnew(database: ServerDatabase): Promise<void> {
  for (;;) {
    const asked = await Promise.allSettled(Array.from({ length: 40 }, () => database.query('SELECT pg_sleep(0.01)')))
    if (asked.every(({ status }) => status === 'fulfilled')) return
  }
}

const tables = ['items', 'shares', 'links', 'audit']

async function copyTables({ database }: OpenedDatabase): Promise<() => Promise<void>> {
  for (const name of [...tables, 'spaces']) await database.query(`CREATE TABLE old_${name} AS TABLE ${name}`)
  return async () => {
    for (const name of tables) {
      const identity = name === 'audit' ? 'OVERRIDING SYSTEM VALUE ' : ''
      await database.query(`DELETE FROM ${name}`)
      await database.query(`INSERT INTO ${name} ${identity}SELECT * FROM old_${name}`)
    }
    await database.query('UPDATE spaces SET seq = old.seq FROM old_spaces old WHERE old.id = spaces.id')
  }
}
