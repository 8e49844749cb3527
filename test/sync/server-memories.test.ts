// Memories that are stored on the server itself, through the API or MCP: they reach all machines of
// their owner and stay on the server.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { saveServerItem } from '../../src/store/sync/spaces.ts'
import { bucketOf, deletedHash, markOf } from '../../src/sync/item-hash.ts'
import { serverDatabase } from '../server/databases.ts'
import { ask } from '../server/test-app.ts'
import type { TestMachine } from './machines.ts'
import { openTestServer, syncUntilStable, type TestServer, textsOnServer } from './test-server.ts'

const text = 'The lighthouse is served from port 7718'

describe.each([serverDatabase])('memories stored on the server, on $name', ({ open }) => {
  let server: TestServer
  let laptop: TestMachine
  let desk: TestMachine

  beforeEach(async () => {
    server = await openTestServer(open)
    laptop = await server.joined('laptop')
    desk = await server.joined('desk')
  })
  afterEach(() => server?.close())

  async function store(body: object): Promise<string> {
    const { json } = await ask(server.httpApp, 'POST', '/api/spaces/me/memories', { key: laptop.key, body })
    return json.id
  }

  async function storeOverMcp(): Promise<void> {
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'memory_store', arguments: { text } },
    }
    const headers = { accept: 'application/json, text/event-stream' }
    const { status } = await ask(server.httpApp, 'POST', '/mcp', { key: laptop.key, body, headers })
    expect(status).toBe(200)
  }

  it.each<[string, () => Promise<unknown>]>([
    ['over REST', () => store({ text })],
    ['over REST as about the user', () => store({ text, type: 'user' })],
    ['over REST for a project', () => store({ text, project: 'git.example/app' })],
    ['over MCP', storeOverMcp],
  ])('stay there and reach two machines when stored %s', async (_, stored) => {
    await stored()
    await syncUntilStable(laptop, desk, laptop)
    expect(laptop.texts()).toEqual([text])
    expect(desk.texts()).toEqual([text])
    expect(await textsOnServer(server.httpApp, laptop.key)).toEqual([text])
  })

  it('are not about the user unless the caller says so', async () => {
    const id = await store({ text })
    await laptop.sync()
    expect(laptop.memory(id)).toMatchObject({ type: 'project', project: null, origin: 'server' })
  })

  it('are changed on a machine and forgotten everywhere', async () => {
    const id = await store({ text, type: 'user' })
    await syncUntilStable(laptop, desk)
    laptop.write({ id, text: 'The lighthouse is served from port 7719' })
    await syncUntilStable(laptop, desk)
    expect(desk.texts()).toEqual(['The lighthouse is served from port 7719'])
    desk.forget(id)
    await syncUntilStable(desk, laptop)
    expect(laptop.memory(id)!.state).toBe('forgotten')
    expect(await textsOnServer(server.httpApp, laptop.key)).toEqual([])
  })

  it('return to the server after an earlier version had deleted them there as private', async () => {
    const id = await store({ text, type: 'user' })
    await laptop.sync()
    await ask(server.httpApp, 'DELETE', `/api/spaces/me/memories/${id}`, { key: laptop.key })
    // The machine that deleted it has kept it, and knows that it is deleted on the server.
    const gone = { space: 'me', id, kind: 'memory', version: 2, hash: deletedHash, statement: deletedHash }
    saveServerItem(laptop.ledger, { ...gone, bucket: bucketOf(id), mark: markOf(id, deletedHash) })
    await syncUntilStable(laptop, desk)
    expect(desk.texts()).toEqual([text])
    expect(await textsOnServer(server.httpApp, laptop.key)).toEqual([text])
  })

  it('of another machine stay although this one sends nothing about the user', async () => {
    const phone = await server.joined('phone', 'ann', 'about_me = true')
    phone.write({ id: 'm-about', text: 'Ann works at the harbour', type: 'user', project: null })
    await syncUntilStable(phone, laptop, desk, phone)
    for (const one of [phone, laptop, desk]) expect(one.texts()).toEqual(['Ann works at the harbour'])
    expect(await textsOnServer(server.httpApp, laptop.key)).toEqual(['Ann works at the harbour'])
  })

  it('learned on this machine about the user do not leave it, even if the machine is called server', async () => {
    const named = await server.joined('server')
    named.write({ id: 'm-about', text: 'Ann works at the harbour', type: 'user', project: null })
    laptop.write({ id: 'm-laptop', text: 'Ann lives by the sea', type: 'user', project: null })
    await syncUntilStable(named, laptop)
    expect(await textsOnServer(server.httpApp, laptop.key)).toEqual([])
  })
})
