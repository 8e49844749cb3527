// What a person shares: which rules are taken, what they cover, and how they reach the person's other machines.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fixedClock } from '../src/core/clock.ts'
import { parseConfig } from '../src/core/config/config.ts'
import { layoutOf } from '../src/core/paths.ts'
import { redact } from '../src/core/redact/redact.ts'
import { zoneOf } from '../src/core/units.ts'
import { forget, remember } from '../src/learn/change.ts'
import type { Memory } from '../src/memory/memory.ts'
import { savePractice } from '../src/patterns/catalogue.ts'
import { refreshCatalogue } from '../src/patterns/review/refresh-catalogue.ts'
import { type Ledger, openLedger } from '../src/store/ledger.ts'
import { changeMemories } from '../src/store/memories/changes.ts'
import { pendingItems, refusedItems } from '../src/store/sync/outbox.ts'
import { listShares, type Share } from '../src/store/sync/shares.ts'
import { saveSpaceAccess } from '../src/store/sync/spaces.ts'
import { hashOfDocument } from '../src/sync/item-hash.ts'
import type { SyncContext } from '../src/sync/item-kind.ts'
import { planShare, saveSharePlan, shareKind, unshare } from '../src/sync/kinds/shares.ts'
import type { ItemDocument, SyncItem } from '../src/sync/protocol.ts'
import { sampleMemory } from './sample-memory.ts'
import { type OpenedDatabase, serverDatabase } from './server/databases.ts'
import { addKey, addTeam, addUser, createTestApp } from './server/test-app.ts'
import { machine, type TestMachine } from './sync/machines.ts'

const project = 'github.com/acme/app'
const secret = `ghp_${'a1B2'.repeat(9)}`
let root: string
let ledger: Ledger
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-share-'))
  ledger = openLedger(layoutOf(root))
  saveSpaceAccess(ledger, { name: 'me', id: '1', role: 'admin', projects: null })
  saveSpaceAccess(ledger, { name: 'team:core', id: '2', role: 'writer', projects: null })
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true, force: true })
})

function context(config = ''): SyncContext {
  return {
    ledger,
    clock: fixedClock('2026-10-05T12:00:00Z'),
    config: parseConfig(config, 'test'),
    origin: 'desk',
    redact,
  }
}

let count = 0
function keep(text: string, more: Partial<Memory> = {}): Memory {
  const memory = sampleMemory({ id: `m-${String(++count).padStart(10, 'a')}`, project, text, ...more })
  const change = { at: '2026-10-05T12:00:00Z', kind: 'learned' as const, about: 'a test' }
  ledger.transaction(() => changeMemories(ledger, change, [memory]))
  return memory
}

const ofMemory = (memory: Memory, target = 'team:core', permission: Share['permission'] = 'read') =>
  planShare(context(), { subject: { kind: 'memory', id: memory.id }, with: target, permission }, memory)
const ofTag = (tag: string, target = 'team:core') =>
  planShare(context(), { subject: { kind: 'tag', tag }, with: target, permission: 'read' })
const waiting = () =>
  pendingItems(ledger, 'me', 0, 100)
    .filter(({ kind }) => kind === 'share')
    .map(({ id }) => id)

