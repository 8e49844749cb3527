// People, teams and keys from the command line, as the one who runs a server would: the built program on PGlite and PostgreSQL.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixedClock } from '../../src/core/clock.ts'
import { checkKey } from '../../src/server/check-key.ts'
import { connectDatabase } from '../../src/server/database/connect.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { applyBatch } from '../../src/server/push/apply-batch.ts'
import type { ShareDocument } from '../../src/sync/documents.ts'
import { killAfter, type Place, place, type Run, recollect, start } from '../program.ts'
import { isProof } from '../proof.ts'
import { createPgliteFolder, type OpenedDatabase, postgres } from './databases.ts'
import { addMember, addPerson, memory, pushedItem, servicesOn, sharedItem } from './sample-team.ts'

const clock = fixedClock('2026-09-01T10:00:00Z')

interface Desk {
  at: Place
  /** `recollect server …` */
  admin(...args: string[]): Run
  looking<T>(look: (database: ServerDatabase) => Promise<T>): Promise<T>
}

function deskOf(at: Place, url?: string): Desk {
  if (url) at.env.DATABASE_URL = url
  return {
    at,
    admin: (...args) => recollect(at, 'server', ...args),
    async looking(look) {
      const database = await connectDatabase({ url, folder: join(at.store, 'server') })
      try {
        return await look(database)
      } finally {
        await database.close()
      }
    },
  }
}

// Each command opens PGlite again, which takes a second.
describe.runIf(isProof)('recollect server on PGlite in the home', () => {
  it('adds people and teams, and gives them keys that work until they are revoked', async () => {
    const desk = deskOf(place())
    await givesKeys(desk)
    desk.at.remove()
  })
})

describe('recollect server on PostgreSQL by DATABASE_URL', () => {
  let opened: OpenedDatabase
  let desk: Desk
  beforeAll(async () => {
    opened = await postgres.open()
    desk = deskOf(place(), opened.url)
  })
  afterAll(async () => {
    await opened.stop()
    desk.at.remove()
  })
  const admin = (...args: string[]) => desk.admin(...args)

  it('adds people and teams, and gives them keys that work until they are revoked', () => givesKeys(desk))

  it('answers no where something is not there or is there already, and changes nothing', async () => {
    admin('user', 'add', 'bo')
    const before = await desk.looking(everything)
    expect(admin('user', 'add', 'bo')).toMatchObject({ status: 1, out: '' })
    expect(admin('user', 'disable', 'nobody')).toMatchObject({ status: 1, out: '' })
    expect(admin('team', 'member', 'nowhere', 'bo').err).toContain('No team nowhere')
    expect(admin('team', 'unmember', 'core', 'bo')).toMatchObject({ status: 1 })
    expect(admin('key', 'create', '--user', 'nobody')).toMatchObject({ status: 1, out: '' })
    expect(admin('key', 'revoke', 'nosuchkey000')).toMatchObject({ status: 1 })
    expect(admin('team', 'list', 'nowhere')).toMatchObject({ status: 1 })
    expect(await desk.looking(everything)).toEqual(before)
  })

  it.each([
    [['user', 'add', 'Bo Smith'], 'Invalid name of a user'],
    [['team', 'member', 'core', 'ada', '--role', 'owner'], 'Allowed choices are reader, writer, admin'],
    [['key', 'create'], '--user'],
    [['key', 'create', '--user', 'ada', '--expires', 'soon'], '--expires takes a future date or a span'],
    [['key', 'create', '--user', 'ada', '--expires', '2020-01-01'], '--expires takes a future date or a span'],
    [['team', 'remove', 'core'], 'Add --yes to apply'],
  ])('refuses %j', (args, says) => {
    const run = admin(...args)
    expect(run.status).toBe(2)
    expect(run.err).toContain(says)
  })

  it('disables and enables, renames, and removes when confirmed', async () => {
    expect(admin('user', 'disable', 'ada', '--json').json()).toEqual({ user: 'ada', isDisabled: true })
    expect(admin('user', 'list', '--json').json()).toMatchObject([
      { name: 'ada', disabledAt: expect.any(String), teams: ['core'], keys: 0 },
      { name: 'bo', disabledAt: null },
    ])
    expect(admin('user', 'list').out).toMatch(/ada +core +0 +\d{4}-\d\d-\d\d +since/)
    expect(admin('user', 'enable', 'ada').out).toBe('ada is enabled.\n')
    expect(admin('team', 'rename', 'core', 'platform').out).toBe('Renamed core to platform.\n')
    expect(admin('team', 'list').out).toMatch(/platform +1 +0/)
    expect(admin('team', 'list', 'platform').out).toMatch(/ada +reader +github.com\/dev\/app, b/)
    expect(admin('team', 'unmember', 'platform', 'ada').out).toBe('Removed ada from platform.\n')
    expect(admin('team', 'remove', 'platform', '--yes').status).toBe(0)
    expect(admin('team', 'list', '--json').json()).toEqual([])
  })

  it('leaves an audit row for each change, and none for what was refused', async () => {
    const rows = await desk.looking((database) =>
      database.query<{ action: string }>('SELECT action FROM audit ORDER BY id'),
    )
    expect(rows.map(({ action }) => action)).toEqual([
      'user add',
      'team add',
      'team member',
      'key create',
      'key revoke',
      'user add',
      'user disable',
      'user enable',
      'team rename',
      'team unmember',
      'team remove',
    ])
    const text = JSON.stringify(await desk.looking((database) => database.query('SELECT * FROM audit')))
    expect(text).not.toMatch(/rk_/)
  })

  it('removes the shares of a member with the member, and restores them', async () => {
    const cy = await addPerson(opened.database, 'cy')
    const dee = await addPerson(opened.database, 'dee')
    for (const person of [cy, dee]) await addMember(opened.database, 'north', person)
    const rule: ShareDocument = { subject: { kind: 'memory', id: 'm-1' }, with: 'team:north', permission: 'read' }
    const items = [pushedItem('m-1', memory('Deploy on Mondays')), sharedItem('share:1', rule)]
    await applyBatch(servicesOn(opened.database), cy.me, items)
    const inTeam = () =>
      opened.database.query(
        `SELECT item.id FROM items item JOIN spaces space ON space.id = item.space_id
         WHERE space.kind = 'team' AND item.document IS NOT NULL`,
      )
    expect(await inTeam()).toEqual([{ id: 'm-1' }])
    expect(admin('team', 'unmember', 'north', 'cy').status).toBe(0)
    expect(await inTeam()).toEqual([])
    expect(admin('team', 'member', 'north', 'cy').status).toBe(0)
    expect(await inTeam()).toEqual([{ id: 'm-1' }])
    expect(admin('team', 'member', 'north', 'cy', '--role', 'reader').status).toBe(0)
    expect(await inTeam()).toEqual([])
  })
})

