import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SpaceAccess } from '../../src/server/context.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { applyBatch } from '../../src/server/push/apply-batch.ts'
import { listAudit } from '../../src/server/store/audit.ts'
import { itemById } from '../../src/server/store/items.ts'
import { pullItems } from '../../src/server/store/pull-items.ts'
import { deletedHash, hashOfDocument } from '../../src/sync/item-hash.ts'
import type { ItemDocument, PushedItem } from '../../src/sync/protocol.ts'
import { databases, type OpenedDatabase } from './databases.ts'
import { addMember, addPerson, baseOf, memory, pushedItem, servicesOn } from './sample-team.ts'

describe.each(databases)('push on $name', ({ open }) => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  let count = 0

  beforeAll(async () => {
    opened = await open()
    database = opened.database
  })
  afterAll(() => opened?.stop())

  const newPerson = () => addPerson(database, `person-${++count}`)
  const push = (access: SpaceAccess, items: PushedItem[]) => applyBatch(servicesOn(database), access, items)
  const lastSeq = async (access: SpaceAccess) => (await pullItems(database, access, { after: 0, limit: 500 })).cursor

  it('stores a repeated item once', async () => {
    const { me } = await newPerson()
    const document = memory('The port is 7718', { keywords: ['порт', '端口'] })
    const stored = { status: 'stored', id: 'm1', version: 1, hash: hashOfDocument(document) }
    expect(await push(me, [pushedItem('m1', document)])).toEqual([stored])
    expect(await push(me, [pushedItem('m1', document)])).toEqual([stored])
    expect(await itemById(database, me, 'm1')).toEqual({
      id: 'm1',
      kind: 'memory',
      seq: 1,
      version: 1,
      hash: hashOfDocument(document),
      document,
      author: `person-${count}`,
      sharedBy: null,
    })
    expect(await lastSeq(me)).toBe(1)
  })

  it('preserves the hash of a document', async () => {
    const { me } = await newPerson()
    const odd = { tiny: 5e-324, large: 1.7976931348623157e308, minus: -0, sum: 0.1 + 0.2, text: '\u2028 \\ " 😀' }
    const values = [odd, ...fc.sample(fc.jsonValue({ stringUnit: 'grapheme' }), { numRuns: 300 })]
    const documents = values.map((value, at) => ({
      ...memory(`Odd values ${at}`),
      later: value as ItemDocument[string],
    }))
    await push(
      me,
      documents.map((document, at) => pushedItem(`m${at}`, document)),
    )
    const { items } = await pullItems(database, me, { after: 0, limit: 500 })
    expect(items.map(({ document }) => hashOfDocument(document))).toEqual(documents.map(hashOfDocument))
    expect(items.map(({ hash }) => hash)).toEqual(documents.map(hashOfDocument))
  })

  it('returns the current item on a conflict', async () => {
    const { me } = await newPerson()
    const [first, mine, other] = [memory('A'), memory('A of mine'), memory('A of another')]
    await push(me, [pushedItem('m1', first)])
    await push(me, [pushedItem('m1', other, baseOf(1, first))])
    const [result] = await push(me, [pushedItem('m1', mine, baseOf(1, first))])
    expect(result).toMatchObject({ status: 'conflict', current: { version: 2, document: other } })
    expect(await itemById(database, me, 'm1')).toMatchObject({ version: 2, seq: 2, document: other })
  })

  it('ignores late requests after a change and after its undo', async () => {
    const { me } = await newPerson()
    const [first, changed] = [memory('A'), memory('B')]
    const change = pushedItem('m1', changed, baseOf(1, first))
    await push(me, [pushedItem('m1', first)])
    await push(me, [change])
    await push(me, [pushedItem('m1', first, baseOf(2, changed))])
    expect((await push(me, [change]))[0]).toMatchObject({
      status: 'conflict',
      current: { version: 3, document: first },
    })
    expect((await push(me, [pushedItem('m1', first)]))[0]).toMatchObject({ status: 'stored', version: 3 })
    expect(await lastSeq(me)).toBe(3)
  })

  it('keeps an empty tombstone that only a client which saw it can restore', async () => {
    const { me } = await newPerson()
    const document = memory('Gone tomorrow', { tags: ['x'] })
    await push(me, [pushedItem('m1', document)])
    const [deleted] = await push(me, [pushedItem('m1', null, baseOf(1, document))])
    expect(deleted).toEqual({ status: 'stored', id: 'm1', version: 2, hash: deletedHash })
    const rows = await database.query('SELECT * FROM items WHERE space_id = $1', [me.spaceId])
    expect(rows).toMatchObject([
      { document: null, hash: deletedHash, project: 'github.com/dev/app', tags: [], text_hash: null, search: null },
    ])
    expect((await push(me, [pushedItem('m1', document)]))[0]).toMatchObject({ status: 'conflict' })
    expect((await push(me, [pushedItem('m1', document, baseOf(1, document))]))[0]).toMatchObject({ status: 'conflict' })
    expect((await push(me, [pushedItem('m1', document, baseOf(2, null))]))[0]).toMatchObject({
      status: 'stored',
      version: 3,
    })
  })

  it('ignores deletion of an unknown item', async () => {
    const { me } = await newPerson()
    const [result] = await push(me, [pushedItem('never', null, { version: 7, hash: 'x' })])
    expect(result).toEqual({ status: 'stored', id: 'never', version: 7, hash: deletedHash })
    expect(await itemById(database, me, 'never')).toBeUndefined()
  })

  it('accepts items lost by a restored backup with a higher version', async () => {
    const { me } = await newPerson()
    const [first, second] = [memory('A'), memory('A, later')]
    await push(me, [pushedItem('m1', first)])
    await push(me, [pushedItem('m1', second, baseOf(1, first))])
    await database.query('DELETE FROM items WHERE space_id = $1', [me.spaceId])
    await database.query('UPDATE spaces SET seq = 0 WHERE id = $1', [me.spaceId])
    const third = memory('A, last')
    expect((await push(me, [pushedItem('m1', third, baseOf(2, second))]))[0]).toMatchObject({
      status: 'stored',
      version: 3,
    })
  })

  it('detects equal versions of another history', async () => {
    const { me } = await newPerson()
    const [there, elsewhere] = [memory('Of the old backup'), memory('Seen before the restore')]
    await push(me, [pushedItem('m1', there)])
    const [result] = await push(me, [pushedItem('m1', memory('New'), baseOf(1, elsewhere))])
    expect(result).toMatchObject({ status: 'conflict', current: { document: there } })
  })

  it('returns the duplicate memory', async () => {
    const { me } = await newPerson()
    await push(me, [pushedItem('m1', memory('Use  pnpm'))])
    const [same, elsewhere, known] = await push(me, [
      pushedItem('m2', memory('use pnpm')),
      pushedItem('m3', memory('Use pnpm', { project: 'github.com/dev/other' })),
      pushedItem('m4', memory('Use pnpm'), { version: 1, hash: 'known before' }),
    ])
    expect(same).toMatchObject({ status: 'duplicate', id: 'm2', of: { id: 'm1', version: 1 } })
    expect(elsewhere).toMatchObject({ status: 'stored' })
    expect(known).toMatchObject({ status: 'stored', version: 2 })
  })

  it('accepts a text again after it was superseded, deleted or put into the inbox', async () => {
    const { me } = await newPerson()
    const said = memory('Deploy on Fridays')
    const superseded = { supersededBy: 'm9', supersededAt: '2026-02-02T10:00:00.000Z' }
    await push(me, [
      pushedItem('m1', memory('Deploy on Fridays', superseded)),
      pushedItem('m2', memory('Deploy on Fridays', { state: 'inbox' })),
    ])
    expect((await push(me, [pushedItem('m3', said)]))[0]).toMatchObject({ status: 'stored' })
    expect((await push(me, [pushedItem('m4', said)]))[0]).toMatchObject({ status: 'duplicate', of: { id: 'm3' } })
    await push(me, [pushedItem('m3', null, baseOf(1, said))])
    expect((await push(me, [pushedItem('m4', said)]))[0]).toMatchObject({ status: 'stored' })
  })

  it('applies the same item twice in one batch in order', async () => {
    const { me } = await newPerson()
    const [first, second] = [memory('First'), memory('Second')]
    const results = await push(me, [
      pushedItem('m1', first),
      pushedItem('m2', memory('Between')),
      pushedItem('m1', second, baseOf(1, first)),
      pushedItem('m1', memory('Third'), baseOf(1, first)),
      pushedItem('m3', memory('second')),
      pushedItem('m3', first),
    ])
    expect(results.map(({ status }) => status)).toEqual([
      'stored',
      'stored',
      'stored',
      'conflict',
      'duplicate',
      'stored',
    ])
    expect(results[3]).toMatchObject({ current: { version: 2, document: second } })
    const { items } = await pullItems(database, me, { after: 0, limit: 10 })
    expect(items.map(({ id, seq, version }) => [id, seq, version])).toEqual([
      ['m2', 1, 1],
      ['m1', 2, 2],
      ['m3', 3, 1],
    ])
  })

  it('accepts 500 items in one batch', async () => {
    const { me } = await newPerson()
    const items = Array.from({ length: 500 }, (_, at) => pushedItem(`m${at}`, memory(`Statement number ${at}`)))
    const results = await push(me, items)
    expect(results.filter(({ status }) => status === 'stored')).toHaveLength(500)
    const page = await pullItems(database, me, { after: 0, limit: 500 })
    expect(page.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id))
    expect(page).toMatchObject({ cursor: 500, hasMore: false })
  })

  const key = `ghp_${'a1B2'.repeat(9)}`

  it('refuses one item without the others and reveals no secret', async () => {
    const { me } = await newPerson()
    const results = await push(me, [
      pushedItem('m1', memory(`The token is ${key}`)),
      pushedItem('m2', memory('Below', { evidence: [{ session: null, event: null, quote: `see ${key}` }] })),
      pushedItem('m3', { ...memory('In a key nobody knows'), later: { api_key: 'k3y-9f8e7d6c5b' } }),
      pushedItem('m4', { ...memory('x'), text: '' }),
      pushedItem('m5', { ...memory('Large'), later: 'x'.repeat(64_000) }),
      pushedItem('m6', { ...memory('NUL'), later: 'a\u0000b' }),
      pushedItem('m7', { ...memory('Half a pair'), '\ud800': 1 }),
      pushedItem('m8', { ...memory('Deep'), later: JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`) }),
      pushedItem('share:m9', memory('Not a share')),
      { id: 'm10', kind: 'practice', base: null, document: { title: 'A', content: 'B' } },
      pushedItem('m11', memory('Many versions'), { version: 2 ** 53 - 1, hash: 'x' }),
      pushedItem('m12', memory('Good')),
    ])
    expect(results.map((result) => (result.status === 'refused' ? result.reason : result.status))).toEqual([
      'secret',
      'secret',
      'secret',
      'invalid',
      'too large',
      'invalid',
      'invalid',
      'invalid',
      'invalid',
      'invalid',
      'invalid',
      'stored',
    ])
    expect(results[0]).toMatchObject({ rules: ['github-token'] })
    expect(JSON.stringify(results)).not.toContain(key)
    const everything = await database.query(`SELECT to_jsonb(item)::text || coalesce(
      (SELECT string_agg(detail::text, '') FROM audit), '') AS text FROM items item`)
    expect(everything.filter(({ text }) => String(text).includes(key))).toEqual([])
  })

  it('stores practices, patterns and sessions, and checks the kind', async () => {
    const { me } = await newPerson()
    const practice = { title: 'Name units', content: '# Name units' }
    const session = { part: 'usages', uid: 'codex:1', agent: 'codex', number: 0, usages: [] }
    expect(
      await push(me, [
        { id: 'practice:units', kind: 'practice', base: null, document: practice },
        { id: 'session:codex:1:u0', kind: 'session', base: null, document: session },
        { id: 'session:codex:1:u1', kind: 'session', base: null, document: { ...session, more: 'x'.repeat(250_000) } },
        { id: 'session:codex:1:u2', kind: 'session', base: null, document: { ...session, more: 'x'.repeat(260_000) } },
        { id: 'session:codex:1:u3', kind: 'session', base: null, document: practice },
      ]),
    ).toMatchObject([
      { status: 'stored' },
      { status: 'stored' },
      { status: 'stored' },
      { status: 'refused', reason: 'too large' },
      { status: 'refused', reason: 'invalid' },
    ])
  })

  it('allows readers to read only', async () => {
    const person = await newPerson()
    const reader = await addMember(database, `team-${count}`, person, { role: 'reader' })
    expect(await push(reader, [pushedItem('m1', memory('A'))])).toMatchObject([
      { status: 'refused', reason: 'not allowed' },
    ])
    expect(await push({ ...person.me, role: 'reader' }, [pushedItem('m1', memory('A'))])).toMatchObject([
      { status: 'refused', reason: 'not allowed' },
    ])
    expect(await lastSeq(person.me)).toBe(0)
  })

  it('limits members to their projects', async () => {
    const [one, two] = [await newPerson(), await newPerson()]
    const writer = await addMember(database, `team-${count}`, one)
    const limited = await addMember(database, `team-${count}`, two, { projects: ['github.com/dev/app'] })
    const secret = memory('Of another project', { project: 'github.com/dev/other' })
    await push(writer, [pushedItem('m1', secret)])
    const results = await push(limited, [
      pushedItem('m1', memory('Taken over'), null),
      pushedItem('m1', null, baseOf(1, secret)),
      pushedItem('m2', memory('Of another project', { project: 'github.com/dev/other' })),
      pushedItem('m3', memory('Of mine')),
      pushedItem('m4', memory('Of everybody', { project: null })),
    ])
    expect(results.map(({ status }) => status)).toEqual(['refused', 'refused', 'refused', 'stored', 'stored'])
    expect(JSON.stringify(results)).not.toContain('Of another project')
    const moved = memory('Of mine', { project: 'github.com/dev/other' })
    expect((await push(limited, [pushedItem('m3', moved, baseOf(1, memory('Of mine')))]))[0]).toMatchObject({
      status: 'refused',
    })
  })

  it('writes one audit entry per batch without content', async () => {
    const { me } = await newPerson()
    const document = memory('Secret of the audit')
    await push(me, [pushedItem('m1', document), pushedItem('m2', memory(key)), pushedItem('m3', memory('Other'))])
    await push(me, [pushedItem('m1', null, baseOf(1, document))])
    const entries = await listAudit(database, me, { limit: 10 })
    expect(entries).toMatchObject([
      { action: 'push', keyId: me.keyId, detail: { counts: { stored: 1 }, written: [], deleted: ['m1'] } },
      { action: 'push', detail: { counts: { stored: 2, refused: 1 }, written: ['m1', 'm3'], deleted: [] } },
    ])
    expect(JSON.stringify(entries)).not.toContain('Secret')
  })

  it('accepts an empty batch and rejects a deleted space', async () => {
    const { me } = await newPerson()
    expect(await push(me, [])).toEqual([])
    const gone = { ...me, spaceId: '00000000-0000-4000-8000-000000000000' }
    await expect(push(gone, [pushedItem('m1', memory('A'))])).rejects.toMatchObject({ status: 404 })
  })
})
