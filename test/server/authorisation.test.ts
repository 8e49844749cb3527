// Who may do what, made from the table of routes: every route with every role in every kind of space with every kind of key. What is
// expected is worked out here, from the rule alone. And what others have never stands in any answer.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixedClock, systemClock } from '../../src/core/clock.ts'
import { checkKey } from '../../src/server/check-key.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import type { HttpApp } from '../../src/server/http/app.ts'
import { newMemory } from '../../src/server/http/memory-input.ts'
import type { Route } from '../../src/server/http/route.ts'
import { routes } from '../../src/server/http/routes.ts'
import { applyBatch } from '../../src/server/push/apply-batch.ts'
import { revokeKey } from '../../src/server/store/keys.ts'
import { setMember } from '../../src/server/store/teams.ts'
import { bucketOf } from '../../src/sync/item-hash.ts'
import { type AccessRole, roles } from '../../src/sync/protocol.ts'
import { type OpenedDatabase, serverDatabase } from './databases.ts'
import { addKey, addTeam, addUser, ask, createTestApp, type TestResponse } from './test-app.ts'

const keyStates = ['good', 'revoked', 'expired', 'unknown', 'none'] as const
type KeyState = (typeof keyStates)[number]

/** Ada's spaces with the role that she has there, and those that are not hers. */
const spaces: Record<string, { role: AccessRole; kind: 'personal' | 'shared' | 'team' } | 'foreign'> = {
  me: { role: 'admin', kind: 'personal' },
  shared: { role: 'reader', kind: 'shared' },
  'team:as-reader': { role: 'reader', kind: 'team' },
  'team:as-writer': { role: 'writer', kind: 'team' },
  'team:as-admin': { role: 'admin', kind: 'team' },
  'team:limited': { role: 'writer', kind: 'team' },
  'team:foreign': 'foreign',
  'team:there-is-none': 'foreign',
  'user:zoe': 'foreign',
  ZOES_OWN: 'foreign',
}

interface Sample {
  /** Statuses of who may; each of the requests can be made again and again. */
  passes: number[]
  params?: Record<string, string>
  query?: string
  body?: unknown
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1.0.0' } },
}

const samples: Record<string, Sample> = {
  health: { passes: [200] },
  ready: { passes: [200] },
  openapi: { passes: [200] },
  metrics: { passes: [200] },
  me: { passes: [200] },
  users: { passes: [200] },
  teams: { passes: [200] },
  listKeys: { passes: [200] },
  revokeKey: { passes: [404], params: { id: 'notakeyofada' } },
  recall: { passes: [200], body: { query: 'canary of the lighthouse', limit: 100 } },
  listShares: { passes: [200] },
  share: { passes: [201], body: { subject: { kind: 'tag', tag: 'sea' }, with: 'user:zoe', permission: 'read' } },
  unshare: { passes: [200], params: { id: 'share:none' } },
  answerShare: { passes: [404], body: { from: 'zoe', id: 'share:none', answer: 'accept' } },
  pull: { passes: [200], query: '?after=0' },
  push: { passes: [200], body: { items: [{ id: 'm-gone', kind: 'memory', base: null, document: null }] } },
  summary: { passes: [200] },
  bucket: { passes: [200], params: { bucket: '7' } },
  listMemories: { passes: [200] },
  addMemory: { passes: [200, 201], body: { text: 'The harbour is green at night' } },
  getMemory: { passes: [200], params: { id: 'm-open' } },
  changeMemory: { passes: [200], params: { id: 'm-open' }, body: { importance: 0.7 } },
  deleteMemory: { passes: [200], params: { id: 'm-gone' } },
  listLinks: { passes: [200], params: { id: 'm-open' } },
  addLink: { passes: [201, 409], params: { id: 'm-open' }, body: { type: 'see-also', to: 'm-other' } },
  removeLink: { passes: [200, 404], params: { id: 'm-open', type: 'part-of', to: 'm-other' } },
  tags: { passes: [200] },
  projects: { passes: [200] },
  stats: { passes: [200] },
  listMembers: { passes: [200] },
  setMember: { passes: [200], params: { user: 'tim' }, body: { role: 'reader' } },
  removeMember: { passes: [200], params: { user: 'yan' } },
  audit: { passes: [200] },
  mcp: { passes: [200], body: initialize },
  mcpStream: { passes: [405] },
  mcpEnd: { passes: [405] },
}