describe('sharing', () => {
  it('saves and enqueues a share and its end', () => {
    const memory = keep('Releases are cut from main')
    const sharing = ofMemory(memory, 'user:bob', 'write')
    saveSharePlan(context(), sharing)
    expect(listShares(ledger)).toMatchObject([
      { subject: { kind: 'memory', id: memory.id }, with: 'user:bob', permission: 'write' },
    ])
    const item = `share:${sharing.share.id}`
    expect(waiting()).toEqual([item])
    expect(shareKind.desiredState(context(), 'me', item)).toEqual({
      kind: 'document',
      document: { subject: { kind: 'memory', id: memory.id }, with: 'user:bob', permission: 'write' },
    })
    expect(unshare(context(), sharing.share.id.slice(0, 6)).id).toBe(sharing.share.id)
    expect(shareKind.desiredState(context(), 'me', item)).toEqual({ kind: 'absent' })
    expect(waiting()).toEqual([item])
  })

  it('has one id per subject and target', () => {
    const memory = keep('Releases are cut from main', { tags: ['release'] })
    const ids = [
      ofMemory(memory),
      ofMemory(memory, 'team:core', 'write'),
      ofMemory(memory, 'user:bob'),
      ofTag('release'),
    ]
    expect(new Set(ids.map(({ share }) => share.id)).size).toBe(3)
    saveSharePlan(context(), ids[0]!)
    saveSharePlan(context(), ids[1]!)
    expect(listShares(ledger)).toMatchObject([{ permission: 'write' }])
  })

  it('plans visible and hidden memories of a tag', () => {
    const tags = ['release']
    const seen = keep('Releases are cut from main', { tags })
    const folder = keep('The script is release.sh', { tags, project: '/home/dev/app' })
    const aboutMe = keep('I cut the releases', { tags, type: 'user' })
    const withSecret = keep(`The bot has ${secret}`, { tags })
    keep('Something else')
    keep('A rule of others', { tags, space: 'team:core', author: 'alice' })
    const { visible, hidden, homeless } = ofTag('release')
    expect(visible.map(({ id }) => id)).toEqual([seen.id, folder.id])
    expect(hidden.map(({ id }) => id)).toEqual([aboutMe.id, withSecret.id])
    expect(homeless.map(({ id }) => id)).toEqual([folder.id])
  })

  it.each<[string, Partial<Memory>, RegExp]>([
    ['what is about the person', { type: 'user' }, /it is about you/],
    ['what is tagged private', { tags: ['private'] }, /tagged private/],
    ['what is of a team', { space: 'team:core' }, /not your own \(team core\)/],
    ['what is forgotten', { state: 'forgotten' }, /forgotten/],
    ['what waits in the inbox', { state: 'inbox' }, /inbox/],
    ['a project that is a folder', { project: '/home/dev/app' }, /a folder on this machine/],
  ])('refuses %s', (_, more, reason) => {
    expect(() => ofMemory(keep('Releases are cut from main', more))).toThrow(reason)
  })

  it('refuses secrets without revealing them', () => {
    const memory = keep('Releases are cut from main', { why: `The bot has ${secret}` })
    let message = ''
    try {
      ofMemory(memory)
    } catch (error) {
      message = String(error)
    }
    expect(message).toContain('github-token')
    expect(message).not.toContain(secret)
  })

  it('refuses private projects', () => {
    const memory = keep('Releases are cut from main')
    const wish = { subject: { kind: 'memory' as const, id: memory.id }, with: 'user:bob', permission: 'read' as const }
    expect(() => planShare(context('[sync]\nprivate = ["github.com/acme/*"]'), wish, memory)).toThrow(/sync.private/)
  })

  it.each([
    ['bob', /neither a team nor a user/],
    ['team:ops', /has not joined team ops/],
  ])('refuses %s', (target, reason) => {
    expect(() => ofTag('release', target)).toThrow(reason)
  })

  it('refuses a reader of the team, the tag private, and a machine without a server', () => {
    expect(() => ofTag('private')).toThrow(/never shared/)
    saveSpaceAccess(ledger, { name: 'team:core', id: '2', role: 'reader', projects: null })
    expect(() => ofTag('release')).toThrow(/no write access/)
    const other = openLedger(layoutOf(join(root, 'other')))
    expect(() =>
      planShare(
        { ...context(), ledger: other },
        { subject: { kind: 'tag', tag: 'x' }, with: 'user:bob', permission: 'read' },
      ),
    ).toThrow(/not joined a server/)
    other.close()
  })
})

describe('shareKind.mergeRemote', () => {
  const document: ItemDocument = { subject: { kind: 'tag', tag: 'release' }, with: 'team:core', permission: 'read' }
  const itemOf = (content: ItemDocument | null, version: number): SyncItem => ({
    id: 'share:s-1',
    kind: 'share',
    seq: version,
    version,
    hash: hashOfDocument(content),
    document: content,
    author: 'me',
    sharedBy: null,
  })
  const known = (content: ItemDocument | null, version: number) => ({
    version,
    hash: hashOfDocument(content),
    statement: '',
  })
  const meet = (item: SyncItem, base?: ReturnType<typeof known>) =>
    ledger.transaction(() => shareKind.mergeRemote(context(), 'me', item, base))

  it('applies a share and its end', () => {
    expect(meet(itemOf(document, 1))).toBe('applied')
    expect(shareKind.desiredState(context(), 'me', 'share:s-1')).toEqual({ kind: 'document', document })
    expect([...shareKind.idsIn(context(), 'me')]).toEqual(['share:s-1'])
    expect(meet(itemOf(document, 1))).toBe('unchanged')
    expect(meet(itemOf(null, 2), known(document, 1))).toBe('applied')
    expect(listShares(ledger)).toEqual([])
  })

  it('keeps local changes and shares that a restored server lost', () => {
    meet(itemOf({ ...document, permission: 'write' }, 1))
    expect(meet(itemOf(null, 2), known(document, 1))).toBe('merged')
    expect(meet(itemOf(document, 1), known({ ...document, permission: 'write' }, 3))).toBe('merged')
    expect(listShares(ledger)).toMatchObject([{ permission: 'write' }])
  })

  it('ignores unsupported documents', () => {
    expect(meet(itemOf({ ...document, until: '2027' }, 1))).toBe('unsupported')
    expect(listShares(ledger)).toEqual([])
  })
})

