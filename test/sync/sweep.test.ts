// Sync with the built program: every sweep exchanges changes, and a server that is down or rejects the
// key does not block anything else.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type HttpListener, listen } from '../../src/server/http/listen.ts'
import { revokeKey } from '../../src/server/store/keys.ts'
import { removeMember } from '../../src/server/store/teams.ts'
import { keepCandidates } from '../keep-candidates.ts'
import { claudeSession, type Place, place, sessionName } from '../program.ts'
import { isProof } from '../proof.ts'
import { serverDatabase } from '../server/databases.ts'
import { addKey } from '../server/test-app.ts'
import { runProgram } from './run-program.ts'
import { openTestServer, type TestServer, textsOnServer } from './test-server.ts'

const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')
const transcript = `.claude/projects/-home-dev-app/${sessionName(1)}.jsonl`

describe('sync stage of a sweep', () => {
  let server: TestServer
  let listening: HttpListener
  let url: string
  let places: Place[]

  beforeEach(async () => {
    server = await openTestServer(serverDatabase.open)
    listening = await listen(server.httpApp, { host: '127.0.0.1', port: 0 })
    url = `http://127.0.0.1:${listening.address.port}`
    places = []
  })
  afterEach(async () => {
    await listening.close(100)
    await server.close()
    for (const at of places) at.remove()
  })

  /** A home with a session to learn from, that has joined. */
  async function joined(user = 'ann', says = ''): Promise<Place & { keyId: string }> {
    const at = place(says === '' ? {} : { [transcript]: claudeSession(sessionName(1), 2, { says: () => says }) })
    places.push(at)
    const { id, text } = await addKey(server.database, user)
    at.env = { RECOLLECT_KEY: text }
    const done = await runProgram(at, 'sync', 'join', url, '--json')
    expect(done.status, done.err).toBe(0)
    return Object.assign(at, { keyId: id })
  }

  it('exchanges memories and reports counts', async () => {
    const laptop = await joined('ann', 'No, never use npm in this project. Always use pnpm for installs.')
    expect((await runProgram(laptop, 'sweep')).out).not.toContain('Server:')
    keepCandidates(laptop)
    const swept = await runProgram(laptop, 'sweep')
    expect(swept).toMatchObject({ status: 0, out: expect.stringMatching(/^Server: 1 item sent/m) })
    const texts = await textsOnServer(server.httpApp, laptop.env.RECOLLECT_KEY!)
    expect(texts).toHaveLength(1)

    const desk = await joined('ann')
    const memories = JSON.parse((await runProgram(desk, 'memories', '--json')).out) as { text: string }[]
    expect(memories.map(({ text }) => text)).toEqual(texts)
    await runProgram(desk, 'remember', 'The port of the server is 7718', '--json')
    const report = JSON.parse((await runProgram(desk, 'sweep', '--json')).out) as { synced: object }
    expect(report.synced).toMatchObject({ pushed: 1, refused: 0, restored: 0 })
  })

  it('sends edits of team memory files', async () => {
    const [ann, bob] = [await joined('ann'), await joined('bob')]
    const said = await runProgram(
      ann,
      'remember',
      'Releases are tagged by hand',
      '--team',
      'core',
      '--global',
      '--json',
    )
    expect(said.status, said.err).toBe(0)
    await runProgram(ann, 'sync')
    expect((await runProgram(bob, 'sync')).status).toBe(0)
    const folder = join(bob.store, 'vault', 'memory', 'global', 'team')
    const name = readdirSync(folder).find((one) => one !== 'MEMORY.md')!
    const content = readFileSync(join(folder, name), 'utf8')
    const edited = content.replace('\nReleases are tagged by hand\n', '\nReleases are tagged by the release script\n')
    expect(edited).not.toBe(content)
    writeFileSync(join(folder, name), edited)
    expect(await runProgram(bob, 'sweep')).toMatchObject({
      status: 0,
      out: expect.stringContaining('Server: 1 item sent'),
    })
    expect(await textsOnServer(server.httpApp, ann.env.RECOLLECT_KEY!, 'team:core')).toEqual([
      'Releases are tagged by the release script',
    ])
    expect((await runProgram(ann, 'sync')).status).toBe(0)
    const [memory] = JSON.parse((await runProgram(ann, 'memories', '--json')).out) as object[]
    expect(memory).toMatchObject({ text: 'Releases are tagged by the release script', author: 'bob' })
  })

  it('continues the sweep if the key is rejected, and reports it', async () => {
    const laptop = await joined('ann', 'No, never use npm in this project. Always use pnpm for installs.')
    await runProgram(laptop, 'sweep')
    keepCandidates(laptop)
    await revokeKey(server.database, laptop.keyId)
    expect((await runProgram(laptop, 'sweep')).status).toBe(0)
    expect(JSON.parse((await runProgram(laptop, 'status', '--json')).out)).toMatchObject({
      sync: { key: 'refused', waiting: 1 },
    })
    expect(await runProgram(laptop, 'status')).toMatchObject({ out: expect.stringContaining('the key is rejected') })
    expect(await runProgram(laptop, 'sync', '--status')).toMatchObject({
      status: 1,
      out: expect.stringContaining('The server rejects the key'),
    })
    expect(await runProgram(laptop, 'sync')).toMatchObject({
      status: 3,
      err: expect.stringContaining('No change is lost'),
    })
    expect(await memoryCount(laptop)).toEqual([
      expect.stringMatching(/^Sync: 1 change to send, 0 refused, last pull \d{4}-/),
      'The server rejects the key, so nothing is sent (recollect sync --status)',
    ])
    const { text } = await addKey(server.database, 'ann')
    laptop.env = { RECOLLECT_KEY: text }
    expect(await runProgram(laptop, 'sync')).toMatchObject({ status: 0, out: expect.stringContaining('1 item sent') })
    expect(await memoryCount(laptop)).toEqual([expect.stringMatching(/^Sync: 0 changes to send, 0 refused, last pull/)])
  })

  it('lets the user dismiss refused items, which clears doctor', async () => {
    const bob = await joined('bob')
    await runProgram(bob, 'remember', 'Releases are tagged by hand', '--team', 'core', '--global', '--json')
    await server.database.transaction((queries) => removeMember(queries, 'core', 'bob'))
    expect((await runProgram(bob, 'sync')).status).toBe(0)
    const syncCheck = async () => {
      const checks = JSON.parse((await runProgram(bob, 'doctor', '--json')).out).checks as {
        name: string
        ok: boolean
      }[]
      return checks.find(({ name }) => name === 'sync')!
    }
    expect(await syncCheck()).toMatchObject({ ok: false })
    expect(await runProgram(bob, 'sync', '--status')).toMatchObject({
      status: 1,
      out: expect.stringContaining('sync dismiss'),
    })
    const [dismissed] = JSON.parse((await runProgram(bob, 'sync', 'dismiss', '--json')).out) as object[]
    expect(dismissed).toMatchObject({ space: 'team:core', became: 'gone' })
    expect(await syncCheck()).toMatchObject({ ok: true })
    expect(await runProgram(bob, 'sync', 'dismiss')).toMatchObject({
      status: 1,
      err: expect.stringContaining('Nothing was'),
    })
  })
})

