// What people show each other, and what is left when they no longer may.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { undo } from '../../src/learn/change.ts'
import { removeMember, setMember } from '../../src/server/store/teams.ts'
import { lastUndoableChange, memoryHistory } from '../../src/store/memories/changes.ts'
import { listMemories } from '../../src/store/memories/memories.ts'
import { countOutbox, refusedItems, retryRefused } from '../../src/store/sync/outbox.ts'
import { listShares, saveShare } from '../../src/store/sync/shares.ts'
import { dismissRefusals } from '../../src/sync/engine/dismiss-refusals.ts'
import { planShare, saveSharePlan, unshare } from '../../src/sync/kinds/shares.ts'
import { syncSummary } from '../../src/sync/state.ts'
import { serverDatabase } from '../server/databases.ts'
import { openTestServer, syncUntilStable, type TestServer, textsOnServer } from './test-server.ts'

describe.each([serverDatabase])('shares on $name', ({ open }) => {
  let server: TestServer

  beforeEach(async () => {
    server = await openTestServer(open)
  })
  afterEach(() => server?.close())

  it('shared memories appear, change and vanish for the other user', async () => {
    const [ann, bob] = [await server.joined('ann', 'ann'), await server.joined('bob', 'bob')]
    const desk = await server.joined('desk', 'ann')
    ann.write({ id: 'm-one', text: 'Releases are tagged', tags: ['release'], project: null })
    const share = { id: 's-1', subject: { kind: 'tag' as const, tag: 'release' }, permission: 'read' as const, atMs: 0 }
    ann.ledger.transaction(() => saveShare(ann.ledger, { ...share, with: 'team:core' }))
    await syncUntilStable(ann, bob, desk)
    expect(bob.memory('m-one')).toMatchObject({ space: 'team:core', author: 'ann' })
    // To the other machine of its owner it is their own, in whatever order the spaces come.
    expect(desk.memory('m-one')).toMatchObject({ space: null, author: null })
    desk.write({ id: 'm-one', text: 'Releases are tagged and signed' })
    await syncUntilStable(desk, ann, bob)
    expect(bob.memory('m-one')!.text).toBe('Releases are tagged and signed')
    desk.write({ id: 'm-one', tags: [] })
    await syncUntilStable(desk, bob, ann)
    expect(bob.memory('m-one')).toBeUndefined()
    expect(ann.memory('m-one')!.state).toBe('kept')
    for (const one of [ann, bob, desk]) expect(countOutbox(one.ledger)).toEqual({ waiting: 0, refused: 0 })
  })

  it('memories of projects without access are removed', async () => {
    const [ann, bob] = [await server.joined('ann', 'ann'), await server.joined('bob', 'bob')]
    const there = { space: 'team:core' }
    ann.write(
      { id: 'm-app', text: 'Of the app', project: 'github.com/dev/app', ...there },
      { id: 'm-site', text: 'Of the site', project: 'github.com/dev/site', ...there },
    )
    await syncUntilStable(ann, bob)
    expect(bob.texts()).toEqual(['Of the app', 'Of the site'])
    const member = { team: 'core', user: 'bob', role: 'writer' as const }
    await server.database.transaction((queries) => setMember(queries, { ...member, projects: ['github.com/dev/app'] }))
    await syncUntilStable(bob, ann)
    expect(bob.texts()).toEqual(['Of the app'])
    expect(ann.texts()).toEqual(['Of the app', 'Of the site'])
    expect(countOutbox(bob.ledger)).toEqual({ waiting: 0, refused: 0 })
    await server.database.transaction((queries) => setMember(queries, { ...member, projects: null }))
    await syncUntilStable(bob)
    expect(bob.texts()).toEqual(['Of the app', 'Of the site'])
  })

  it('a share follows a memory that was replaced by its duplicate', async () => {
    const [ann, bob] = [await server.joined('ann'), await server.joined('bob', 'bob')]
    const desk = await server.joined('desk')
    const words = { text: 'Releases are tagged', project: null }
    ann.write({ id: 'm-one', ...words })
    await syncUntilStable(ann)
    desk.write({ id: 'm-two', ...words })
    const wish = { subject: { kind: 'memory', id: 'm-two' }, with: 'team:core', permission: 'read' } as const
    saveSharePlan(desk.context, planShare(desk.context, wish, desk.memory('m-two')!))
    await desk.sync({ isForced: false })
    await syncUntilStable(desk, ann, bob)
    expect(bob.memory('m-one')).toMatchObject({ space: 'team:core', text: 'Releases are tagged' })
    for (const one of [ann, desk]) {
      expect(one.memory('m-two')).toBeUndefined()
      expect(listShares(one.ledger).map(({ subject }) => subject)).toEqual([{ kind: 'memory', id: 'm-one' }])
    }
  })

  it('concurrent edits of a shared memory keep both statements', async () => {
    const [ann, bob] = [await server.joined('ann'), await server.joined('bob', 'bob')]
    ann.write({ id: 'm-one', text: 'Before', project: null })
    const wish = { subject: { kind: 'memory', id: 'm-one' }, with: 'user:bob', permission: 'write' } as const
    saveSharePlan(ann.context, planShare(ann.context, wish, ann.memory('m-one')!))
    await syncUntilStable(ann, bob)
    ann.write({ id: 'm-one', text: 'By ann' })
    bob.write({ id: 'm-one', text: 'By bob' })
    await syncUntilStable(ann, bob)
    for (const one of [ann, bob]) expect(one.texts()).toEqual(['By bob'])
    expect(bob.memory('m-one')).toMatchObject({ space: 'shared', author: 'ann' })
    expect(countOutbox(bob.ledger)).toEqual({ waiting: 0, refused: 0 })
    // Of what is bob's own now, that is the one thing which he did not say.
    const kept = listMemories(bob.ledger).filter(({ supersededBy }) => supersededBy !== null)
    expect(kept).toMatchObject([{ text: 'By ann', space: null, trust: 'imported' }])
  })

  it('a team memory keeps its author although another user shares the same text', async () => {
    const [ann, bob] = [await server.joined('ann'), await server.joined('bob', 'bob')]
    ann.write({ id: 'm-one', text: 'Releases are tagged', project: null })
    const wish = { subject: { kind: 'memory', id: 'm-one' }, with: 'team:core', permission: 'read' } as const
    const shown = planShare(ann.context, wish, ann.memory('m-one')!)
    saveSharePlan(ann.context, shown)
    await syncUntilStable(ann)
    bob.write({ id: 'm-two', text: 'Releases are tagged', project: null, space: 'team:core' })
    expect(await bob.sync()).toMatchObject({ pushed: 1, refused: 0, failures: [] })
    unshare(ann.context, shown.share.id)
    await syncUntilStable(ann, bob)
    expect(bob.texts()).toEqual(['Releases are tagged'])
    expect(await textsOnServer(server.httpApp, ann.key, 'team:core')).toEqual(['Releases are tagged'])
  })

  it('undoing forget does not send a memory to the team that its owner no longer shares', async () => {
    const [ann, bob] = [await server.joined('ann'), await server.joined('bob', 'bob')]
    ann.write({ id: 'm-one', text: 'Releases are tagged', project: null })
    const wish = { subject: { kind: 'memory', id: 'm-one' }, with: 'team:core', permission: 'read' } as const
    const plan = planShare(ann.context, wish, ann.memory('m-one')!)
    saveSharePlan(ann.context, plan)
    await syncUntilStable(ann, bob)
    bob.forget('m-one')
    unshare(ann.context, plan.share.id)
    await syncUntilStable(ann, bob)
    undo(bob.context)
    await syncUntilStable(bob, ann)
    expect(await textsOnServer(server.httpApp, ann.key, 'team:core')).toEqual([])
    expect(refusedItems(bob.ledger)).toMatchObject([{ id: 'm-one', refusal: { reason: 'not allowed' } }])
    expect(dismissRefusals(bob.context)).toMatchObject([{ id: 'm-one', became: 'gone' }])
    expect(bob.memory('m-one')).toBeUndefined()
    saveSharePlan(ann.context, plan)
    await syncUntilStable(ann, bob)
    expect(bob.memory('m-one')).toMatchObject({ space: 'team:core', author: 'ann' })
    expect(countOutbox(bob.ledger)).toEqual({ waiting: 0, refused: 0 })
  })

  describe('dismissRefusals', () => {
    it('fetches a memory that is also in another space', async () => {
      const [ann, bob] = [await server.joined('ann'), await server.joined('bob', 'bob')]
      ann.write({ id: 'm-one', text: 'Releases are tagged', project: null })
      const plans = (['team:core', 'user:bob'] as const).map((target) => {
        const subject = { kind: 'memory', id: 'm-one' } as const
        return planShare(ann.context, { subject, with: target, permission: 'read' }, ann.memory('m-one')!)
      })
      for (const plan of plans) saveSharePlan(ann.context, plan)
      await syncUntilStable(ann, bob)
      expect(bob.memory('m-one')).toMatchObject({ space: 'shared' })
      bob.forget('m-one')
      unshare(ann.context, plans[1]!.share.id)
      await ann.sync()
      await bob.sync({ isForced: false })
      undo(bob.context)
      await syncUntilStable(bob)
      expect(dismissRefusals(bob.context)).toMatchObject([{ id: 'm-one', became: 'gone' }])
      await bob.sync({ isForced: false })
      expect(bob.memory('m-one')).toMatchObject({ space: 'team:core', author: 'ann' })
    })

    it('drops refused items of a team that was left', async () => {
      const bob = await server.joined('bob', 'bob')
      bob.write({ id: 'm-new', text: 'Not sent in time', space: 'team:core', project: null })
      await server.database.transaction((queries) => removeMember(queries, 'core', 'bob'))
      await syncUntilStable(bob)
      expect(refusedItems(bob.ledger)).toMatchObject([{ id: 'm-new', refusal: { reason: 'not allowed' } }])
      expect(dismissRefusals(bob.context, 'm-new')).toMatchObject([{ id: 'm-new', became: 'gone' }])
      await syncUntilStable(bob)
      expect(countOutbox(bob.ledger)).toEqual({ waiting: 0, refused: 0 })
      expect(bob.history('m-new')).toEqual(['remembered', 'synced'])
    })

    it('restores memories of others; undo brings back the local edit', async () => {
      const [ann, bob] = [await server.joined('ann'), await server.joined('bob', 'bob')]
      ann.write({ id: 'm-one', text: 'By ann', project: null })
      const wish = { subject: { kind: 'memory', id: 'm-one' }, with: 'user:bob', permission: 'read' } as const
      saveSharePlan(ann.context, planShare(ann.context, wish, ann.memory('m-one')!))
      await syncUntilStable(ann, bob)
      bob.write({ id: 'm-one', text: 'By bob' })
      await syncUntilStable(bob, ann)
      expect(syncSummary(bob.context)).toMatchObject({ refused: 1 })
      expect(dismissRefusals(bob.context)).toMatchObject([{ id: 'm-one', became: 'back' }])
      expect(syncSummary(bob.context)).toMatchObject({ refused: 0, waiting: 0 })
      const { id } = lastUndoableChange(bob.ledger)!
      await bob.sync({ isForced: false })
      expect(bob.memory('m-one')).toMatchObject({ text: 'By ann', author: 'ann' })
      expect(ann.memory('m-one')!.text).toBe('By ann')
      expect(memoryHistory(bob.ledger, 'm-one').find(({ change }) => change.id === id)!.before!.text).toBe('By bob')
    })

    it('keeps own memories, sends later changes, and allows a retry', async () => {
      const ann = await server.joined('ann')
      ann.write({ id: 'm-one', text: 'Fine' }, { id: 'm-two', text: 'Never taken' })
      const net = ann.net.fetch
      ann.net.fetch = async (input, init) =>
        String(init?.body ?? '').includes('Never taken')
          ? Response.json({ error: { code: 'invalid', message: 'No' } }, { status: 422 })
          : net(input, init)
      await syncUntilStable(ann)
      expect(dismissRefusals(ann.context)).toMatchObject([{ id: 'm-two', became: 'stays' }])
      await syncUntilStable(ann)
      expect(countOutbox(ann.ledger)).toEqual({ waiting: 0, refused: 0 })
      expect(ann.texts()).toEqual(['Fine', 'Never taken'])
      expect(retryRefused(ann.ledger)).toBe(1)
      await syncUntilStable(ann)
      expect(countOutbox(ann.ledger)).toEqual({ waiting: 0, refused: 1 })
      dismissRefusals(ann.context)
      ann.write({ id: 'm-two', text: 'Taken' })
      await syncUntilStable(ann)
      expect(await textsOnServer(server.httpApp, ann.key)).toEqual(['Fine', 'Taken'])
    })

    it('rejects an id that was not refused', async () => {
      const ann = await server.joined('ann')
      expect(() => dismissRefusals(ann.context)).toThrow('Nothing was refused')
      expect(() => dismissRefusals(ann.context, 'm-one')).toThrow('m-one was not refused')
    })
  })
})
