// What an agent stores over the MCP server of a machine reaches the server without a sweep, and
// brings in what others stored: no hooks are installed here.
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../../src/core/paths.ts'
import { type HttpListener, listen } from '../../src/server/http/listen.ts'
import { openLedger } from '../../src/store/ledger.ts'
import { listMemories } from '../../src/store/memories/memories.ts'
import { countOutbox } from '../../src/store/sync/outbox.ts'
import { type Place, place } from '../program.ts'
import { serverDatabase } from '../server/databases.ts'
import { addKey } from '../server/test-app.ts'
import { waitFor } from '../wait-for.ts'
import { runProgram } from './run-program.ts'
import { openTestServer, type TestServer, textsOnServer } from './test-server.ts'

const cli = join(import.meta.dirname, '..', '..', 'dist', 'cli.js')

let server: TestServer
let listening: HttpListener
let places: Place[]
let clients: Client[]

beforeEach(async () => {
  server = await openTestServer(serverDatabase.open)
  listening = await listen(server.httpApp, { host: '127.0.0.1', port: 0 })
  places = []
  clients = []
})
afterEach(async () => {
  for (const client of clients) await client.close()
  await listening.close(100)
  await server.close()
  for (const at of places) at.remove()
})

async function joined(): Promise<Place> {
  const at = place({})
  places.push(at)
  at.env = { RECOLLECT_KEY: (await addKey(server.database, 'ann')).text }
  const done = await runProgram(at, 'sync', 'join', `http://127.0.0.1:${listening.address.port}`)
  expect(done.status, done.err).toBe(0)
  return at
}

async function agentOn(at: Place): Promise<(name: string, input: object) => Promise<string>> {
  const client = new Client({ name: 'test', version: '1' })
  clients.push(client)
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [cli, 'mcp'],
      env: { PATH: process.env.PATH ?? '', HOME: at.home, RECOLLECT_HOME: at.store, TZ: 'UTC', ...at.env },
      stderr: 'ignore',
    }),
  )
  return async (name, input) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...input } })
    const text = (content as { text: string }[]).map((part) => part.text).join('\n')
    expect(isError ?? false, text).toBe(false)
    return text
  }
}

function textsOf(at: Place): string[] {
  const ledger = openLedger(layoutOf(at.store))
  try {
    return listMemories(ledger, { state: 'kept' }).map(({ text }) => text)
  } finally {
    ledger.close()
  }
}

describe('the MCP server of a machine that has joined a server', () => {
  it('SPEC B.31: sends what is stored, updated and deleted, and receives, without a sweep', async () => {
    const [laptop, desk] = [await joined(), await joined()]
    const onServer = () => textsOnServer(server.httpApp, laptop.env.RECOLLECT_KEY!)
    const [first, second] = [await agentOn(laptop), await agentOn(desk)]
    const stored = await first('memory_store', { text: 'The lamp has a 60 watt bulb' })
    const id = /m-\w+/.exec(stored)![0]
    await waitFor(async () => (await onServer()).includes('The lamp has a 60 watt bulb'))

    await second('memory_store', { text: 'The harbour closes at ten' })
    await waitFor(() => textsOf(desk).includes('The lamp has a 60 watt bulb'))
    await waitFor(async () => (await onServer()).includes('The harbour closes at ten'))

    await first('memory_delete', { id })
    await waitFor(async () => !(await onServer()).includes('The lamp has a 60 watt bulb'))
  })

  it('answers although the server never does', async () => {
    const sockets: Socket[] = []
    const dead = createServer((socket) => sockets.push(socket.on('error', () => {})))
    await new Promise<void>((resolve) => dead.listen(0, '127.0.0.1', resolve))
    try {
      const laptop = await joined()
      const { port } = dead.address() as { port: number }
      const ledger = openLedger(layoutOf(laptop.store))
      const state = ledger.sql(`SELECT value FROM notes WHERE name = 'sync'`).get()!
      const moved = { ...JSON.parse(String(state.value)), server: `http://127.0.0.1:${port}` }
      ledger.sql(`UPDATE notes SET value = ? WHERE name = 'sync'`).run(JSON.stringify(moved))
      const { writeSyncSettings } = await import('../../src/sync/join.ts')
      writeSyncSettings(layoutOf(laptop.store).config, { server: `http://127.0.0.1:${port}` })
      const agent = await agentOn(laptop)
      await agent('memory_store', { text: 'The lamp has a 60 watt bulb' })
      await waitFor(() => sockets.length > 0)
      // The request of the sync is open, and the next tool is answered.
      expect(await agent('memory_list', {})).toContain('60 watt')
      expect(sockets.some((socket) => !socket.destroyed)).toBe(true)
      expect(countOutbox(ledger).waiting).toBe(1)
      ledger.close()
    } finally {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => dead.close(resolve))
    }
  })
})

it('sync runs once at a time: a second one waits for the first', async () => {
  const laptop = await server.joined('laptop')
  laptop.write({ id: 'm-one', text: 'The port is 7718' })
  const asked: number[] = []
  const { fetch } = laptop.net
  const labelled = (label: number): typeof fetch => {
    return (input, init) => {
      asked.push(label)
      return fetch(input, init)
    }
  }
  const results = await Promise.all([1, 2, 3].map((label) => laptop.sync({ fetch: labelled(label) })))
  const turns = asked.filter((label, index) => label !== asked[index - 1])
  expect(turns.toSorted()).toEqual([1, 2, 3])
  expect(results.map(({ pushed }) => pushed).toSorted()).toEqual([0, 0, 1])
})
