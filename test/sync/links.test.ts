// Links are part of a memory: set on a machine or on the server, they hold on all machines of the
// user, and a superseded memory is superseded everywhere.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { undo } from '../../src/learn/change.ts'
import { linkMemories, linksOfMemory, unlinkMemories } from '../../src/learn/links.ts'
import type { LinkType } from '../../src/memory/links.ts'
import { proofDatabases } from '../server/databases.ts'
import { addKey, ask, type TestResponse } from '../server/test-app.ts'
import type { TestMachine } from './machines.ts'
import { openTestServer, syncUntilStable, type TestServer } from './test-server.ts'

describe.each(proofDatabases)('links on $name', ({ open }) => {
  let server: TestServer
  let laptop: TestMachine
  let desk: TestMachine

  beforeEach(async () => {
    server = await openTestServer(open)
    laptop = await server.joined('laptop')
    desk = await server.joined('desk')
    laptop.write(
      { id: 'm-old', text: 'The harbour closes at ten' },
      { id: 'm-new', text: 'The harbour closes at eleven' },
      { id: 'm-why', text: 'The guard of the lighthouse goes home by bus' },
    )
    await syncUntilStable(laptop, desk)
  })
  afterEach(() => server?.close())

  const link = (of: TestMachine, from: string, type: LinkType, to: string) =>
    linkMemories(of.context, { from, type, to })
  const links = (of: TestMachine, id: string) =>
    linksOfMemory(of.ledger, of.memory(id)!).map(({ from, type, to }) => `${from} ${type} ${to}`)
  const path = (id: string, rest = '') => `/api/spaces/me/memories/${id}/links${rest}`
  const rest = (method: string, id: string, body?: object, more = ''): Promise<TestResponse> =>
    ask(server.httpApp, method, path(id, more), { key: laptop.key, ...(body ? { body } : {}) })
  const onServer = async (id: string) =>
    ((await rest('GET', id)).json.links as { from: string; type: string; to: string }[]).map(
      ({ from, type, to }) => `${from} ${type} ${to}`,
    )

  it('SPEC B.37: a link set on a machine is on the server and on the other machine', async () => {
    link(laptop, 'm-new', 'supersedes', 'm-old')
    link(laptop, 'm-new', 'see-also', 'm-why')
    link(laptop, 'm-why', 'part-of', 'm-new')
    await syncUntilStable(laptop, desk)
    const all = ['m-new supersedes m-old', 'm-new see-also m-why', 'm-why part-of m-new']
    expect(links(desk, 'm-new').toSorted()).toEqual(all.toSorted())
    expect((await onServer('m-new')).toSorted()).toEqual(all.toSorted())
    expect(desk.texts()).not.toContain('The harbour closes at ten')
    expect(desk.memory('m-old')).toMatchObject({ supersededBy: 'm-new' })

    unlinkMemories(desk.context, { from: 'm-new', type: 'see-also', to: 'm-why' })
    unlinkMemories(desk.context, { from: 'm-new', type: 'supersedes', to: 'm-old' })
    await syncUntilStable(desk, laptop)
    for (const found of [links(laptop, 'm-new'), await onServer('m-new')])
      expect(found).toEqual(['m-why part-of m-new'])
    expect(laptop.texts()).toContain('The harbour closes at ten')
    expect(await laptop.sync()).toMatchObject({ pushed: 0, pulled: 0 })
  })

  it('SPEC B.37: a link set over REST holds on the machines, which answer like the server', async () => {
    expect((await rest('POST', 'm-new', { type: 'supersedes', to: 'm-old' })).status).toBe(201)
    expect((await rest('POST', 'm-old', { type: 'resolved-by', to: 'm-why' })).status).toBe(201)
    await syncUntilStable(laptop, desk)
    for (const one of [laptop, desk]) {
      expect(one.texts()).not.toContain('The harbour closes at ten')
      expect(links(one, 'm-old')).toEqual(['m-new supersedes m-old', 'm-old resolved-by m-why'])
    }
    const body = { query: 'harbour closes' }
    const { json } = await ask(server.httpApp, 'POST', '/api/recall', { key: laptop.key, body })
    expect(json.items.map(({ id }: { id: string }) => id)).toEqual(['m-new'])
    expect((await rest('POST', 'm-new', { type: 'supersedes', to: 'm-old' })).status).toBe(409)
    expect((await rest('POST', 'm-old', { type: 'supersedes', to: 'm-new' })).status).toBe(422)
    expect((await rest('POST', 'm-old', { type: 'see-also', to: 'm-old' })).status).toBe(422)
    expect((await rest('DELETE', 'm-new', undefined, '/supersedes/m-old')).status).toBe(200)
    await syncUntilStable(laptop, desk)
    expect(desk.texts()).toContain('The harbour closes at ten')
  })

  it('SPEC B.39: counts redirects, attached memories and refused requests', async () => {
    await rest('POST', 'm-new', { type: 'supersedes', to: 'm-old' })
    await rest('POST', 'm-new', { type: 'resolved-by', to: 'm-why' })
    expect((await rest('POST', 'm-old', { type: 'supersedes', to: 'm-new' })).status).toBe(422)
    const { json } = await ask(server.httpApp, 'POST', '/api/recall', { key: laptop.key, body: { query: 'ten' } })
    expect(json.items).toMatchObject([{ id: 'm-new', foundBy: 'm-old' }])
    const { text } = await ask(server.httpApp, 'GET', '/metrics', { key: laptop.key })
    expect(text).toMatch(/^recollect_recall_redirects_total 1$/m)
    expect(text).toMatch(/^recollect_recall_attached_total 1$/m)
    expect(text).toMatch(/^recollect_problems_total\{code="link_cycle"\} 1$/m)
  })

  it('links of two machines are merged', async () => {
    link(laptop, 'm-new', 'see-also', 'm-why')
    link(desk, 'm-new', 'part-of', 'm-old')
    await syncUntilStable(laptop, desk)
    for (const one of [laptop, desk])
      expect(links(one, 'm-new').toSorted()).toEqual(['m-new part-of m-old', 'm-new see-also m-why'])
  })

  it('are undone on the machine and on the server', async () => {
    link(laptop, 'm-new', 'supersedes', 'm-old')
    await syncUntilStable(laptop, desk)
    undo(laptop.context)
    await syncUntilStable(laptop, desk)
    expect(desk.texts()).toContain('The harbour closes at ten')
    expect(await onServer('m-old')).toEqual([])
  })

  it('of shared memories can be set by their owner only', async () => {
    const { text: key } = await addKey(server.database, 'bob')
    const body = { subject: { kind: 'memory', id: 'm-new' }, with: 'team:core', permission: 'read' }
    await ask(server.httpApp, 'POST', '/api/shares', { key: laptop.key, body })
    await ask(server.httpApp, 'POST', '/api/shares', {
      key: laptop.key,
      body: { ...body, subject: { kind: 'memory', id: 'm-why' } },
    })
    const linked = await ask(server.httpApp, 'POST', '/api/spaces/team:core/memories/m-new/links', {
      key,
      body: { type: 'supersedes', to: 'm-why' },
    })
    expect(linked.status).toBe(403)
    await syncUntilStable(laptop)
    expect(laptop.memory('m-why')!.supersededBy).toBeNull()
  })
})