interface Expected {
  statuses: number[]
  code?: string
}

/** The rule, said once more. */
function expectedOf(route: Route, state: KeyState, key: AccessRole, space: string): Expected {
  const passes = { statuses: samples[route.name]!.passes }
  const { access: need } = route
  if (need.kind === 'open') return passes
  if (state !== 'good') return { statuses: [401], code: `key_${state === 'none' ? 'missing' : state}` }
  if (need.kind === 'key') {
    if (['share', 'unshare', 'answerShare'].includes(route.name) && key === 'reader')
      return { statuses: [403], code: 'role' }
    if (route.name === 'revokeKey' && key !== 'admin') return { statuses: [403], code: 'role' }
    return passes
  }
  const access = spaces[space]!
  if (access === 'foreign' || (need.isTeamOnly && access.kind !== 'team'))
    return { statuses: [404], code: 'unknown_space' }
  const role = access.kind === 'shared' && need.isDecidedByItem ? key : lesser(key, access.role)
  if (roles.indexOf(role) < roles.indexOf(need.role)) return { statuses: [403], code: 'role' }
  if (access.kind === 'shared' && route.name === 'addMemory') return { statuses: [403], code: 'not_allowed' }
  return passes
}

function lesser(one: AccessRole, other: AccessRole): AccessRole {
  return roles[Math.min(roles.indexOf(one), roles.indexOf(other))]!
}

it('has an example of every route', () => {
  expect(routes.map(({ name }) => name).sort()).toEqual(Object.keys(samples).sort())
})

it('declares the access of every route', () => {
  const needs = Map.groupBy(routes, ({ access }) => (access.kind === 'space' ? access.role : access.kind))
  expect(
    Object.fromEntries([...needs].map(([need, those]) => [need, those.map(({ name }) => name).join(' ')])),
  ).toEqual({
    open: 'health ready openapi',
    key: 'metrics me users teams listKeys revokeKey recall listShares share unshare answerShare mcp mcpStream mcpEnd',
    reader: 'pull summary bucket listMemories getMemory listLinks tags projects stats',
    writer: 'push addMemory changeMemory deleteMemory addLink removeLink',
    admin: 'listMembers setMember removeMember audit',
  })
})