async function givesKeys({ admin, looking }: Desk): Promise<void> {
  expect(admin('user', 'add', 'ada')).toMatchObject({ status: 0, out: 'Added user ada.\n' })
  expect(admin('team', 'add', 'core', '--json').json()).toEqual({ team: 'core' })
  const member = ['team', 'member', 'core', 'ada', '--role', 'reader', '--project', 'github.com/dev/app', 'b', '--json']
  expect(admin(...member).json()).toEqual({
    team: 'core',
    user: 'ada',
    role: 'reader',
    projects: ['github.com/dev/app', 'b'],
  })
  const made = admin('key', 'create', '--user', 'ada', '--name', 'laptop', '--expires', '90d')
  const key = made.out.trim()
  expect(made.err).toContain('not shown again')

  const identity = await looking((database) => checkKey(database, clock, key))
  if (identity.kind !== 'known') return expect.unreachable(identity.kind)
  expect([...identity.caller.spaces.keys()]).toEqual(['me', 'shared', 'team:core'])
  expect(identity.caller.spaces.get('team:core')).toMatchObject({
    role: 'reader',
    projects: ['github.com/dev/app', 'b'],
  })

  const [listed] = admin('key', 'list', '--user', 'ada', '--json').json()
  expect(listed).toMatchObject({ id: identity.caller.keyId, user: 'ada', name: 'laptop', role: 'writer' })
  expect(key).toContain(listed.id)
  expect(admin('key', 'list').out).not.toContain(key.slice(16))
  expect(admin('key', 'revoke', listed.id)).toMatchObject({ status: 0, out: `${listed.id} is revoked.\n` })
  expect((await looking((database) => checkKey(database, clock, key))).kind).toBe('revoked')
}

describe('recollect server, where the database cannot be used', () => {
  it.runIf(isProof)('says that PGlite is open elsewhere, and what to do', async () => {
    const at = place()
    const folder = join(at.store, 'server')
    await createPgliteFolder(folder)
    const database = await connectDatabase({ folder, command: 'recollect server' })
    const run = recollect(at, 'server', 'user', 'list')
    expect(run.status).toBe(3)
    expect(run.err).toContain(`is open in process ${process.pid} (recollect server)`)
    expect(run.err).toContain('Stop that process first')
    await database.close()
    at.remove()
  })

  it('names a PostgreSQL that does not answer, without the password', () => {
    const at = place()
    at.env.DATABASE_URL = 'postgres://dev:hunter2@127.0.0.1:1/recollect'
    const run = recollect(at, 'server', 'user', 'list')
    expect(run.status).toBe(3)
    expect(run.err).toContain('postgres://dev@127.0.0.1:1/recollect cannot be reached')
    expect(run.err).not.toContain('hunter2')
    at.remove()
  })

  it.runIf(isProof)('takes up what a killed command left', async () => {
    const at = place()
    await createPgliteFolder(join(at.store, 'server'))
    const begun = performance.now()
    recollect(at, 'server', 'user', 'add', 'ada')
    await killAfter(start(at, 'server', 'user', 'add', 'bo'), (performance.now() - begun) / 3)
    const names = recollect(at, 'server', 'user', 'list', '--json')
      .json()
      .map(({ name }: { name: string }) => name)
    expect(names[0]).toBe('ada')
    at.remove()
  })
})

async function everything(database: ServerDatabase): Promise<unknown> {
  return Promise.all(
    ['users', 'teams', 'members', 'keys', 'spaces', 'audit'].map((table) =>
      database.query(`SELECT * FROM ${table} ORDER BY 1`),
    ),
  )
}
