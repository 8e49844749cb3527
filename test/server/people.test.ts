// Users, teams and keys, and who a key belongs to: on both databases.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fixedClock } from '../../src/core/clock.ts'
import { checkKey } from '../../src/server/check-key.ts'
import type { Queries, ServerDatabase } from '../../src/server/database/database.ts'
import { listAudit, writeAudit } from '../../src/server/store/audit.ts'
import { createKey, listKeys, type NewKey, revokeKey } from '../../src/server/store/keys.ts'
import {
  createTeam,
  deleteTeam,
  listMembers,
  listTeams,
  type Membership,
  removeMember,
  renameTeam,
  setMember,
} from '../../src/server/store/teams.ts'
import { createUser, disableUser, enableUser, listTeammates, listUsers } from '../../src/server/store/users.ts'
import { type OpenedDatabase, serverDatabase } from './databases.ts'

const clock = fixedClock('2026-09-01T10:00:00Z')

describe.each([serverDatabase])('users, teams and keys on $name', ({ open }) => {
  let opened: OpenedDatabase
  let database: ServerDatabase
  beforeAll(async () => {
    opened = await open()
    database = opened.database
  })
  afterAll(() => opened.stop())

  const inOne = <T>(work: (queries: Queries) => Promise<T>) => database.transaction(work)
  const newUser = (name: string) => inOne((queries) => createUser(queries, name))
  const newTeam = (name: string) => inOne((queries) => createTeam(queries, name))
  const member = (team: string, user: string, rest: Partial<Membership> = {}) =>
    setMember(database, { team, user, role: 'writer', projects: null, ...rest })
  const newKey = async (user: string, rest: Partial<NewKey> = {}) =>
    (await createKey(database, { user, name: 'laptop', role: 'admin', expiresAt: null, ...rest }))!
  const who = async (text: string | undefined, at = clock) => {
    const identity = await checkKey(database, at, text)
    if (identity.kind !== 'known') return identity.kind
    const { caller } = identity
    return {
      user: caller.user,
      role: caller.role,
      spaces: [...caller.spaces.values()].map(({ space, role, projects }) => [space, role, projects]),
    }
  }

  it('creates a user with two spaces, once per name', async () => {
    const id = await newUser('ada')
    expect(await newUser('ada')).toBeUndefined()
    expect(await database.query('SELECT kind FROM spaces WHERE user_id = $1 ORDER BY kind', [id])).toEqual([
      { kind: 'personal' },
      { kind: 'shared' },
    ])
    expect(await listUsers(database)).toMatchObject([{ name: 'ada', disabledAt: null, teams: [], keys: 0 }])
  })

  it.each(['', 'Ada', '-ada', 'a b', 'a'.repeat(64), 'ädä', "a'; DROP TABLE users; --"])(
    'refuses the name %j',
    async (name) => {
      await expect(newUser(name)).rejects.toThrow('Invalid name of a user')
      await expect(newTeam(name)).rejects.toThrow('Invalid name of a team')
    },
  )

  it('checkKey returns the lower role of key and membership per space', async () => {
    await newUser('bo')
    for (const team of ['north', 'south', 'west']) await newTeam(team)
    await member('south', 'bo', { role: 'reader' })
    await member('north', 'bo', { role: 'admin', projects: ['github.com/dev/app'] })
    const strong = await newKey('bo')
    const weak = await newKey('bo', { role: 'reader' })
    expect(await who(strong.text)).toEqual({
      user: 'bo',
      role: 'admin',
      spaces: [
        ['me', 'admin', null],
        ['shared', 'reader', null],
        ['team:north', 'admin', ['github.com/dev/app']],
        ['team:south', 'reader', null],
      ],
    })
    expect(await who(weak.text)).toMatchObject({
      spaces: [
        ['me', 'reader', null],
        ['shared', 'reader', null],
        ['team:north', 'reader', ['github.com/dev/app']],
        ['team:south', 'reader', null],
      ],
    })
  })

  it('stores no secret and accepts only the complete key', async () => {
    await newUser('cy')
    const { id, text } = await newKey('cy')
    expect(text).toMatch(/^rk_[a-z0-9]{12}_[A-Za-z0-9_-]{43}$/)
    const secret = text.slice(16)
    const everything = JSON.stringify(await database.query("SELECT *, encode(hash, 'escape') FROM keys"))
    expect(everything).toContain(id)
    expect(everything).not.toContain(secret)

    const other = await newKey('cy')
    expect(await who(undefined)).toBe('missing')
    expect(await who('')).toBe('missing')
    const wrong = [
      'rk_',
      secret,
      text.slice(0, -1),
      `${text}a`,
      ` ${text}`,
      text.toUpperCase(),
      `rk_${id}_${'a'.repeat(43)}`,
      `rk_${id}_${other.text.slice(16)}`,
      `rk_${'a'.repeat(12)}_${secret}`,
      `rk_${id}' OR true --_${secret}`,
    ]
    for (const one of wrong) expect(await who(one), one).toBe('unknown')
    expect(await who(text)).toMatchObject({ user: 'cy' })
  })

  it('refuses revoked keys at once on every instance', async () => {
    await newUser('di')
    const { id, text } = await newKey('di')
    const other = (await opened.second?.()) ?? database
    expect((await checkKey(other, clock, text)).kind).toBe('known')
    expect(await revokeKey(database, id)).toBe(true)
    expect((await checkKey(other, clock, text)).kind).toBe('revoked')
    expect((await checkKey(database, clock, text)).kind).toBe('revoked')
    const [revoked] = await listKeys(database, 'di')
    expect(revoked!.revokedAt).not.toBeNull()
    expect(await revokeKey(database, id)).toBe(true)
    expect(await listKeys(database, 'di')).toEqual([revoked])
    expect(await revokeKey(database, 'nosuchkey000')).toBe(false)
  })

  it('does not revoke keys of other users', async () => {
    await newUser('dora')
    await newUser('dan')
    const { id, text } = await newKey('dora')
    expect(await revokeKey(database, id, 'dan')).toBe(false)
    expect(await who(text)).toMatchObject({ user: 'dora' })
    expect(await revokeKey(database, id, 'dora')).toBe(true)
    expect(await who(text)).toBe('revoked')
  })

  it('refuses expired keys and reveals that only with the secret', async () => {
    await newUser('ed')
    const { id, text } = await newKey('ed', { expiresAt: '2026-09-01T11:00:00Z' })
    expect(await who(text)).toMatchObject({ user: 'ed' })
    expect(await who(text, fixedClock('2026-09-01T11:00:00Z'))).toBe('expired')
    expect(await who(`rk_${id}_${'a'.repeat(43)}`, fixedClock('2026-09-01T11:00:00Z'))).toBe('unknown')
  })

  it('refuses keys of disabled users', async () => {
    await newUser('fay')
    const { text } = await newKey('fay')
    expect(await disableUser(database, 'fay')).toBe(true)
    expect(await who(text)).toBe('disabled')
    expect(await enableUser(database, 'fay')).toBe(true)
    expect(await who(text)).toMatchObject({ user: 'fay' })
    expect(await disableUser(database, 'nobody')).toBe(false)
    expect(await createKey(database, { user: 'nobody', name: '', role: 'admin', expiresAt: null })).toBeUndefined()
  })

  it('records key use at most once an hour', async () => {
    await newUser('gus')
    const { text } = await newKey('gus')
    const usedAt = async (iso: string) => {
      await checkKey(database, fixedClock(iso), text)
      return (await listKeys(database, 'gus'))[0]!.usedAt
    }
    expect(await usedAt('2026-09-01T10:00:00Z')).toBe('2026-09-01T10:00:00.000Z')
    expect(await usedAt('2026-09-01T10:59:59Z')).toBe('2026-09-01T10:00:00.000Z')
    expect(await usedAt('2026-09-01T11:00:00Z')).toBe('2026-09-01T11:00:00.000Z')
  })

  it('needs one query per request', async () => {
    await newUser('hal')
    const { text } = await newKey('hal')
    await checkKey(database, clock, text)
    let asked = 0
    const counting: ServerDatabase = {
      ...database,
      query(...of) {
        asked++
        return database.query(...of)
      },
    }
    expect((await checkKey(counting, clock, text)).kind).toBe('known')
    expect(asked).toBe(1)
  })

  it('applies membership changes with the next request', async () => {
    await newUser('ida')
    await newTeam('core')
    const { text } = await newKey('ida')
    const teams = async () => ((await who(text)) as { spaces: unknown[] }).spaces.slice(2)
    expect(await member('core', 'ida', { role: 'reader', projects: ['a', 'b'] })).toBe('set')
    expect(await teams()).toEqual([['team:core', 'reader', ['a', 'b']]])
    await member('core', 'ida', { role: 'admin' })
    expect(await teams()).toEqual([['team:core', 'admin', null]])
    expect(await listMembers(database, 'core')).toMatchObject([{ user: 'ida', role: 'admin', projects: null }])
    await member('core', 'ida', { projects: [] })
    expect(await teams()).toEqual([['team:core', 'writer', []]])
    expect(await removeMember(database, 'core', 'ida')).toBe(true)
    expect(await removeMember(database, 'core', 'ida')).toBe(false)
    expect(await teams()).toEqual([])
    expect(await member('nowhere', 'ida')).toBe('unknown team')
    expect(await member('core', 'nobody')).toBe('unknown user')
    expect(await listMembers(database, 'nowhere')).toBeUndefined()
  })

  it('keeps the space of a renamed team', async () => {
    await newTeam('red')
    await newTeam('blue')
    const spaceOf = (name: string) =>
      database.query(
        'SELECT space.id FROM spaces space JOIN teams team ON team.id = space.team_id WHERE team.name = $1',
        [name],
      )
    const before = await spaceOf('red')
    expect(await renameTeam(database, 'red', 'blue')).toBe('taken')
    expect(await renameTeam(database, 'green', 'yellow')).toBe('unknown')
    expect(await renameTeam(database, 'red', 'crimson')).toBe('renamed')
    expect(await spaceOf('crimson')).toEqual(before)
  })

  it('deletes a team with its space only', async () => {
    await newUser('jo')
    await newTeam('doomed')
    await newTeam('lasting')
    await member('doomed', 'jo')
    const spaces = await database.query<{ id: string; team: string }>(
      `SELECT space.id, team.name AS team FROM spaces space JOIN teams team ON team.id = space.team_id
       WHERE team.name IN ('doomed', 'lasting')`,
    )
    for (const { id } of spaces) {
      await database.query(
        `INSERT INTO items (space_id, id, kind, version, seq, hash, bucket, mark, document, author_id)
         VALUES ($1, 'm-1', 'memory', 1, 1, 'x', 0, 0, $2, 1)`,
        [id, { text: 'said' }],
      )
    }
    expect(await listTeams(database)).toEqual(
      expect.arrayContaining([expect.objectContaining({ name: 'doomed', members: 1, items: 1 })]),
    )
    expect(await inOne((queries) => deleteTeam(queries, 'doomed'))).toBe(true)
    expect(await inOne((queries) => deleteTeam(queries, 'doomed'))).toBe(false)
    const kept = spaces.filter(({ team }) => team === 'lasting').map(({ id }) => ({ space_id: id }))
    expect(await database.query('SELECT space_id FROM items')).toEqual(kept)
    expect((await listTeams(database)).map(({ name }) => name)).toContain('lasting')
    expect((await listTeams(database)).map(({ name }) => name)).not.toContain('doomed')
  })

  it('listTeammates returns only members of common teams', async () => {
    const kim = await newUser('kim')
    for (const user of ['lee', 'max', 'ned']) await newUser(user)
    for (const team of ['t1', 't2', 't3']) await newTeam(team)
    for (const [team, user] of [
      ['t1', 'kim'],
      ['t1', 'lee'],
      ['t2', 'kim'],
      ['t2', 'lee'],
      ['t2', 'max'],
      ['t3', 'ned'],
    ]) {
      await member(team!, user!)
    }
    await disableUser(database, 'max')
    expect(await listTeammates(database, kim!)).toEqual([
      { name: 'kim', teams: ['t1', 't2'] },
      { name: 'lee', teams: ['t1', 't2'] },
    ])
  })

  it('listAudit pages the entries of one space, latest first', async () => {
    const userId = (await newUser('oz'))!
    const { id: keyId } = await newKey('oz')
    const [space, other] = await database.query<{ id: string }>('SELECT id FROM spaces WHERE user_id = $1', [userId])
    const caller = { userId, keyId }
    for (const count of [1, 2, 3]) {
      await writeAudit(database, { spaceId: space!.id, caller, action: 'push', detail: { count } })
    }
    await writeAudit(database, { spaceId: other!.id, caller, action: 'push', detail: { count: 9 } })
    await writeAudit(database, { spaceId: space!.id, caller: null, action: 'look', detail: {} })
    const page = await listAudit(database, { spaceId: space!.id }, { limit: 2 })
    expect(page).toMatchObject([
      { user: null, keyId: null, action: 'look', detail: {} },
      { user: 'oz', keyId, action: 'push', detail: { count: 3 } },
    ])
    const rest = await listAudit(database, { spaceId: space!.id }, { before: page[1]!.id, limit: 10 })
    expect(rest.map(({ detail }) => detail.count)).toEqual([2, 1])
  })

  it('creates one user for concurrent requests', async () => {
    const made = await Promise.all(Array.from({ length: 6 }, () => newUser('pat')))
    expect(made.filter((id) => id !== undefined)).toHaveLength(1)
  })
})
