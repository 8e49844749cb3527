// What changes between the beginning of a request and its end. One connection cannot wait for another on PGlite, so this is about
// PostgreSQL alone.
import { beforeEach, describe, expect, it } from 'vitest'
import type { Queries, ServerDatabase } from '../../src/server/database/database.ts'
import { applyBatch } from '../../src/server/push/apply-batch.ts'
import { addLink } from '../../src/server/push/link-memories.ts'
import { revokeKey } from '../../src/server/store/keys.ts'
import { listMembers, removeMember } from '../../src/server/store/teams.ts'
import { disableUser } from '../../src/server/store/users.ts'
import { type OpenedDatabase, postgres } from './databases.ts'
import { addMember, addPerson, memory, type Person, pushedItem, servicesOn, sharedItem } from './sample-team.ts'
import { addKey, ask, createTestApp } from './test-app.ts'
import { waitForBlockedQuery } from './wait-for-blocked-query.ts'

const { open } = postgres

describe('access changes while a request waits', () => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  let ada: Person
  beforeEach(async () => {
    opened = await open()
    database = opened.database
    ada = await addPerson(database, 'ada')
    return () => opened.stop()
  })

  /** `request` comes to wait for the spaces, `change` happens, and it goes on. */
  async function meanwhile<T>(
    request: () => Promise<T>,
    change: (queries: Queries) => Promise<unknown>,
    blockedQueries = 1,
  ): Promise<T> {
    let begun: Promise<T> | undefined
    const other = await opened.second!()
    await other.transaction(async (queries) => {
      await queries.query('SELECT 1 FROM spaces ORDER BY id FOR UPDATE')
      begun = request()
      begun.catch(() => {})
      await waitForBlockedQuery(database, blockedQueries)
      await change(queries)
    })
    return begun!
  }

  it.each<[string, (queries: Queries) => Promise<unknown>]>([
    ['left the team', (queries) => removeMember(queries, 'core', 'ada')],
    ['been disabled', (queries) => disableUser(queries, 'ada')],
    ['become a reader', (queries) => queries.query(`UPDATE members SET role = 'reader'`)],
    ['lost a project', (queries) => queries.query(`UPDATE members SET projects = '{other}'`)],
  ])('refuses writes of a user who has %s', async (_, change) => {
    const access = await addMember(database, 'core', ada)
    const push = () => applyBatch(servicesOn(database), access, [pushedItem('m-1', memory('Late'))])
    await expect(meanwhile(push, change)).rejects.toMatchObject({ status: 503, code: 'access_changed' })
    expect(await database.query('SELECT id FROM items')).toEqual([])
    const link = () => addLink(servicesOn(database), access, { from: 'm-1', type: 'see-also', to: 'm-2' })
    await expect(link()).rejects.toMatchObject({ code: 'access_changed' })
  })

  it('a revoked key writes nothing', async () => {
    const { id } = await addKey(database, 'ada')
    const push = () => applyBatch(servicesOn(database), { ...ada.me, keyId: id }, [pushedItem('m-1', memory('Late'))])
    await expect(meanwhile(push, (queries) => revokeKey(queries, id))).rejects.toMatchObject({ code: 'access_changed' })
  })

  it('nothing is shared with a team that the user just left', async () => {
    await addMember(database, 'core', ada)
    await applyBatch(servicesOn(database), ada.me, [pushedItem('m-1', memory('Mine'))])
    const rule = { subject: { kind: 'memory', id: 'm-1' }, with: 'team:core', permission: 'read' } as const
    const share = () => applyBatch(servicesOn(database), ada.me, [sharedItem('s1', rule)])
    const results = await meanwhile(share, (queries) => removeMember(queries, 'core', 'ada'))
    expect(results).toMatchObject([{ status: 'refused' }])
    expect(await database.query('SELECT id FROM shares')).toEqual([])
  })

  it('two admins who remove each other leave one', async () => {
    const bob = await addPerson(database, 'bob')
    for (const person of [ada, bob]) await addMember(database, 'core', person, { role: 'admin' })
    const httpApp = createTestApp(database)
    const keys = { ada: (await addKey(database, 'ada')).text, bob: (await addKey(database, 'bob')).text }
    const remove = (user: 'ada' | 'bob', by: 'ada' | 'bob') =>
      ask(httpApp, 'DELETE', `/api/spaces/team:core/members/${user}`, { key: keys[by] })
    const both = () => Promise.all([remove('bob', 'ada'), remove('ada', 'bob')])
    const answers = await meanwhile(both, async () => undefined, 2)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 503])
    expect(await listMembers(database, 'core')).toHaveLength(1)
  })

  it('locks and idle transactions time out', async () => {
    const [limits] = await database.transaction((queries) =>
      queries.query(`SELECT current_setting('lock_timeout') AS lock, current_setting('statement_timeout') AS statement,
        current_setting('idle_in_transaction_session_timeout') AS idle`),
    )
    expect(limits).toEqual({ lock: '10s', statement: '2min', idle: '1min' })
    const [outside] = await database.query(`SELECT current_setting('lock_timeout') AS lock`)
    expect(outside).toEqual({ lock: '0' })
  })
})