describe('sync stage with a server that does not answer', () => {
  let dead: Server
  let sockets: Socket[]
  let at: Place
  beforeEach(async () => {
    sockets = []
    dead = createServer((socket) => {
      sockets.push(socket)
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve))
    at = place({
      [transcript]: claudeSession(sessionName(1), 2, { says: () => 'No, never use npm here. Always use pnpm.' }),
    })
  })
  afterEach(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => dead.close(resolve))
    at.remove()
  })

  it.runIf(isProof)('takes its time limit once, then backs off', { timeout: 120_000 }, async () => {
    const { port } = dead.address() as { port: number }
    at.env = { RECOLLECT_KEY: 'rk_made_up_for_this_test' }
    expect((await runProgram(at, 'sweep')).status).toBe(0)
    writeFileSync(join(at.store, 'config.toml'), `[sync]\nserver = "http://127.0.0.1:${port}"\n`)
    const said = await runProgram(at, 'remember', 'The port of the server is 7718', '--json')
    expect(said.status, said.err).toBe(0)
    expect((await runProgram(at, 'sweep')).status).toBe(0)
    const asked = sockets.length
    expect(asked).toBeGreaterThan(0)
    const status = JSON.parse((await runProgram(at, 'status', '--json')).out)
    expect(status.sync.failures[0].reason).toContain('did not answer in time')
    expect((await runProgram(at, 'sweep')).status).toBe(0)
    expect(sockets).toHaveLength(asked)
  })
})

/** The brief that an agent receives. */
async function memoryCount(at: Place): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, 'mcp'],
      env: { PATH: process.env.PATH ?? '', HOME: at.home, RECOLLECT_HOME: at.store, TZ: 'UTC', ...at.env },
      stderr: 'ignore',
    }),
  )
  try {
    const { content } = await client.callTool({ name: 'memory_count', arguments: {} })
    const text = (content as { text: string }[]).map((part) => part.text).join('\n')
    return text.split('\n').filter((line) => /^Sync:|server/i.test(line))
  } finally {
    await client.close()
  }
}
