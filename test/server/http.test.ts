// Responses of the HTTP API, on both databases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixedClock } from '../../src/core/clock.ts'
import type { HttpApp } from '../../src/server/http/app.ts'
import { trustedProxies } from '../../src/server/http/client-address.ts'
import { type HttpListener, listen } from '../../src/server/http/listen.ts'
import { revokeKey } from '../../src/server/store/keys.ts'
import { accountInfoSchema, pullPageSchema, pushResponseSchema } from '../../src/sync/protocol.ts'
import { databases, type OpenedDatabase, serverDatabase } from './databases.ts'
import { addKey, addTeam, addUser, ask, createTestApp } from './test-app.ts'

describe.each(databases)('on $name', ({ open }) => {
  let opened: OpenedDatabase
  let httpApp: HttpApp
  let ada: string
  let bob: string
  let adaKey: string
  beforeAll(async () => {
    opened = await open()
    const { database } = opened
    for (const name of ['ada', 'bob', 'eve']) await addUser(database, name)
    await addTeam(database, 'core', { ada: 'admin', bob: 'reader' })
    const key = await addKey(database, 'ada')
    ada = key.text
    adaKey = key.id
    bob = (await addKey(database, 'bob')).text
    httpApp = createTestApp(database)
  })
  afterAll(() => opened.stop())

  const memories = '/api/spaces/me/memories'

  async function added(text: string, more: object = {}, space = 'me'): Promise<string> {
    const {
      status,
      json,
      text: said,
    } = await ask(httpApp, 'POST', `/api/spaces/${space}/memories`, {
      key: ada,
      body: { text, ...more },
    })
    expect(status, said).toBe(201)
    return json.id
  }

  it('serves health and readiness without a key', async () => {
    expect(await ask(httpApp, 'GET', '/health')).toMatchObject({ status: 200, json: { status: 'ok' } })
    expect(await ask(httpApp, 'GET', '/ready')).toMatchObject({ status: 200 })
    for (const path of ['/api/me', '/metrics', '/mcp'])
      expect(await ask(httpApp, 'GET', path)).toMatchObject({ status: 401, json: { error: { code: 'key_missing' } } })
    expect(await ask(httpApp, 'GET', '/nothing/here')).toMatchObject({
      status: 404,
      json: { error: { code: 'no_route' } },
    })
  })

  it('GET /api/me returns user and spaces', async () => {
    const { json } = await ask(httpApp, 'GET', '/api/me', { key: bob })
    expect(accountInfoSchema.parse(json)).toMatchObject({
      user: 'bob',
      key: { role: 'admin' },
      spaces: [
        { name: 'me', role: 'admin' },
        { name: 'shared', role: 'reader' },
        { name: 'team:core', role: 'reader' },
      ],
    })
  })

  it('lists only teams and teammates of the caller', async () => {
    const { json } = await ask(httpApp, 'GET', '/api/users', { key: bob })
    expect(json.users).toEqual([
      { name: 'ada', teams: ['core'] },
      { name: 'bob', teams: ['core'] },
    ])
    expect((await ask(httpApp, 'GET', '/api/teams', { key: bob })).json).toEqual({
      teams: [{ name: 'core', role: 'reader', projects: null }],
    })
  })

  describe('memories', () => {
    it('are added, read, listed, changed and deleted', async () => {
      const id = await added('The lighthouse blinks every nine seconds', { tags: ['sea'], project: 'git.example/app' })
      expect(await ask(httpApp, 'GET', `${memories}/${id}`, { key: ada })).toMatchObject({
        status: 200,
        json: { id, version: 1, author: 'ada', document: { kind: 'fact', trust: 'imported', tags: ['sea'] } },
      })
      const listed = await ask(httpApp, 'GET', `${memories}?tag=sea&limit=1`, { key: ada })
      expect(listed.json).toMatchObject({ items: [{ id }], next: null })
      const changed = await ask(httpApp, 'PUT', `${memories}/${id}`, {
        key: ada,
        body: { text: 'The lighthouse blinks every ten seconds' },
        headers: { 'if-match': '"1"' },
      })
      expect(changed).toMatchObject({
        status: 200,
        json: { version: 2, document: { text: 'The lighthouse blinks every ten seconds', tags: ['sea'], version: 2 } },
      })
      for (const _ of ['once', 'and again'])
        expect(await ask(httpApp, 'DELETE', `${memories}/${id}`, { key: ada })).toMatchObject({
          status: 200,
          json: { id, isDeleted: true },
        })
      expect((await ask(httpApp, 'GET', `${memories}/${id}`, { key: ada })).status).toBe(404)
      expect((await ask(httpApp, 'DELETE', `${memories}/m-never`, { key: ada })).status).toBe(200)
    })

    it('are not overwritten after a concurrent change', async () => {
      const id = await added('The pier closes at noon in winter')
      await ask(httpApp, 'PUT', `${memories}/${id}`, { key: ada, body: { importance: 0.9 } })
      for (const [method, body] of [
        ['PUT', { importance: 0.1 }],
        ['DELETE', undefined],
      ] as const) {
        const late = await ask(httpApp, method, `${memories}/${id}`, { key: ada, body, headers: { 'if-match': '1' } })
        expect(late).toMatchObject({
          status: 409,
          json: { error: { code: 'conflict' }, current: { id, version: 2, document: { importance: 0.9 } } },
        })
      }
      const odd = await ask(httpApp, 'PUT', `${memories}/${id}`, {
        key: ada,
        body: { importance: 0.1 },
        headers: { 'if-match': 'yesterday' },
      })
      expect(odd).toMatchObject({ status: 400, json: { error: { code: 'if_match' } } })
    })

    it('with the same text return the existing one', async () => {
      const id = await added('Gulls nest on the roof of the pump house')
      const again = await ask(httpApp, 'POST', memories, {
        key: ada,
        body: { text: 'gulls nest on the roof of the PUMP house' },
      })
      expect(again).toMatchObject({ status: 200, json: { id } })
    })

    it('with a secret are refused by rule name, without the text', async () => {
      const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
      const answer = await ask(httpApp, 'POST', memories, { key: ada, body: { text: `The deploy token is ${secret}` } })
      expect(answer).toMatchObject({ status: 422, json: { error: { code: 'secret' } } })
      expect(answer.json.error.hint).toMatch(/^Seen: \S/)
      expect(answer.text).not.toContain(secret)
    })

    it('that are missing, of another kind or deleted are 404', async () => {
      for (const path of [`${memories}/m-unknown`, '/api/spaces/team:core/memories/m-unknown'])
        for (const [method, body] of [
          ['GET', undefined],
          ['PUT', { importance: 1 }],
        ] as const)
          expect((await ask(httpApp, method, path, { key: ada, body })).status).toBe(404)
    })
  })

  describe('links', () => {
    it('are added, listed from both ends, and removed', async () => {
      const from = await added('The crane is painted red since the storm')
      const to = await added('The crane was painted blue before the storm')
      const body = { type: 'supersedes', to }
      const links = `${memories}/${from}/links`
      expect(await ask(httpApp, 'POST', links, { key: ada, body })).toMatchObject({ status: 201 })
      expect(await ask(httpApp, 'POST', links, { key: ada, body })).toMatchObject({ status: 409 })
      expect(await ask(httpApp, 'POST', links, { key: ada, body: { ...body, to: from } })).toMatchObject({
        status: 422,
      })
      const seen = await ask(httpApp, 'GET', `${memories}/${to}/links`, { key: ada })
      expect(seen.json).toEqual({ links: [{ from, type: 'supersedes', to }] })
      expect((await ask(httpApp, 'DELETE', `${links}/supersedes/${to}`, { key: ada })).status).toBe(200)
      expect((await ask(httpApp, 'GET', links, { key: ada })).json).toEqual({ links: [] })
    })
  })

  describe('shares', () => {
    it('are created and deleted', async () => {
      const id = await added('The spare key of the boathouse hangs behind the oars')
      const body = { subject: { kind: 'memory', id }, with: 'user:bob', permission: 'read' }
      const made = await ask(httpApp, 'POST', '/api/shares', { key: ada, body })
      expect(made, made.text).toMatchObject({ status: 201, json: { kind: 'share' } })
      const again = await ask(httpApp, 'POST', '/api/shares', { key: ada, body })
      expect(again.json.id).toBe(made.json.id)
      expect((await ask(httpApp, 'GET', '/api/shares', { key: ada })).json.mine).toMatchObject([body])
      expect((await ask(httpApp, 'GET', '/api/shares', { key: bob })).json.withMe).toEqual([
        { user: 'ada', permission: 'read', items: 1 },
      ])
      const shared = `/api/spaces/shared/memories/${id}`
      expect((await ask(httpApp, 'GET', shared, { key: bob })).json).toMatchObject({
        sharedBy: { user: 'ada', isMine: false, permission: 'read' },
      })
      expect((await ask(httpApp, 'PUT', shared, { key: bob, body: { importance: 0.1 } })).status).toBe(403)
      expect((await ask(httpApp, 'DELETE', `/api/shares/${made.json.id}`, { key: bob })).status).toBe(200)
      expect((await ask(httpApp, 'GET', shared, { key: bob })).status).toBe(200)
      for (const _ of ['once', 'and again'])
        expect((await ask(httpApp, 'DELETE', `/api/shares/${made.json.id}`, { key: ada })).status).toBe(200)
      expect((await ask(httpApp, 'GET', shared, { key: bob })).status).toBe(404)
    })

    it('with write permission let others change the memory', async () => {
      const id = await added('The ferry leaves from the second jetty')
      const body = { subject: { kind: 'memory', id }, with: 'user:bob', permission: 'write' }
      await ask(httpApp, 'POST', '/api/shares', { key: ada, body })
      const changed = await ask(httpApp, 'PUT', `/api/spaces/shared/memories/${id}`, {
        key: bob,
        body: { text: 'The ferry leaves from the third jetty' },
      })
      expect(changed, changed.text).toMatchObject({ status: 200 })
      expect((await ask(httpApp, 'GET', `${memories}/${id}`, { key: ada })).json).toMatchObject({
        author: 'bob',
        document: { text: 'The ferry leaves from the third jetty' },
      })
    })

    it.each([
      ['oneself', 400, { with: 'user:ada' }],
      ['an unknown user', 404, { subject: { kind: 'memory', id: 'm-unknown' } }],
      ['what is no target', 422, { with: 'everybody' }],
    ])('with %s are refused with %i', async (_, status, odd) => {
      const id = await added(`A memory to be shared oddly: ${status}`)
      const usual = { subject: { kind: 'memory', id }, with: 'team:core', permission: 'read' }
      expect((await ask(httpApp, 'POST', '/api/shares', { key: ada, body: { ...usual, ...odd } })).status).toBe(status)
    })
  })

  it('POST /api/recall searches the spaces of the caller', async () => {
    const id = await added('The fog horn of the north tower needs compressed air', {}, 'team:core')
    const query = { query: 'what does the fog horn need' }
    expect((await ask(httpApp, 'POST', '/api/recall', { key: bob, body: query })).json.items).toMatchObject([
      { space: 'team:core', id },
    ])
    const none = await ask(httpApp, 'POST', '/api/recall', { key: bob, body: { ...query, space: 'me' } })
    expect(none.json.items).toEqual([])
    const foreign = await ask(httpApp, 'POST', '/api/recall', { key: bob, body: { ...query, space: 'team:other' } })
    expect(foreign).toMatchObject({ status: 404, json: { error: { code: 'unknown_space' } } })
  })

  describe('push and pull', () => {
    it('follow the sync protocol', async () => {
      const document = (
        await ask(httpApp, 'GET', `${memories}/${await added('Ropes are changed in May')}`, { key: ada })
      ).json.document
      const item = {
        id: 'm-pushed',
        kind: 'memory',
        base: null,
        document: { ...document, text: 'Ropes are dried in June' },
      }
      const pushed = await ask(httpApp, 'POST', '/api/spaces/me/push', { key: ada, body: { items: [item] } })
      expect(pushResponseSchema.parse(pushed.json).results).toMatchObject([
        { status: 'stored', id: 'm-pushed', version: 1 },
      ])
      const pulled = await ask(httpApp, 'GET', '/api/spaces/me/pull?after=0&limit=500', { key: ada })
      expect(pullPageSchema.parse(pulled.json).items.at(-1)).toMatchObject({ id: 'm-pushed' })
      const summary = await ask(httpApp, 'GET', '/api/spaces/me/summary', { key: ada })
      const [bucket] = summary.json.buckets[0]
      const items = await ask(httpApp, 'GET', `/api/spaces/me/buckets/${bucket}`, { key: ada })
      expect(items.json.items).toHaveLength(summary.json.buckets[0][1])
    })

    it.each([
      ['an unknown field', { items: [], secretly: 'canary-field' }],
      [
        'a key of a document',
        { items: [{ id: 'a', kind: 'memory', base: null, document: { 'canary-key': undefined, x: {} } }], y: 1 },
      ],
      ['what is no document', { items: [{ id: 'a', kind: 'memory', base: null, document: ['canary'] }] }],
      ['an id', { items: [{ id: 'canary id', kind: 'memory', base: null, document: {} }] }],
      ['a kind', { items: [{ id: 'a', kind: 'canary-kind', base: null, document: {} }] }],
    ])('never repeat what was sent: %s', async (_, body) => {
      const answer = await ask(httpApp, 'POST', '/api/spaces/me/push', { key: ada, body })
      expect(answer.status).toBe(422)
      expect(answer.text).not.toContain('canary')
    })

    it.each([
      ['no JSON', 400, 'hello'],
      ['nothing', 400, ''],
      ['a list', 422, '[]'],
      ['deep nesting', 422, `{"items":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
      ['too much', 413, `{"items":[],"more":"${'x'.repeat(2_000_001)}"}`],
    ])('take %s as %i', async (_, status, body) => {
      expect((await ask(httpApp, 'POST', '/api/spaces/me/push', { key: ada, body })).status).toBe(status)
    })

    it('limit bodies without a Content-Length', async () => {
      let sent = 0
      const endless = new ReadableStream({
        pull(controller) {
          sent += 100_000
          controller.enqueue(new Uint8Array(100_000).fill(0x20))
        },
      })
      const request = new Request('http://127.0.0.1/api/spaces/me/push', {
        method: 'POST',
        headers: { authorization: `Bearer ${ada}` },
        body: endless,
        duplex: 'half',
      })
      const response = await httpApp.fetch(request)
      expect(response.status).toBe(413)
      expect(sent).toBeLessThan(3_000_000)
    })
  })

  describe('members and audit', () => {
    it('require the role admin', async () => {
      const members = '/api/spaces/team:core/members'
      expect((await ask(httpApp, 'GET', members, { key: bob })).status).toBe(403)
      const body = { role: 'writer', projects: ['git.example/app'] }
      expect((await ask(httpApp, 'PUT', `${members}/eve`, { key: ada, body })).json).toEqual({ user: 'eve', ...body })
      expect((await ask(httpApp, 'PUT', `${members}/nobody`, { key: ada, body })).status).toBe(404)
      expect((await ask(httpApp, 'GET', members, { key: ada })).json.members).toMatchObject([
        { user: 'ada' },
        { user: 'bob' },
        { user: 'eve', ...body },
      ])
      for (const _ of ['once', 'and again'])
        expect((await ask(httpApp, 'DELETE', `${members}/eve`, { key: ada })).status).toBe(200)
      const { json } = await ask(httpApp, 'GET', '/api/spaces/team:core/audit?limit=2', { key: ada })
      expect(json.entries).toMatchObject([
        { user: 'ada', keyId: adaKey, action: 'team unmember', detail: { user: 'eve' } },
        { user: 'ada', action: 'team member' },
      ])
      const next = await ask(httpApp, 'GET', `/api/spaces/team:core/audit?before=${json.next}`, { key: ada })
      expect(next.json.entries.every(({ id }: { id: number }) => id < json.next)).toBe(true)
    })

    it('keep the last admin', async () => {
      const own = '/api/spaces/team:core/members/ada'
      const kept = { status: 409, json: { error: { code: 'last_admin' } } }
      expect(await ask(httpApp, 'DELETE', own, { key: ada })).toMatchObject(kept)
      expect(await ask(httpApp, 'PUT', own, { key: ada, body: { role: 'reader' } })).toMatchObject(kept)
    })

    it('remove the shares of a removed member', async () => {
      const { database } = opened
      await addUser(database, 'lea')
      const lea = (await addKey(database, 'lea')).text
      await ask(httpApp, 'PUT', '/api/spaces/team:core/members/lea', { key: ada, body: { role: 'writer' } })
      const said = { text: 'Lea knows where the spare lamp lies' }
      const { id } = (await ask(httpApp, 'POST', '/api/spaces/me/memories', { key: lea, body: said })).json
      const share = { subject: { kind: 'memory', id }, with: 'team:core', permission: 'read' }
      await ask(httpApp, 'POST', '/api/shares', { key: lea, body: share })
      const shared = async () =>
        (await ask(httpApp, 'GET', `/api/spaces/team:core/memories/${id}`, { key: ada })).status
      expect(await shared()).toBe(200)
      await ask(httpApp, 'DELETE', '/api/spaces/team:core/members/lea', { key: ada })
      expect(await shared()).toBe(404)
    })

    it('refuse admins who are limited to projects', async () => {
      const { database } = opened
      await addUser(database, 'tim')
      const members = '/api/spaces/team:core/members'
      const tim = (await addKey(database, 'tim')).text
      await ask(httpApp, 'PUT', `${members}/tim`, { key: ada, body: { role: 'admin', projects: ['git.example/app'] } })
      const body = { role: 'admin' }
      expect((await ask(httpApp, 'PUT', `${members}/tim`, { key: tim, body })).status).toBe(403)
      expect((await ask(httpApp, 'GET', '/api/spaces/team:core/audit', { key: tim })).status).toBe(403)
      await ask(httpApp, 'DELETE', `${members}/tim`, { key: ada })
    })
  })

  describe('keys', () => {
    it('are listed without secrets and revoked at once', async () => {
      const { id, text } = await addKey(opened.database, 'bob', 'reader')
      const listed = await ask(httpApp, 'GET', '/api/keys', { key: text })
      expect(listed.json.keys.map((key: { id: string }) => key.id)).toContain(id)
      expect(listed.text).not.toContain(text.slice(-20))
      expect((await ask(httpApp, 'DELETE', `/api/keys/${adaKey}`, { key: bob })).status).toBe(404)
      expect((await ask(httpApp, 'DELETE', `/api/keys/${adaKey}`, { key: text })).status).toBe(403)
      expect((await ask(httpApp, 'DELETE', `/api/keys/${id}`, { key: text })).status).toBe(200)
      expect(await ask(httpApp, 'GET', '/api/me', { key: text })).toMatchObject({
        status: 401,
        json: { error: { code: 'key_revoked' } },
      })
      const wrong = `${text.slice(0, -3)}${text.endsWith('AAA') ? 'BBB' : 'AAA'}`
      expect((await ask(httpApp, 'GET', '/api/me', { key: wrong })).json.error.code).toBe('key_unknown')
    })
  })

  describe('limits', () => {
    it('per key answer 429 with Retry-After', async () => {
      const clock = { ms: Date.parse('2026-09-01T10:00:00Z') }
      const limited = createTestApp(opened.database, { rate: { perSecond: 1, burst: 2 } }, { nowMs: () => clock.ms })
      const statuses = []
      for (let count = 0; count < 3; count++) statuses.push((await ask(limited, 'GET', '/api/me', { key: ada })).status)
      expect(statuses).toEqual([200, 200, 429])
      const refused = await ask(limited, 'GET', '/api/me', { key: ada })
      expect([refused.headers.get('retry-after'), refused.json.error.code]).toEqual(['1', 'too_many_requests'])
      expect((await ask(limited, 'GET', '/api/me', { key: bob })).status).toBe(200)
      clock.ms += 1000
      expect((await ask(limited, 'GET', '/api/me', { key: ada })).status).toBe(200)
    })

    it('for rejected keys apply per address, not to accepted keys', async () => {
      const limited = createTestApp(opened.database, {}, fixedClock('2026-09-01T10:00:00Z'))
      const guess = (at: number) => `rk_${'a'.repeat(12)}_${String(at).padStart(43, 'x')}`
      expect((await ask(limited, 'GET', '/api/me', { key: ada })).status).toBe(200)
      const statuses = new Set<number>()
      for (let at = 0; at < 40; at++) statuses.add((await ask(limited, 'GET', '/api/me', { key: guess(at) })).status)
      expect([...statuses]).toEqual([401, 429])
      expect((await ask(limited, 'GET', '/api/me', { key: ada })).status).toBe(200)
      expect((await ask(limited, 'GET', '/api/me', { key: guess(0), address: '10.0.0.9' })).status).toBe(401)
      const { id, text } = await addKey(opened.database, 'bob')
      await ask(limited, 'GET', '/api/me', { key: text, address: '10.0.0.9' })
      await revokeKey(opened.database, id)
      expect((await ask(limited, 'GET', '/api/me', { key: text })).status).toBe(401)
    })

    it('for concurrent requests do not apply to health checks', async () => {
      const limited = createTestApp(opened.database, { maxRequests: 2 })
      // Without a query of its own, so that the limit per key is not reached first.
      const paths = [...Array<string>(4).fill('/api/teams'), '/health', '/ready']
      const answers = await Promise.all(paths.map((path) => ask(limited, 'GET', path, { key: ada })))
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 503, 200, 200])
      expect(answers[2]!.headers.get('retry-after')).toBe('1')
    })
  })

  it('logs and counts each request without content', async () => {
    const lines: Record<string, unknown>[] = []
    const logged = createTestApp(opened.database, { log: (line) => lines.push(line) })
    const id = await added('A memory that no log may name')
    await ask(logged, 'GET', `${memories}/${id}?`, { key: ada })
    await ask(logged, 'POST', '/api/recall', { key: ada, body: { query: 'canary words' } })
    await ask(logged, 'GET', '/canary/path?canary=1')
    expect(lines).toMatchObject([
      { method: 'GET', route: '/api/spaces/{space}/memories/{id}', status: 200, key: adaKey, bytes: 0 },
      { method: 'POST', route: '/api/recall', status: 200, user: expect.any(Number), bytes: 24 },
      { method: 'GET', route: 'none', status: 404 },
    ])
    expect(Object.keys(lines[0]!)).toEqual(['time', 'id', 'method', 'route', 'status', 'ms', 'user', 'key', 'bytes'])
    const said = JSON.stringify(lines)
    // In quotes: ids are random, and some have her name in them.
    for (const word of [id, 'canary', '"ada"', ada]) expect(said).not.toContain(word)
    const { text, headers } = await ask(logged, 'GET', '/metrics', { key: ada })
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect(text).toContain('recollect_requests_total{route="/api/recall",method="POST",status="200"} 1\n')
    expect(text).toContain('recollect_request_seconds_count{route="none"} 1\n')
    expect(text).toMatch(/^recollect_recalls_total 1$/m)
    for (const word of [id, 'canary', 'ada']) expect(text).not.toContain(word)
  })

  it('logs unexpected errors and hides them from the response', async () => {
    const lines: Record<string, unknown>[] = []
    const { database } = opened
    const broken = {
      ...database,
      name: database.name,
      close: () => database.close(),
      transaction: database.transaction.bind(database),
      query: async () => {
        throw Object.assign(new Error('canary in the words of the database'), { code: '22P02' })
      },
    }
    const httpApp = createTestApp(broken, { log: (line) => lines.push(line) })
    const answer = await ask(httpApp, 'GET', '/api/me', { key: ada })
    expect(answer).toMatchObject({ status: 500, json: { error: { code: 'internal' } } })
    expect(lines[0]).toMatchObject({ error: 'Error', code: '22P02', id: answer.headers.get('x-request-id') })
    expect(answer.text).toContain(String(lines[0]!.id))
    expect(answer.text + JSON.stringify(lines)).not.toContain('canary')
    expect((await ask(httpApp, 'GET', '/ready')).status).toBe(503)
    expect((await ask(httpApp, 'GET', '/health')).status).toBe(200)
  })
})

describe('listen', () => {
  let opened: OpenedDatabase
  let listening: HttpListener
  let key: string
  beforeAll(async () => {
    opened = await serverDatabase.open()
    await addUser(opened.database, 'ada')
    key = (await addKey(opened.database, 'ada')).text
    listening = await listen(createTestApp(opened.database), { host: '127.0.0.1', port: 0, proxies: trustedProxies() })
  })
  afterAll(async () => {
    await listening.close(1000)
    await opened.stop()
  })

  const url = (path: string) => `http://127.0.0.1:${listening.address.port}${path}`

  function post(path: string, size: number, headers: Record<string, string>): Promise<Response> {
    return fetch(url(path), { method: 'POST', headers, body: ' '.repeat(size) })
  }

  function chunked(path: string, size: number, headers: Record<string, string>): Promise<Response> {
    const body = new Blob([' '.repeat(size)]).stream()
    return fetch(url(path), { method: 'POST', headers, body, duplex: 'half' })
  }

  it('answers 413 to large bodies and serves the next request', async () => {
    const headers = { authorization: `Bearer ${key}` }
    for (const send of [post, chunked]) {
      expect((await send('/api/recall', 300_000, headers)).status).toBe(413)
      expect((await send('/api/spaces/me/push', 2_100_000, headers)).status).toBe(413)
      expect((await send('/api/spaces/me/push', 1_900_000, headers)).status).toBe(400)
      expect((await send('/api/spaces/me/push', 1_900_000, {})).status).toBe(401)
      expect((await send('/nothing', 1_900_000, headers)).status).toBe(404)
      expect((await fetch(url('/api/me'), { headers })).status).toBe(200)
    }
  })

  it('sets Content-Length, and sends no body for HEAD', async () => {
    const answer = await fetch(url('/health'))
    expect(answer.headers.get('content-length')).toBe('15')
    const head = await fetch(url('/health'), { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('uses the last X-Forwarded-For address', async () => {
    const guess = (at: number, address: string) =>
      fetch(url('/api/me'), {
        headers: {
          authorization: `Bearer rk_${'a'.repeat(12)}_${String(at).padStart(43, 'x')}`,
          'x-forwarded-for': `10.9.9.${at}, ${address}`,
        },
      })
    for (let at = 0; at < 40; at++) await guess(at, '10.0.0.1')
    expect((await guess(0, '10.0.0.1')).status).toBe(429)
    expect((await guess(0, '10.0.0.2')).status).toBe(401)
  })
})
