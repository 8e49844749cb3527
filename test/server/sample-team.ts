// People, teams and memories for tests of the server.
import { fixedClock } from '../../src/core/clock.ts'
import type { Caller, Services, SpaceAccess } from '../../src/server/context.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import { createTeam, setMember } from '../../src/server/store/teams.ts'
import { createUser } from '../../src/server/store/users.ts'
import type { MemoryDocument, ShareDocument } from '../../src/sync/documents.ts'
import { hashOfDocument } from '../../src/sync/item-hash.ts'
import type { AccessRole, ItemBase, ItemDocument, PushedItem } from '../../src/sync/protocol.ts'

export interface Person {
  name: string
  userId: number
  me: SpaceAccess
  shared: SpaceAccess
}

export function servicesOn(database: ServerDatabase): Services {
  return { database, clock: fixedClock('2026-03-01T10:00:00Z'), version: '0.0.0' }
}

export async function addPerson(database: ServerDatabase, name: string): Promise<Person> {
  const userId = (await database.transaction((queries) => createUser(queries, name)))!
  const access = { userId, keyId: `key-${name}`, projects: null, seq: 0 }
  return {
    name,
    userId,
    me: { ...access, space: 'me', spaceId: await ownSpace('personal'), kind: 'personal', role: 'writer' },
    shared: { ...access, space: 'shared', spaceId: await ownSpace('shared'), kind: 'shared', role: 'reader' },
  }

  async function ownSpace(kind: string): Promise<string> {
    const rows = await database.query<{ id: string }>('SELECT id FROM spaces WHERE user_id = $1 AND kind = $2', [
      userId,
      kind,
    ])
    return rows[0]!.id
  }
}

/** What the person may do in the team from now on; the team is made where there is none. */
export async function addMember(
  database: ServerDatabase,
  team: string,
  { name, userId, me }: Person,
  { role = 'writer', projects = null }: { role?: AccessRole; projects?: string[] | null } = {},
): Promise<SpaceAccess> {
  await database.transaction(async (queries) => {
    await createTeam(queries, team)
    await setMember(queries, { team, user: name, role, projects })
  })
  const [space] = await database.query<{ id: string }>(
    'SELECT id FROM spaces WHERE team_id = (SELECT id FROM teams WHERE name = $1)',
    [team],
  )
  return { space: `team:${team}`, spaceId: space!.id, kind: 'team', role, projects, seq: 0, userId, keyId: me.keyId }
}

export function memory(text: string, changes: Partial<MemoryDocument> = {}): ItemDocument {
  const at = '2026-02-01T10:00:00.000Z'
  const document: MemoryDocument = {
    project: 'github.com/dev/app',
    type: 'project',
    kind: 'fact',
    status: 'settled',
    state: 'kept',
    text,
    why: null,
    apply: null,
    importance: 0.5,
    tags: [],
    keywords: [],
    evidence: [],
    trust: 'user said',
    learnedAt: at,
    validFrom: at,
    confirmedAt: at,
    supersededAt: null,
    supersededBy: null,
    contradicts: null,
    doubt: null,
    said: 1,
    version: 1,
    origin: 'laptop',
    ...changes,
  }
  // Serialised and parsed, as documents of the API are.
  return JSON.parse(JSON.stringify(document)) as ItemDocument
}

export function pushedItem(id: string, document: ItemDocument | null, base: ItemBase | null = null): PushedItem {
  return { id, kind: 'memory', base, document }
}

export function sharedItem(id: string, document: ShareDocument | null, base: ItemBase | null = null): PushedItem {
  return { id: `share:${id}`, kind: 'share', base, document }
}

/** The version of a document that a change is based on. */
export function baseOf(version: number, document: ItemDocument | null): ItemBase {
  return { version, hash: hashOfDocument(document) }
}

/** The caller as the next request would find it: with the current numbers of the last changes. */
export async function refreshCaller(database: ServerDatabase, caller: Caller): Promise<Caller> {
  const rows = await database.query<{ id: string; seq: number }>('SELECT id, seq FROM spaces')
  const seqs = new Map(rows.map(({ id, seq }) => [id, seq]))
  const spaces = [...caller.spaces].map(
    ([name, access]) => [name, { ...access, seq: seqs.get(access.spaceId)! }] as const,
  )
  return { ...caller, spaces: new Map(spaces) }
}
