// Recall on the server: what is found, in which order, and what never is.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller, Services, SpaceAccess } from '../../src/server/context.ts'
import { applyBatch } from '../../src/server/push/apply-batch.ts'
import { type RecallRequest, recallItems } from '../../src/server/search/recall.ts'
import type { MemoryDocument } from '../../src/sync/documents.ts'
import { type OpenedDatabase, serverDatabase } from './databases.ts'
import { addMember, addPerson, memory, type Person, pushedItem, refreshCaller, servicesOn } from './sample-team.ts'

function callerOf(person: Person, ...others: SpaceAccess[]): Caller {
  const spaces = [person.me, person.shared, ...others].map((access) => [access.space, access] as const)
  const { userId, name: user } = person
  return { userId, user, keyId: 'key', role: 'admin', keyExpiresAt: null, spaces: new Map(spaces) }
}

describe.each([serverDatabase])('recallItems on $name', ({ open }) => {
  let opened: OpenedDatabase
  let services: Services
  let count = 0

  beforeAll(async () => {
    opened = await open()
    services = servicesOn(opened.database)
  })
  afterAll(() => opened.stop())

  /** Creates a user with these memories. */
  async function personWith(memories: Record<string, [text: string, changes?: Partial<MemoryDocument>]>) {
    const person = await addPerson(opened.database, `person-${++count}`)
    await store(person.me, memories)
    return person
  }

  async function store(
    access: SpaceAccess,
    memories: Record<string, [text: string, changes?: Partial<MemoryDocument>]>,
  ) {
    const items = Object.entries(memories).map(([id, [text, changes]]) => pushedItem(id, memory(text, changes)))
    const results = await applyBatch(services, access, items)
    expect(results.map(({ status }) => status)).toEqual(items.map(() => 'stored'))
  }

  async function ask(caller: Caller, query: string, options: Partial<RecallRequest> = {}) {
    const current = await refreshCaller(opened.database, caller)
    return recallItems(services, current, { query, limit: 10, sort: 'relevance', ...options })
  }

  async function found(caller: Caller, query: string, options: Partial<RecallRequest> = {}) {
    return (await ask(caller, query, options)).items.map(({ id }) => id)
  }

  it('ranks items with all terms before items with some', async () => {
    const person = await personWith({
      'm-some': ['The deploy runs at night'],
      'm-all': ['Deploys to staging need the VPN'],
      'm-none': ['Tests use a real database'],
    })
    expect(await found(callerOf(person), 'staging deploy')).toEqual(['m-all', 'm-some'])
  })

  it('weights rare terms higher', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`m-many-${n}`, [`The server number ${n + 100} is restarted on Mondays`]]),
    ) as Record<string, [string]>
    const person = await personWith({ ...many, 'm-rare': ['Redis keeps the carts'] })
    expect((await found(callerOf(person), 'redis server'))[0]).toBe('m-rare')
  })

  it('returns snippets like the local search', async () => {
    const owner = await personWith({ 'm-1': ['Invoices are rounded half up', { trust: 'agent said' }] })
    const { items, meaning } = await ask(callerOf(owner), 'invoices rounded')
    expect(meaning).toBe('off')
    expect(items).toMatchObject([
      {
        space: 'me',
        id: 'm-1',
        kind: 'memory',
        version: 1,
        project: 'github.com/dev/app',
        author: owner.name,
        ts: '2026-02-01T10:00:00.000Z',
        snippet: 'Invoices are rounded half up',
        trust: 'agent said',
        foundBy: null,
        supersededBy: null,
      },
    ])
  })

  it('prefers the more important of equal matches', async () => {
    const person = await personWith({
      'm-little': ['The linter is biome for scripts', { importance: 0.1 }],
      'm-much': ['The linter is biome for packages', { importance: 0.9 }],
    })
    expect(await found(callerOf(person), 'linter biome')).toEqual(['m-much', 'm-little'])
  })

  it('sorts by importance and time without poor matches', async () => {
    const person = await personWith({
      'm-old': ['The cache of images lies in Redis', { importance: 0.9, confirmedAt: '2026-01-01T00:00:00.000Z' }],
      'm-new': ['The cache of images is cleared weekly', { importance: 0.2, confirmedAt: '2026-02-20T00:00:00.000Z' }],
      'm-other': ['The weekly meeting', { importance: 1, confirmedAt: '2026-02-28T00:00:00.000Z' }],
    })
    const caller = callerOf(person)
    expect(await found(caller, 'cache of images weekly', { sort: 'importance' })).toEqual(['m-old', 'm-new'])
    expect(await found(caller, 'cache of images weekly', { sort: 'recency' })).toEqual(['m-new', 'm-old'])
  })

  it('ignores inbox and deleted items', async () => {
    const person = await personWith({
      'm-kept': ['Payments go through Adyen'],
      'm-inbox': ['Payments go through Stripe', { state: 'inbox' }],
      'm-gone': ['Payments are booked at noon'],
    })
    const caller = callerOf(person)
    const gone = (await ask(caller, 'payments booked noon')).items[0]!
    const { hash } = (
      await opened.database.query<{ hash: string }>('SELECT hash FROM items WHERE space_id = $1 AND id = $2', [
        person.me.spaceId,
        gone.id,
      ])
    )[0]!
    await applyBatch(services, person.me, [pushedItem('m-gone', null, { version: gone.version, hash })])
    expect(await found(caller, 'payments')).toEqual(['m-kept'])
  })

  it('searches only visible spaces and projects', async () => {
    const [ann, ben] = [
      await personWith({ 'm-ann': ['Grafana is at port 3000'] }),
      await personWith({ 'm-ben': ['Grafana needs a login'] }),
    ]
    const team = `ops-${count}`
    const anns = await addMember(opened.database, team, ann)
    const bens = await addMember(opened.database, team, ben, { role: 'reader', projects: ['github.com/dev/site'] })
    await store(anns, {
      'm-app': ['Grafana shows the app', { project: 'github.com/dev/app' }],
      'm-site': ['Grafana shows the site', { project: 'github.com/dev/site' }],
      'm-everyone': ['Grafana is run by the ops team', { project: null }],
    })
    const [asAnn, asBen] = [callerOf(ann, anns), callerOf(ben, bens)]
    expect((await found(asAnn, 'grafana')).sort()).toEqual(['m-ann', 'm-app', 'm-everyone', 'm-site'])
    expect((await found(asBen, 'grafana')).sort()).toEqual(['m-ben', 'm-everyone', 'm-site'])
    expect(await found(asBen, 'grafana', { project: 'github.com/dev/app', spaces: [bens.space] })).toEqual([])
    expect(await found(asBen, 'grafana', { spaces: ['me'] })).toEqual(['m-ben'])
    expect(await found(asBen, 'grafana', { spaces: ['team:nobody'] })).toEqual([])
  })

  it('shows a memory of several spaces once, preferring the own space', async () => {
    const person = await personWith({ 'm-twice': ['Releases are signed with minisign'] })
    const access = await addMember(opened.database, `release-${count}`, person)
    await store(access, { 'm-twice': ['Releases are signed with minisign'] })
    const { items } = await ask(callerOf(person, access), 'releases signed')
    expect(items.map(({ space, id }) => [space, id])).toEqual([['me', 'm-twice']])
  })

  it('shows different texts under the same id', async () => {
    const person = await personWith({ 'm-taken': ['Releases are signed with minisign'] })
    const access = await addMember(opened.database, `taken-${count}`, person)
    await store(access, { 'm-taken': ['Releases are signed, signed releases, by nobody'] })
    const { items } = await ask(callerOf(person, access), 'releases signed')
    expect(items.map(({ space }) => space).sort()).toEqual(['me', access.space].sort())
  })

  it('returns the superseding memory and the one that matched', async () => {
    const person = await personWith({
      'm-1': ['Builds run on Jenkins', { supersededBy: 'm-2', supersededAt: '2026-02-02T00:00:00.000Z' }],
      'm-2': ['Pipelines are on CircleCI', { supersededBy: 'm-3', supersededAt: '2026-02-03T00:00:00.000Z' }],
      'm-3': ['Actions do that now'],
    })
    const { items } = await ask(callerOf(person), 'jenkins builds')
    expect(items.map(({ id, foundBy }) => [id, foundBy])).toEqual([['m-3', 'm-1']])
  })

  it('follows supersedes links and stops at cycles', async () => {
    const person = await personWith({
      'm-old': ['Kafka carries the orders'],
      'm-new': ['Orders travel by NATS'],
      'm-x': ['Zookeeper elects', { supersededBy: 'm-y' }],
      'm-y': ['Consul decides', { supersededBy: 'm-x' }],
    })
    await link(person, 'm-new', 'supersedes', 'm-old')
    const caller = callerOf(person)
    expect((await ask(caller, 'kafka')).items.map(({ id, foundBy }) => [id, foundBy])).toEqual([['m-new', 'm-old']])
    expect(await found(caller, 'zookeeper')).toEqual(['m-y'])
  })

  it('shows a superseded memory if its successor is not visible', async () => {
    const person = await personWith({ 'm-1': ['Logs are kept in Loki', { supersededBy: 'm-not-there' }] })
    const { items } = await ask(callerOf(person), 'logs loki')
    expect(items).toMatchObject([{ id: 'm-1', supersededBy: 'm-not-there', foundBy: null }])
  })

  it('returns at most three resolutions', async () => {
    const person = await personWith({
      'm-bug': ['Uploads fail behind the proxy'],
      'm-fix-1': ['Raise client_max_body_size'],
      'm-fix-2': ['Chunked bodies are on'],
      'm-fix-3': ['Timeouts were doubled'],
      'm-fix-4': ['Retries happen thrice'],
    })
    for (const n of [1, 2, 3, 4]) await link(person, 'm-bug', 'resolved-by', `m-fix-${n}`)
    const { items, resolutions } = await ask(callerOf(person), 'uploads proxy', { limit: 1 })
    expect(items.map(({ id }) => id)).toEqual(['m-bug'])
    expect(resolutions).toHaveLength(3)
    expect(resolutions.every(({ resolves, id }) => resolves === 'm-bug' && id.startsWith('m-fix-'))).toBe(true)
  })

  it('supports phrases and excluded words', async () => {
    const person = await personWith({
      'm-near': ['The blue green switch is manual'],
      'm-apart': ['Green lights, then the blue button'],
    })
    const caller = callerOf(person)
    expect(await found(caller, '"blue green"')).toEqual(['m-near'])
    expect(await found(caller, 'green -button')).toEqual(['m-near'])
  })

  it('finds parts of identifiers, other languages, and single characters', async () => {
    const person = await personWith({
      'm-code': ["parseQuery throws on O\u2019Brien\\path and `it's`"],
      'm-han': ['日本語の設定は環境変数で行う'],
      'm-german': ['Die Datenbankverbindung läuft über TLS'],
      'm-emoji': ['Ship it \u{1f680} on green'],
    })
    const caller = callerOf(person)
    expect(await found(caller, 'parse query')).toEqual(['m-code'])
    expect(await found(caller, "O'Brien\\path")).toEqual(['m-code'])
    expect(await found(caller, '環境変数')).toEqual(['m-han'])
    expect(await found(caller, '設')).toEqual(['m-han'])
    expect(await found(caller, 'LÄUFT')).toEqual(['m-german'])
    expect(await found(caller, '\u{1f680}')).toEqual(['m-emoji'])
  })

  it.each([
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['operators', "a & | ! <-> :* ( ) '' \\ \" -- ; DROP TABLE items"],
    ['an open quote', '"green'],
    ['only what must not be there', '-green -"blue button"'],
    ['NUL and half a character', 'gre\u0000en \ud83d'],
    ['stop words', 'the of and'],
    ['10,000 characters', 'green words '.repeat(900)],
    ['10,000 quotes', '"\''.repeat(5000)],
    ['one long word', 'x'.repeat(10_000)],
    ['many phrases', '"a b c" "d e f" '.repeat(600)],
    ['per cent and underscore', '%_%'],
  ])('takes %s as a question', async (_, query) => {
    const person = await personWith({ 'm-1': ['Green means go'] })
    const { items } = await ask(callerOf(person), query)
    expect(items.length).toBeLessThanOrEqual(1)
  })

  it('finds rare and frequent terms in large spaces', async () => {
    const person = await personWith({ 'm-site': ['Frequent words of the site', { project: 'github.com/dev/site' }] })
    for (let batch = 0; batch < 9; batch++) {
      const items = Array.from({ length: 250 }, (_, n) =>
        pushedItem(`m-${batch}-${n}`, memory(`Frequent words say little of number ${batch * 250 + n + 1000}`)),
      )
      await applyBatch(services, person.me, items)
    }
    await store(person.me, { 'm-needle': ['Frequent words hide the periwinkle'] })
    const caller = callerOf(person)
    expect(await found(caller, 'periwinkle')).toEqual(['m-needle'])
    expect((await found(caller, 'frequent words periwinkle elsewhere'))[0]).toBe('m-needle')
    expect(await found(caller, 'frequent words')).toHaveLength(10)
    expect(await found(caller, 'number 1003')).toContain('m-0-3')
    expect(await found(caller, 'frequent words', { project: 'github.com/dev/site' })).toEqual(['m-site'])
  })

  async function link(person: Person, from: string, type: string, to: string) {
    await opened.database.query(
      'INSERT INTO links (space_id, from_id, type, to_id, created_by) VALUES ($1, $2, $3, $4, $5)',
      [person.me.spaceId, from, type, to, person.userId],
    )
  }
})