describe.each([serverDatabase])('on $name', ({ open }) => {
  let opened: OpenedDatabase
  let httpApp: HttpApp
  const keys = {} as Record<KeyState, Record<AccessRole, string>>
  let zoesOwn: string
  let zoesKey: string
  let requests = 0

  beforeAll(async () => {
    opened = await open()
    const { database } = opened
    for (const name of ['ada', 'zoe', 'tim', 'yan']) await addUser(database, name)
    for (const role of roles) await addTeam(database, `as-${role}`, { ada: role, zoe: 'admin' })
    await addTeam(database, 'limited', { zoe: 'admin' })
    await setMember(database, { team: 'limited', user: 'ada', role: 'writer', projects: ['git.example/open'] })
    await addTeam(database, 'foreign', { zoe: 'admin' })
    await plant(database)
    await makeKeys(database)
    httpApp = createTestApp(database)
  })
  afterAll(() => opened.stop())

  /** Zoe writes what Ada may see (`m-open`, `m-other`) and what she may not (whatever says canary). */
  async function plant(database: ServerDatabase): Promise<void> {
    const zoe = (await addKey(database, 'zoe')).text
    const own = (await addKey(database, 'ada')).text
    await write(database, own, 'me', 'm-open', 'The lighthouse of ada', 'sea')
    await write(database, own, 'me', 'm-other', 'Another thing of ada', 'sea')
    for (const space of Object.keys(spaces).filter((name) => /^team:(?:as|limited)/.test(name))) {
      await write(database, zoe, space, 'm-open', `The lighthouse of ${space}`, 'sea')
      await write(database, zoe, space, 'm-other', `Another thing of ${space}`, 'sea')
    }
    await write(database, zoe, 'team:foreign', 'm-canary-foreign', 'canary of the lighthouse', 'canary-tag')
    await write(database, zoe, 'me', 'm-canary-own', 'canary of the lighthouse', 'canary-tag')
    await write(database, zoe, 'me', 'm-open', 'canary under a known id', 'canary-tag')
    await write(
      database,
      zoe,
      'team:limited',
      'm-canary-project',
      'canary of the lighthouse',
      'canary-tag',
      'canary/project',
    )
    await write(
      database,
      zoe,
      'team:limited',
      'm-canary-deleted',
      'canary of the lighthouse, too',
      'x',
      'canary/project',
    )
    await remove(database, zoe, 'team:limited', 'm-canary-deleted')
    const shared = { kind: 'memory', id: 'm-shared' } as const
    await write(database, zoe, 'me', 'm-shared', 'What zoe shares with ada', 'sea')
    const document = { subject: shared, with: 'user:ada', permission: 'write' as const }
    await push(database, zoe, 'me', [{ id: 'share:ada', kind: 'share', base: null, document }])
    zoesKey = zoe
    const known = await checkKey(database, systemClock, zoe)
    zoesOwn = known.kind === 'known' ? known.caller.spaces.get('me')!.spaceId : ''
  }

  async function push(database: ServerDatabase, key: string, space: string, items: Parameters<typeof applyBatch>[2]) {
    const known = await checkKey(database, systemClock, key)
    const access = known.kind === 'known' ? known.caller.spaces.get(space)! : undefined
    const results = await applyBatch({ database, clock: systemClock, version: '1' }, access!, items)
    expect(results).toMatchObject(items.map(() => ({ status: 'stored' })))
    return results
  }

  function write(
    database: ServerDatabase,
    key: string,
    space: string,
    id: string,
    text: string,
    tag: string,
    project = 'git.example/open',
  ) {
    const document = newMemory({ text, tags: [tag], project, trust: 'user said' }, fixedClock('2026-09-01T10:00:00Z'))
    return push(database, key, space, [{ id, kind: 'memory', base: null, document }])
  }

  async function remove(database: ServerDatabase, key: string, space: string, id: string): Promise<void> {
    const found = await ask(createTestApp(database), 'DELETE', `/api/spaces/${space}/memories/${id}`, { key })
    expect(found.status).toBe(200)
  }

  async function makeKeys(database: ServerDatabase): Promise<void> {
    for (const state of keyStates) keys[state] = {} as Record<AccessRole, string>
    for (const role of roles) {
      keys.good[role] = (await addKey(database, 'ada', role)).text
      const revoked = await addKey(database, 'ada', role)
      await revokeKey(database, revoked.id)
      keys.revoked[role] = revoked.text
      keys.expired[role] = (await addKey(database, 'ada', role, '2020-01-01T00:00:00.000Z')).text
      keys.unknown[role] = `rk_${'q'.repeat(12)}_${role.padEnd(43, 'q')}`
      keys.none[role] = ''
    }
  }

  function request(route: Route, space: string, key: string): Promise<TestResponse> {
    const { params = {}, query = '', body } = samples[route.name]!
    const shared = space === 'shared' ? { ...params, ...(params.id === 'm-open' ? { id: 'm-shared' } : {}) } : params
    const named: Record<string, string> = { space: space === 'ZOES_OWN' ? zoesOwn : space, ...shared }
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(named[name]!))
    const accept = { accept: 'application/json, text/event-stream' }
    return ask(httpApp, route.method, `${path}${query}`, {
      key,
      body,
      headers: accept,
      address: `10.0.0.${requests++}`,
    })
  }

  it.each(routes.map((route) => [route.name, route] as const))('%s', async (_, route) => {
    const wrong: string[] = []
    for (const space of route.access.kind === 'space' ? Object.keys(spaces) : ['me'])
      for (const state of keyStates)
        for (const role of roles) {
          const { statuses, code } = expectedOf(route, state, role, space)
          const answer = await request(route, space, keys[state][role])
          const isRight = statuses.includes(answer.status) && (!code || answer.json?.error?.code === code)
          if (!isRight || /canary/i.test(answer.text) || answer.text.includes(zoesKey))
            wrong.push(`${role} key (${state}) in ${space}: ${answer.status} ${answer.text.slice(0, 200)}`)
        }
    expect(wrong).toEqual([])
  })

  describe('no response contains items of other users', () => {
    const hidden = ['m-canary-foreign', 'm-canary-own', 'm-canary-project', 'm-canary-deleted']

    it('asked by its id', async () => {
      for (const space of Object.keys(spaces))
        for (const id of hidden)
          for (const end of ['', '/links']) {
            const answer = await ask(httpApp, 'GET', `/api/spaces/${space}/memories/${id}${end}`, {
              key: keys.good.admin,
            })
            expect(answer.status).toBe(404)
            expect(answer.text).not.toContain('canary')
          }
    })

    it('pulled, counted and listed by its bucket', async () => {
      for (const space of Object.keys(spaces)) {
        const buckets = hidden.map((id) => `buckets/${bucketOf(id)}`)
        const paths = ['pull?after=0', 'memories?limit=200', 'tags', 'projects', ...buckets]
        for (const path of paths) {
          const { text } = await ask(httpApp, 'GET', `/api/spaces/${space}/${path}`, { key: keys.good.admin })
          expect(text).not.toContain('canary')
        }
      }
    })

    it('searched for, in one space and in all', async () => {
      for (const space of [undefined, ...Object.keys(spaces)])
        for (const query of ['canary', 'canary lighthouse', '"canary of the lighthouse"']) {
          const body = { query, limit: 100, ...(space ? { space } : {}) }
          const answer = await ask(httpApp, 'POST', '/api/recall', { key: keys.good.admin, body })
          expect(answer.text).not.toContain('canary')
        }
    })

    it('asked for by tools', async () => {
      const calls = [
        ['memory_search', { query: 'canary lighthouse', limit: 50 }],
        ...hidden.map((id) => ['memory_get', { ids: [id] }] as const),
        ...Object.keys(spaces).map((space) => ['memory_list', { space, limit: 200 }] as const),
        ['memory_count', {}],
        ['memory_shares', {}],
      ] as const
      for (const [name, input] of calls) {
        const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }
        const headers = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' }
        const { status, text } = await ask(httpApp, 'POST', '/mcp', { key: keys.good.admin, body, headers })
        expect(status).toBe(200)
        const asked = ['canary lighthouse', ...hidden].reduce((rest, word) => rest.replaceAll(word, ''), text)
        expect(asked).not.toContain('canary')
      }
    })

    // The last one: what is written here has the ids of what is hidden.
    it('pushed against', async () => {
      const document = newMemory(
        { text: 'The song of the lighthouse', project: 'git.example/open', trust: 'imported' },
        fixedClock('2026-09-01T10:00:00Z'),
      )
      for (const space of ['me', 'shared', 'team:limited', 'team:as-writer'])
        for (const id of hidden) {
          const items = [
            {
              id,
              kind: 'memory',
              base: null,
              document: { ...document, text: `${id.replace('canary', 'song')} ${space}` },
            },
            { id, kind: 'memory', base: { version: 1, hash: 'guess' }, document: null },
          ]
          const { text } = await ask(httpApp, 'POST', `/api/spaces/${space}/push`, {
            key: keys.good.admin,
            body: { items },
          })
          expect(text.replaceAll(id, '')).not.toContain('canary')
        }
    })
  })
})
