import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isProof } from '../../../test/proof.ts'
import { createPgliteFolder, postgres } from '../../../test/server/databases.ts'
import type { UserError } from '../../core/errors.ts'
import { checkVersion, connectDatabase } from './connect.ts'

describe('connectDatabase with a PGlite folder', () => {
  it.runIf(isProof)('leaves no file that others can read', async () => {
    const home = mkdtempSync(join(tmpdir(), 'recollect-pglite-modes-'))
    const folder = join(home, 'server')
    const database = await connectDatabase({ folder })
    await database.query('CREATE TABLE colours (name text)')
    await database.close()
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    const modes = files.map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o077)
    expect(files.length).toBeGreaterThan(100)
    expect(modes.filter((mode) => mode !== 0)).toEqual([])
    rmSync(home, { recursive: true })
  })
})

describe('connectDatabase with a PostgreSQL URL', () => {
  const folder = '/home/dev/unused'

  it('connects and hides the password in its name', async () => {
    const opened = await postgres.open()
    const database = await connectDatabase({ url: opened.url, folder })
    expect(await database.query('SELECT 1 AS one')).toEqual([{ one: 1 }])
    expect(database.name).toMatch(/^postgres:\/\/postgres@127\.0\.0\.1:\d+\/test_\d+(?:_\d+)?$/)
    await database.close()

    const wrongPassword = opened.url!.replace('made-up', 'hunter%402')
    const wrongDatabase = opened.url!.replace(/[^/]+$/, 'nowhere')
    expect(await problemOf(wrongPassword)).toMatchObject({
      message: expect.stringMatching(/rejects the user or the password/),
      exitCode: 2,
    })
    expect(await problemOf(wrongDatabase)).toMatchObject({
      message: expect.stringMatching(/nowhere does not exist/),
      exitCode: 2,
    })
    await opened.stop()
  })

  it('accepts URLs of hosting providers and poolers without prepared statements', async () => {
    const opened = await postgres.open()
    const prepared = async (parameters: string) => {
      const database = await connectDatabase({ url: `${opened.url}?${parameters}`, folder })
      await database.query('SELECT $1::int', [1])
      const rows = await database.query('SELECT name FROM pg_prepared_statements WHERE statement LIKE $1', [
        '%$1::int%',
      ])
      await database.close()
      return rows.length
    }
    expect(await prepared('sslmode=disable&channel_binding=prefer')).toBe(1)
    expect(await prepared('pgbouncer=true&connection_limit=1')).toBe(0)
    expect(await prepared('prepare=false')).toBe(0)
    expect(await problemOf(`${opened.url}?no_such_setting=1`)).toMatchObject({ exitCode: 2 })
    await opened.stop()
  })

  it('explains what to do if the server is unreachable', async () => {
    const problem = await problemOf(`postgres://dev:hunter2@127.0.0.1:${await closedPort()}/recollect`)
    expect(problem).toMatchObject({
      message: expect.stringMatching(/postgres:\/\/dev@127\.0\.0\.1:\d+\/recollect cannot be reached/),
      exitCode: 3,
    })
    expect(problem.hint).toMatch('Check that PostgreSQL runs there')
  })

  it.each([
    ['not a URL', 'localhost'],
    ['of something else', 'mysql://dev:hunter2@localhost/x'],
    ['with a password that breaks it', 'postgres://dev:hunter2@[x/y'],
  ])('refuses what is %s', async (_, url) => {
    expect(await problemOf(url)).toMatchObject({
      message: expect.stringMatching(/not the URL of a PostgreSQL database/),
      exitCode: 2,
    })
  })

  it('refuses an outdated PostgreSQL', () => {
    expect(() => checkVersion(140_019)).toThrow('PostgreSQL 14; 15 is the oldest')
    expect(() => checkVersion(150_000)).not.toThrow()
  })

  /** Of none of which the password may be read. */
  async function problemOf(url: string): Promise<UserError> {
    const problem: UserError = await connectDatabase({ url, folder }).then(
      () => expect.unreachable(),
      (error) => error,
    )
    expect(problem.name).toBe('UserError')
    expect(JSON.stringify([problem.message, problem.hint, problem.stack])).not.toMatch(/hunter/)
    return problem
  }
})

describe('connectDatabase with a PGlite folder', () => {
  let home: string
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'recollect-pglite-'))
  })
  afterEach(() => rmSync(home, { recursive: true, force: true }))

  it('locks the folder, names the owner, and persists data', async () => {
    const folder = join(home, 'deep', 'server')
    await createPgliteFolder(folder)
    const database = await connectDatabase({ folder, command: 'recollect server start' })
    await database.query(`CREATE TABLE things AS SELECT 'kept' AS name`)
    const second = connectDatabase({ folder })
    await expect(second).rejects.toThrow(`is open in process ${process.pid} (recollect server start)`)
    await expect(second).rejects.toMatchObject({ exitCode: 3, hint: expect.stringContaining('DATABASE_URL') })
    await database.close()

    const again = await connectDatabase({ folder })
    expect(await again.query('SELECT name FROM things')).toEqual([{ name: 'kept' }])
    await again.close()
  })

  it.runIf(isProof)('reports a folder of another version or with other content', async () => {
    const made = join(home, 'made')
    mkdirSync(made)
    writeFileSync(join(made, 'PG_VERSION'), '12\n')
    await expect(connectDatabase({ folder: made })).rejects.toMatchObject({
      message: expect.stringContaining('cannot be opened; it was made by PostgreSQL 12'),
      exitCode: 3,
    })
    const file = join(home, 'file')
    writeFileSync(file, 'x')
    // Twice: the first has not kept the folder for itself.
    for (const message of ['cannot be opened', 'cannot be opened'])
      await expect(connectDatabase({ folder: file })).rejects.toThrow(message)
  })
})

function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
