// Requests of attackers and broken clients: other users must not notice them.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { createHttpApp, type HttpApp } from '../../src/server/http/app.ts'
import { trustedProxies } from '../../src/server/http/client-address.ts'
import { type HttpListener, listen } from '../../src/server/http/listen.ts'
import { setMember } from '../../src/server/store/teams.ts'
import { sample } from '../proof.ts'
import { waitFor } from '../wait-for.ts'
import { type OpenedDatabase, serverDatabase } from './databases.ts'
import { memory } from './sample-team.ts'
import { addKey, addTeam, addUser, ask, createTestApp, unlimitedRate } from './test-app.ts'

describe.each([serverDatabase])('abuse on $name', ({ open }) => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  let httpApp: HttpApp
  let key: string

  beforeAll(async () => {
    opened = await open()
    database = opened.database
    for (const name of ['ada', 'bob', 'zoe']) await addUser(database, name)
    key = (await addKey(database, 'ada')).text
    httpApp = createTestApp(database)
  })
  afterAll(() => opened.stop())

  function call(name: string, given: Record<string, unknown>) {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
    return { key, body, headers: { accept: 'application/json, text/event-stream' } }
  }

  it.each<[string, string, string, unknown?]>([
    ['a project', 'GET', '/api/spaces/me/memories?project=%00'],
    ['a tag', 'GET', '/api/spaces/me/memories?tag=%00'],
    ['a key', 'DELETE', '/api/keys/%00'],
    ['what is shared', 'POST', '/api/shares', shareOf('\u0000')],
    ['an agent', 'POST', '/mcp', call('memory_list', { project: '\u0000' }).body],
  ])('answers that it does not fit where NUL stands for %s', async (_, method, path, body) => {
    const headers = { accept: 'application/json, text/event-stream' }
    const answer = await ask(httpApp, method, path, { key, headers, ...(body === undefined ? {} : { body }) })
    expect([answer.status, answer.json?.error.code]).toEqual([422, 'invalid'])
  })

  it('refuses a document with huge numbers, but not its batch', async () => {
    const wide = { ...memory('Wide'), later: Array.from({ length: 600_000 }, () => '') }
    const digits = { ...memory('Digits'), later: Array.from({ length: 8000 }, () => 1e300) }
    const items = [wide, digits, memory('Good')].map((document, at) => ({
      id: `m-wide-${at}`,
      kind: 'memory',
      base: null,
      document,
    }))
    const answer = await ask(httpApp, 'POST', '/api/spaces/me/push', { key, body: { items } })
    expect(answer.json.results).toMatchObject([
      { status: 'refused', reason: 'too large' },
      { status: 'refused', reason: 'too large' },
      { status: 'stored' },
    ])
  })

  it('limits pages by bytes and refuses a bucket that is too large', async () => {
    const { key: zoes, spaceId } = await zoe()
    await database.query(
      `INSERT INTO items (space_id, id, kind, version, seq, hash, bucket, mark, document, author_id)
       SELECT $1::uuid, 'm-' || n, 'memory', 1, n, 'x', 7, 1, jsonb_build_object('later', repeat('x', 60000)), 1
       FROM generate_series(1, 700) n`,
      [spaceId],
    )
    await database.query('UPDATE spaces SET seq = 700 WHERE id = $1::uuid', [spaceId])
    const page = await ask(httpApp, 'GET', '/api/spaces/me/pull', { key: zoes })
    expect(page.text.length).toBeLessThan(5_000_000)
    expect(page.json).toMatchObject({ hasMore: true, cursor: page.json.items.at(-1).seq })
    expect((await ask(httpApp, 'GET', '/api/spaces/me/buckets/7', { key: zoes })).status).toBe(413)
    expect((await ask(httpApp, 'GET', '/api/spaces/me/buckets/8', { key: zoes })).status).toBe(200)
  })

  async function zoe() {
    const { text } = await addKey(database, 'zoe')
    const me = await ask(httpApp, 'GET', '/api/me', { key: text })
    return { key: text, spaceId: me.json.spaces[0].id as string }
  }

  it('limits the number of shares', async () => {
    const { key: zoes, spaceId } = await zoe()
    await database.query(
      `INSERT INTO shares (space_id, id, tag, to_space_id, permission, created_by)
       SELECT $1::uuid, 'share:' || n, 'tag-' || n, id, 'read', 1 FROM generate_series(1, 1000) n, spaces
       WHERE kind = 'shared' AND user_id = (SELECT id FROM users WHERE name = 'ada')`,
      [spaceId],
    )
    const body = { subject: { kind: 'tag', tag: 'one-more' }, with: 'user:ada', permission: 'read' }
    expect(await ask(httpApp, 'POST', '/api/shares', { key: zoes, body })).toMatchObject({ status: 403 })
  })

  it('hides internal errors from agents and logs them', async () => {
    const entries: Record<string, unknown>[] = []
    const broken: ServerDatabase = {
      ...database,
      async query(text, values) {
        if (text.includes('FROM items'))
          throw Object.assign(new Error('Key (text)=(the lamp) exists'), { code: '23505' })
        return database.query(text, values)
      },
    }
    const answer = await ask(
      createTestApp(broken, { log: (entry) => entries.push(entry) }),
      'POST',
      '/mcp',
      call('memory_count', {}),
    )
    expect([answer.status, answer.json?.error.code]).toEqual([500, 'internal'])
    expect(answer.text).not.toContain('lamp')
    expect(entries).toMatchObject([
      { error: 'Error', code: '23505' },
      { route: '/mcp', status: 500 },
    ])
    expect(JSON.stringify(entries)).not.toContain('lamp')
  })

  it('rejects MCP batches, so that each call is rate limited', async () => {
    const { body, ...rest } = call('memory_count', {})
    expect((await ask(httpApp, 'POST', '/mcp', { ...rest, body: [body, body] })).status).toBe(400)
  })

  it('prefers the team memory over a shared one with the same id', async () => {
    await addTeam(database, 'lamps', { ada: 'writer', bob: 'writer' })
    const bobs = (await addKey(database, 'bob')).text
    const push = (space: string, text: string) =>
      ask(httpApp, 'POST', `/api/spaces/${space}/push`, {
        key: bobs,
        body: { items: [{ id: 'm-twice', kind: 'memory', base: null, document: memory(text) }] },
      })
    await push('team:lamps', 'The lamp is green')
    await push('me', 'The lamp is red')
    await ask(httpApp, 'POST', '/api/shares', { key: bobs, body: shareOf('m-twice', 'user:ada') })
    const { text } = await ask(httpApp, 'POST', '/mcp', call('memory_get', { ids: ['m-twice'] }))
    expect(text).toContain('The lamp is green')
    expect(text).not.toContain('The lamp is red')
  })

  it('shows the projects of members only to unlimited admins', async () => {
    await addTeam(database, 'tides', { ada: 'admin', bob: 'admin' })
    await setMember(database, { team: 'tides', user: 'bob', role: 'admin', projects: ['github.com/dev/app'] })
    const bobs = (await addKey(database, 'bob')).text
    expect((await ask(httpApp, 'GET', '/api/spaces/team:tides/members', { key })).status).toBe(200)
    expect((await ask(httpApp, 'GET', '/api/spaces/team:tides/members', { key: bobs })).status).toBe(403)
  })

  it('rate limits IPv6 addresses by /64 network', async () => {
    const limited = createTestApp(database)
    const wrong = `rk_${'a'.repeat(12)}_${'a'.repeat(43)}`
    const statuses = new Set<number>()
    for (let n = 1; n <= 40; n++) {
      const address = n % 2 ? `2001:db8::${n}:0:0:1` : `2001:db8:0:0:${n}::1`
      statuses.add((await ask(limited, 'GET', '/api/me', { key: wrong, address })).status)
    }
    expect(statuses).toEqual(new Set([401, 429]))
    expect((await ask(limited, 'GET', '/api/me', { key: wrong, address: '2001:db8:1::1' })).status).toBe(401)
  })

  it('shares one readiness check between concurrent requests', async () => {
    let asked = 0
    const counting: ServerDatabase = {
      ...database,
      query(text, values) {
        asked++
        return database.query(text, values)
      },
    }
    const counted = createTestApp(counting)
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(counted, 'GET', '/ready')))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(asked).toBe(1)
    await ask(counted, 'GET', '/ready')
    expect(asked).toBe(2)
  })

  it('builds the OpenAPI document once', async () => {
    await ask(httpApp, 'GET', '/openapi.json')
    const description = httpApp.state.description()
    await ask(httpApp, 'GET', '/openapi.json')
    expect(httpApp.state.description()).toBe(description)
    expect(await description).toMatchObject({ openapi: '3.1.0' })
  })

  describe('slow clients', () => {
    let listening: HttpListener
    let crowded: HttpApp
    const sockets: Socket[] = []

    beforeAll(async () => {
      crowded = createHttpApp(
        { database, clock: { nowMs: () => Date.now() }, version: '0' },
        { rate: unlimitedRate, maxRequests: 10 },
      )
      listening = await listen(crowded, { host: '127.0.0.1', port: 0 })
    })
    afterAll(async () => {
      for (const socket of sockets) socket.destroy()
      await listening.close(0)
    })

    /** Starts requests whose bodies do not end. */
    function begin(count: number, headers: string): Socket[] {
      const begun = Array.from({ length: count }, () => {
        const socket = connect(listening.address.port, '127.0.0.1')
        socket.on('error', () => {})
        socket.write(`POST /api/recall HTTP/1.1\r\nhost: x\r\n${headers}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`)
        return socket
      })
      sockets.push(...begun)
      return begun
    }

    it('do not block other clients', async () => {
      const bobs = (await addKey(database, 'bob')).text
      await Promise.all(begin(15, '').map((socket) => once(socket, 'data')))
      expect((await ask(crowded, 'GET', '/api/me', { key })).status).toBe(200)
      // A question of his own may take the place of a slow request, which is then refused: one more.
      await waitFor(async () => {
        begin(1, `authorization: Bearer ${bobs}\r\n`)
        return (await ask(crowded, 'GET', '/api/me', { key: bobs })).status === 503
      })
      expect((await ask(crowded, 'GET', '/api/me', { key })).status).toBe(200)
    })
  })

  const incomplete: [string, string, string, number][] = [
    ['an unknown key', 'authorization: Bearer rk_unknown\r\n', 'content-length: 1000', 401],
    ['no key and chunks', '', 'transfer-encoding: chunked', 401],
    ['a body that is announced as too large', 'KEY', 'content-length: 300000', 413],
  ]
  it.each(sample(incomplete, 1))(
    'are answered at once with %s, although the body does not come',
    async (_, given, length, status) => {
      const listening = await listen(createTestApp(database), { host: '127.0.0.1', port: 0 })
      const headers = given === 'KEY' ? `authorization: Bearer ${key}\r\n` : given
      const socket = connect(listening.address.port, '127.0.0.1').on('error', () => {})
      const first = length.startsWith('transfer') ? '1\r\n{\r\n' : '{'
      socket.write(`POST /api/recall HTTP/1.1\r\nhost: x\r\n${headers}${length}\r\n\r\n${first}`)
      const [answer] = (await once(socket, 'data')) as [Buffer]
      // After the time limit of requests it would be a 408.
      expect(answer.toString()).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      await closed(socket)
      await listening.close(0)
    },
  )

  it('with many connections do not shut out other addresses', async () => {
    const app = createTestApp(database)
    const listening = await listen(app, { host: '127.0.0.1', port: 0, maxConnections: 20, maxConnectionsOfAddress: 5 })
    const open = (localAddress: string) =>
      connect({ port: listening.address.port, host: '127.0.0.1', localAddress }).on('error', () => {})
    const idle = Array.from({ length: 25 }, () => open('127.0.0.1'))
    await waitFor(() => idle.filter((socket) => socket.closed).length === 20)
    const other = open('127.0.0.2')
    other.write('GET /health HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(String((await once(other, 'data'))[0])).toContain('200 OK')
    const { text } = await ask(app, 'GET', '/metrics', { key })
    expect(text).toContain('recollect_connections_refused_total{by="address"} 20')
    for (const socket of [...idle, other]) socket.destroy()
    await listening.close(0)
  })

  it('cannot choose their address without a proxy', async () => {
    const app = createTestApp(database)
    const listening = await listen(app, { host: '127.0.0.1', port: 0, proxies: trustedProxies('10.0.0.5') })
    const statuses = new Set<number>()
    for (let at = 0; at < 40; at++) {
      const authorization = `Bearer rk_${'a'.repeat(12)}_${String(at).padStart(43, 'x')}`
      const headers = { authorization, 'x-forwarded-for': `203.0.113.${at}` }
      statuses.add((await fetch(`http://127.0.0.1:${listening.address.port}/api/me`, { headers })).status)
    }
    expect([...statuses]).toEqual([401, 429])
    await listening.close(0)
  })

  it('are disconnected when idle', async () => {
    const listening = await listen(createTestApp(database), { host: '127.0.0.1', port: 0, idleTimeoutMs: 100 })
    const socket = connect(listening.address.port, '127.0.0.1').on('error', () => {})
    const headers = `authorization: Bearer ${key}\r\ntransfer-encoding: chunked\r\n`
    socket.write(`POST /api/recall HTTP/1.1\r\nhost: x\r\n${headers}\r\n`)
    await closed(socket)
    await listening.close(0)
  })
})

/** A reset counts as well. */
function closed(socket: Socket): Promise<unknown> {
  return new Promise((resolve) => socket.once('close', resolve).resume())
}

function shareOf(id: string, target = 'user:zoe') {
  return { subject: { kind: 'memory', id }, with: target, permission: 'read' }
}
