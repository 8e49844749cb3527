// What a person shares: which rules are taken, what they cover, and how they reach the person's other machines.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fixedClock } from '../src/core/clock.ts'
import { parseConfig } from '../src/core/config.ts'
import type { Memory } from '../src/core/memory.ts'
import { layoutOf } from '../src/core/paths.ts'
import { redact } from '../src/core/redact.ts'
import { changeMemories } from '../src/store/changes.ts'
import { type Ledger, openLedger } from '../src/store/ledger.ts'
import { waitingFor } from '../src/store/outbox.ts'
import { listShares, type Share } from '../src/store/shares.ts'
import { saveAccess } from '../src/store/spaces.ts'
import { hashOfDocument } from '../src/sync/identity.ts'
import type { Item, ItemDocument } from '../src/sync/protocol.ts'
import { planShare, share, shareTraveller, unshare } from '../src/sync/shares.ts'
import type { TravelContext } from '../src/sync/traveller.ts'
import { sampleMemory } from './sample-memory.ts'

const project = 'github.com/acme/app'
const secret = `ghp_${'a1B2'.repeat(9)}`
let root: string
let ledger: Ledger
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-share-'))
  ledger = openLedger(layoutOf(root))
  saveAccess(ledger, { name: 'me', id: '1', role: 'admin', projects: null })
  saveAccess(ledger, { name: 'team:core', id: '2', role: 'writer', projects: null })
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true, force: true })
})

function context(config = ''): TravelContext {
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
  waitingFor(ledger, 'me', 0, 100)
    .filter(({ kind }) => kind === 'share')
    .map(({ id }) => id)

describe('sharing', () => {
  it('keeps the rule and has it wait to be sent; ending it does the same', () => {
    const memory = keep('Releases are cut from main')
    const sharing = ofMemory(memory, 'user:bob', 'write')
    share(context(), sharing)
    expect(listShares(ledger)).toMatchObject([
      { subject: { kind: 'memory', id: memory.id }, with: 'user:bob', permission: 'write' },
    ])
    const item = `share:${sharing.share.id}`
    expect(waiting()).toEqual([item])
    expect(shareTraveller.wanted(context(), 'me', item)).toEqual({
      kind: 'document',
      document: { subject: { kind: 'memory', id: memory.id }, with: 'user:bob', permission: 'write' },
    })
    expect(unshare(context(), sharing.share.id.slice(0, 6)).id).toBe(sharing.share.id)
    expect(shareTraveller.wanted(context(), 'me', item)).toEqual({ kind: 'nothing' })
    expect(waiting()).toEqual([item])
  })

  it('is one rule for the same subject and reader, and another for any other', () => {
    const memory = keep('Releases are cut from main', { tags: ['release'] })
    const ids = [
      ofMemory(memory),
      ofMemory(memory, 'team:core', 'write'),
      ofMemory(memory, 'user:bob'),
      ofTag('release'),
    ]
    expect(new Set(ids.map(({ share }) => share.id)).size).toBe(3)
    share(context(), ids[0]!)
    share(context(), ids[1]!)
    expect(listShares(ledger)).toMatchObject([{ permission: 'write' }])
  })

  it('of a tag tells what will be seen, and what stays here', () => {
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
    ['a project that is a folder', { project: '/home/dev/app' }, /a folder of this machine/],
  ])('refuses %s', (_, more, reason) => {
    expect(() => ofMemory(keep('Releases are cut from main', more))).toThrow(reason)
  })

  it('refuses a secret by its rule and never tells it', () => {
    const memory = keep('Releases are cut from main', { why: `The bot has ${secret}` })
    let told = ''
    try {
      ofMemory(memory)
    } catch (error) {
      told = String(error)
    }
    expect(told).toContain('github-token')
    expect(told).not.toContain(secret)
  })

  it('refuses private projects of the configuration', () => {
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
    expect(() => ofTag('private')).toThrow(/stays on this machine/)
    saveAccess(ledger, { name: 'team:core', id: '2', role: 'reader', projects: null })
    expect(() => ofTag('release')).toThrow(/not write/)
    const other = openLedger(layoutOf(join(root, 'other')))
    expect(() =>
      planShare(
        { ...context(), ledger: other },
        { subject: { kind: 'tag', tag: 'x' }, with: 'user:bob', permission: 'read' },
      ),
    ).toThrow(/joined no server/)
    other.close()
  })
})

describe('a share that comes from another machine of the person', () => {
  const document: ItemDocument = { subject: { kind: 'tag', tag: 'release' }, with: 'team:core', permission: 'read' }
  const itemOf = (content: ItemDocument | null, version: number): Item => ({
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
  const meet = (item: Item, base?: ReturnType<typeof known>) =>
    ledger.transaction(() => shareTraveller.meet(context(), 'me', item, base))

  it('is taken, and goes when it is ended there', () => {
    expect(meet(itemOf(document, 1))).toBe('taken')
    expect(shareTraveller.wanted(context(), 'me', 'share:s-1')).toEqual({ kind: 'document', document })
    expect([...shareTraveller.ids(context(), 'me')]).toEqual(['share:s-1'])
    expect(meet(itemOf(document, 1))).toBe('same')
    expect(meet(itemOf(null, 2), known(document, 1))).toBe('taken')
    expect(listShares(ledger)).toEqual([])
  })

  it('does not undo what was said here meanwhile, nor what a restored server has forgotten', () => {
    meet(itemOf({ ...document, permission: 'write' }, 1))
    expect(meet(itemOf(null, 2), known(document, 1))).toBe('merged')
    expect(meet(itemOf(document, 1), known({ ...document, permission: 'write' }, 3))).toBe('merged')
    expect(listShares(ledger)).toMatchObject([{ permission: 'write' }])
  })

  it('of a form that is not known is left alone', () => {
    expect(meet(itemOf({ ...document, until: '2027' }, 1))).toBe('not understood')
    expect(listShares(ledger)).toEqual([])
  })
})
