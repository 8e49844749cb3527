// How an instance ends: what has begun is answered, nothing new is let in, and the database is left in order.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { type HttpListener, listen } from '../../src/server/http/listen.ts'
import { type Place, place, recollect } from '../program.ts'
import { isProof } from '../proof.ts'
import { waitFor } from '../wait-for.ts'
import { createPgliteFolder, type OpenedDatabase, postgres, serverDatabase } from './databases.ts'
import { addKey, addUser, createTestApp } from './test-app.ts'

const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')

function get(url: string, key = '', agent?: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      { headers: { authorization: `Bearer ${key}` }, ...(agent ? { agent } : {}) },
      (answer) => {
        answer.resume()
        answer.once('end', () => resolve(answer.statusCode ?? 0))
      },
    )
    asked.once('error', reject)
    asked.end()
  })
}

describe('shutting down', () => {
  let opened: OpenedDatabase
  let key: string
  let listening: HttpListener
  beforeAll(async () => {
    opened = await serverDatabase.open()
    await addUser(opened.database, 'ada')
    key = (await addKey(opened.database, 'ada')).text
  })
  afterAll(() => opened.stop())

  /** A database that answers when the test releases it. */
  function held(): { database: ServerDatabase; asked: Promise<void>; release(): void } {
    const asked = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    const { database } = opened
    return {
      asked: asked.promise,
      release: released.resolve,
      database: {
        name: database.name,
        transaction: (work) => database.transaction(work),
        close: () => database.close(),
        async query(text, values) {
          asked.resolve()
          await released.promise
          return database.query(text, values)
        },
      },
    }
  }

  it('finishes running requests and refuses new ones', async () => {
    const { database, asked, release } = held()
    const httpApp = createTestApp(database)
    listening = await listen(httpApp, { host: '127.0.0.1', port: 0 })
    const url = `http://127.0.0.1:${listening.address.port}`
    const agent = new Agent({ keepAlive: true })
    expect(await get(`${url}/health`, '', agent)).toBe(200)
    const begun = get(`${url}/api/me`, key)
    await asked
    const closed = listening.close(30_000)
    expect((await httpApp.fetch(new Request(`${url}/ready`))).status).toBe(503)
    await expect(get(`${url}/health`)).rejects.toThrow('ECONNREFUSED')
    release()
    expect(await begun).toBe(200)
    await closed
    agent.destroy()
  })

  it('stops waiting after the timeout', async () => {
    const { database, asked } = held()
    listening = await listen(createTestApp(database), { host: '127.0.0.1', port: 0 })
    const begun = get(`http://127.0.0.1:${listening.address.port}/api/me`, key).catch((error: Error) => error.message)
    await asked
    await listening.close(20)
    expect(await begun).toMatch(/socket hang up|ECONNRESET/)
  })
})

describe('the program', () => {
  let at: Place
  let child: ChildProcess | undefined
  afterEach(() => {
    child?.kill('SIGKILL')
    child = undefined
    at.remove()
  })

  interface Running {
    child: ChildProcess
    url: string
    said(): string
  }

  async function start(env: Record<string, string> = {}, ...args: string[]): Promise<Running> {
    child = spawn(process.execPath, [cli, 'server', '--port', '0', '--json', ...args], {
      env: { PATH: process.env.PATH ?? '', HOME: at.home, RECOLLECT_HOME: at.store, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    child.stderr!.on('data', (chunk) => (said += chunk))
    const [line] = await Promise.race([once(child.stdout!, 'data'), once(child, 'exit').then(() => [''])])
    if (String(line) === '') throw new Error(said)
    return { child, url: JSON.parse(String(line)).url, said: () => said }
  }

  async function stop({ child }: Running): Promise<number | null> {
    child.kill('SIGTERM')
    const [code] = await once(child, 'exit')
    return code as number | null
  }

  it.runIf(isProof)('on PGlite explains the first steps and releases its database', async () => {
    at = place()
    await createPgliteFolder(join(at.store, 'server'))
    const first = await start()
    expect(await get(`${first.url}/ready`)).toBe(200)
    const busy = recollect(at, 'server', 'user', 'add', 'ada')
    expect(busy.status).not.toBe(0)
    expect(await stop(first)).toBe(0)
    expect(first.said()).toContain('recollect server user add')
    const [line] = first.said().match(/^\{.*"route":"\/ready".*\}$/m)!
    expect(JSON.parse(line)).toMatchObject({ method: 'GET', status: 200, ms: expect.any(Number) })

    expect(recollect(at, 'server', 'user', 'add', 'ada').status).toBe(0)
    const { key } = recollect(at, 'server', 'key', 'create', '--user', 'ada', '--json').json()
    const second = await start({}, '--quiet')
    expect(await get(`${second.url}/api/me`, key)).toBe(200)
    expect(await stop(second)).toBe(0)
    expect(second.said()).not.toContain('"route"')
    expect(second.said()).not.toContain('Nobody can use it yet')
  })

  it('on PostgreSQL answers a waiting push before it stops', async () => {
    at = place()
    const opened = await postgres.open()
    await addUser(opened.database, 'ada')
    const { text: key } = await addKey(opened.database, 'ada')
    const running = await start({ DATABASE_URL: opened.url! })
    const body = { text: 'The lamp is changed by hand' }
    let pushed: Promise<Response> | undefined
    let ended: Promise<number | null> | undefined
    await opened.database.transaction(async (queries) => {
      await queries.query('SELECT seq FROM spaces FOR UPDATE')
      pushed = fetch(`${running.url}/api/spaces/me/memories`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(body),
      })
      const waits = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`
      await waitFor(async () => (await queries.query(waits)).length > 0)
      ended = stop(running)
      await waitFor(async () => !(await isOpen(running.url)))
    })
    const answer = await pushed!
    expect([answer.status, answer.headers.get('connection')]).toEqual([201, 'close'])
    expect(await ended).toBe(0)
    expect(await opened.database.query('SELECT id FROM items')).toHaveLength(1)
    await opened.stop()
  })

  async function isOpen(url: string): Promise<boolean> {
    return get(`${url}/health`).then(
      () => true,
      () => false,
    )
  }

  it('warns about public addresses and refuses invalid options', async () => {
    at = place()
    await createPgliteFolder(join(at.store, 'server'))
    const running = await start({}, '--host', '0.0.0.0')
    expect(running.said()).toContain('Put a TLS proxy in front of it')
    const { port } = new URL(running.url)
    expect(await stop(running)).toBe(0)
    const wrong = (env: Record<string, string>, ...args: string[]) => {
      at.env = env
      return recollect(at, 'server', ...args)
    }
    expect(wrong({}, '--port', 'many')).toMatchObject({ status: 2, err: expect.stringContaining('0 to 65535') })
    expect(wrong({ RECOLLECT_RATE: 'fast' })).toMatchObject({ status: 2, err: expect.stringContaining('50/200') })
    expect(wrong({ DATABASE_URL: 'mysql://x' })).toMatchObject({ status: 2 })
    const away = wrong({ DATABASE_URL: `postgres://ada:geheim@127.0.0.1:${port}/x` })
    expect(away).toMatchObject({ status: 3, err: expect.stringContaining('cannot be reached') })
    expect(away.err).not.toContain('geheim')
  })
})