describe.each([serverDatabase])('sharing between users on $name', ({ open }) => {
  let opened: OpenedDatabase
  let made: TestMachine[] = []
  beforeEach(async () => {
    opened = await open()
    made = []
    for (const user of ['ann', 'bob']) await addUser(opened.database, user)
    await addTeam(opened.database, 'core', { ann: 'writer', bob: 'writer' })
  })
  afterEach(async () => {
    for (const one of made) one.remove()
    await opened?.stop()
  })

  async function joined(name: string, user: string): Promise<TestMachine> {
    const { text } = await addKey(opened.database, user)
    const one = machine(name, text, createTestApp(opened.database))
    made.push(one)
    await one.join()
    return one
  }

  /** Syncs until no machine sends or receives anything. */
  async function settle(...machines: TestMachine[]): Promise<void> {
    for (let round = 0; round < 3; round++) for (const one of machines) await one.sync()
  }

  const changing = ({ ledger, context }: TestMachine) => ({ ledger, clock: context.clock, origin: context.origin })

  it('a team sees shared memories and tags until the share ends', async () => {
    const [ann, bob] = [await joined('laptop', 'ann'), await joined('desk', 'bob')]
    ann.write({ id: 'm-one', project, text: 'Releases are cut from main' })
    ann.write({ id: 'm-two', project, text: 'The bot signs the tags', tags: ['release'] })
    const wish = { with: 'team:core', permission: 'read' as const }
    const one = planShare(ann.context, { ...wish, subject: { kind: 'memory', id: 'm-one' } }, ann.memory('m-one')!)
    const tag = planShare(ann.context, { ...wish, subject: { kind: 'tag', tag: 'release' } })
    for (const sharing of [one, tag]) saveSharePlan(ann.context, sharing)
    await settle(ann, bob)
    expect(bob.memory('m-one')).toMatchObject({ space: 'team:core', author: 'ann' })
    expect(bob.texts()).toEqual(['Releases are cut from main', 'The bot signs the tags'])
    expect(ann.memory('m-one')).toMatchObject({ space: null })
    ann.write({ id: 'm-three', project, text: 'Notes are written by hand', tags: ['release'] })
    ann.write({ id: 'm-two', tags: [] })
    await settle(ann, bob)
    expect(bob.texts()).toEqual(['Notes are written by hand', 'Releases are cut from main'])
    for (const sharing of [one, tag]) unshare(ann.context, sharing.share.id)
    await settle(ann, bob)
    expect(bob.texts()).toEqual([])
    expect(ann.texts()).toHaveLength(3)
  })

  it('a user reads a shared memory and changes it with write permission', async () => {
    const [ann, bob] = [await joined('laptop', 'ann'), await joined('desk', 'bob')]
    for (const [id, permission] of [
      ['m-read', 'read'],
      ['m-write', 'write'],
    ] as const) {
      ann.write({ id, project, text: `The httpApp of ${id} is green` })
      const wish = { subject: { kind: 'memory' as const, id }, with: 'user:bob', permission }
      saveSharePlan(ann.context, planShare(ann.context, wish, ann.memory(id)!))
    }
    await settle(ann, bob)
    expect(bob.memory('m-read')).toMatchObject({ space: 'shared', author: 'ann' })
    for (const id of ['m-read', 'm-write']) bob.write({ id, text: `The httpApp of ${id} is red` })
    await settle(bob, ann)
    expect(ann.memory('m-write')!.text).toBe('The httpApp of m-write is red')
    expect(ann.memory('m-read')!.text).toBe('The httpApp of m-read is green')
    expect(refusedItems(bob.ledger).map(({ id }) => id)).toEqual(['m-read'])
  })

  it('a shared rule marks contradicting memories of other users', async () => {
    const [ann, bob] = [await joined('laptop', 'ann'), await joined('desk', 'bob')]
    bob.write({ id: 'm-own', project, text: 'use npm for installs' })
    const text = 'use pnpm instead of npm for installs'
    const [rule] = remember(changing(ann), { text, project, space: 'team:core' }).kept
    await settle(ann, bob)
    expect(bob.memory('m-own')).toMatchObject({ state: 'kept', supersededBy: null, contradicts: rule!.id })
    expect(bob.memory(rule!.id)).toMatchObject({ space: 'team:core', author: 'ann' })
    forget(changing(ann), rule!.id)
    await settle(ann, bob)
    expect(bob.memory('m-own')!.contradicts).toBeNull()
  })

  it('practices reach only machines of the same user', async () => {
    const [laptop, desk, bob] = [
      await joined('laptop', 'ann'),
      await joined('desk', 'ann'),
      await joined('other', 'bob'),
    ]
    const catalogue = ({ context }: TestMachine) => refreshCatalogue({ ...context, zone: zoneOf('UTC') })
    await savePractice(laptop.ledger.layout, {
      id: 'read-first',
      path: 'practices/read-first',
      title: 'Read first',
      version: '1.0.0',
      status: 'approved',
      problem: 'Edits fail on stale text.',
      rule: 'Read a file before you edit it.',
      agents: [],
      projects: [],
      steps: [],
      provenance: { frequency: 0, sessions: 0, agents: [], evidence: '', examples: [] },
      history: [{ version: '1.0.0', day: '2026-10-01', what: 'approved' }],
    })
    await catalogue(laptop)
    await settle(laptop, desk, bob)
    expect((await catalogue(desk)).practices).toEqual((await catalogue(laptop)).practices)
    expect((await catalogue(desk)).practices).toHaveLength(1)
    expect((await catalogue(bob)).practices).toEqual([])
  })
})
