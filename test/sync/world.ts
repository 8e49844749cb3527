// Three machines, a server, and everything that happens to them.
import { UserError } from '../../src/core/errors.ts'
import { undo } from '../../src/learn/change.ts'
import type { Memory } from '../../src/memory/memory.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import type { HttpApp } from '../../src/server/http/app.ts'
import { listMemories } from '../../src/store/memories/memories.ts'
import { countOutbox, refusedItems } from '../../src/store/sync/outbox.ts'
import { listShares } from '../../src/store/sync/shares.ts'
import { dismissRefusals } from '../../src/sync/engine/dismiss-refusals.ts'
import { planShare, saveSharePlan, unshare } from '../../src/sync/kinds/shares.ts'
import { isPrivate } from '../../src/sync/privacy.ts'
import { addKey, addTeam, addUser, createTestApp } from '../server/start.ts'
import { fetchOf, machine, type TestMachine } from './machines.ts'
import { type Model, newModel, newWords, noteChange, teamPrefix, wordsIn } from './model.ts'
import { wayThrough } from './network.ts'
import type { Operation } from './operations.ts'

export interface World {
  database: ServerDatabase
  httpApp: HttpApp
  machines: Machine[]
  /** `team:<name>`. */
  team: string
  model: Model
  /** Requests that have arrived, to arrive once more. */
  old: (() => Promise<unknown>)[]
  /** Words that arrived at the server and may not leave their machine. */
  leaked: string[]
}

export type Machine = TestMachine & { user: string }

let worlds = 0

export async function newWorld(database: ServerDatabase, people: readonly string[]): Promise<World> {
  const number = ++worlds
  const httpApp = createTestApp(database)
  const team = `core-${number}`
  const users = people.map((name) => `${name}-${number}`)
  for (const user of new Set(users)) await addUser(database, user)
  await addTeam(database, team, Object.fromEntries(users.map((user) => [user, 'writer'])))
  const machines: Machine[] = []
  for (const [index, user] of users.entries()) {
    const { text: key } = await addKey(database, user)
    machines.push(Object.assign(machine(`m${index}`, key, httpApp), { user }))
  }
  for (const one of machines) await one.join()
  return { database, httpApp, machines, team: `team:${team}`, model: newModel(number), old: [], leaked: [] }
}

export async function happen(world: World, operation: Operation): Promise<void> {
  const here = world.machines[operation.at]!
  const { model } = world
  switch (operation.kind) {
    case 'remember':
      // Few memories and many hands: that is where they meet.
      if (current(here).length < 6) say(world, here, newWords(model), operation.where)
      return
    case 'remember the same': {
      const said = [...model.words.keys()]
      const word = said[operation.which % Math.max(1, said.length)]
      if (word === undefined || current(here).some(({ text }) => text === word)) return
      model.words.get(word)!.isSaidByMany = true
      return say(world, here, word, operation.where)
    }
    case 'edit':
      return withOne(here, operation.which, (memory) => change(world, here, memory, { text: newWords(model) }))
    case 'say again':
      return withOne(here, operation.which, (memory) => {
        const { counts, evidence, id } = memory
        const quote = `evidence ${++model.count}`
        here.write({
          id,
          counts: { ...counts, said: counts.said + 1 },
          confirmedAt: new Date(here.time.ms).toISOString(),
          evidence: [...evidence, { session: null, event: null, quote }].slice(-20),
        })
      })
    case 'retag':
      return withOne(here, operation.which, (memory) => {
        const { tag } = operation
        const without = memory.tags.filter((one) => one !== tag)
        change(world, here, memory, { tags: without.length < memory.tags.length ? without : [...memory.tags, tag] })
      })
    case 'forget':
      return withOne(here, operation.which, (memory) => {
        here.forget(memory.id)
        noteChange(model, here, memory, here.memory(memory.id))
      })
    case 'undo':
      return allowed(() => {
        const { versions } = undo(here.context)
        for (const { before, after } of versions) noteChange(model, here, after ?? undefined, before ?? undefined)
      })
    case 'share':
      return shareOne(world, here, operation)
    case 'unshare': {
      const shares = listShares(here.ledger)
      const one = shares[operation.which % Math.max(1, shares.length)]
      if (one) unshare(here.context, one.id)
      return
    }
    case 'sync':
      return exchange(world, here, operation)
    case 'old request': {
      const again = world.old[operation.which % Math.max(1, world.old.length)]
      await again?.()
      return
    }
    case 'restart':
      return here.restart()
    case 'restart server':
      world.httpApp = createTestApp(world.database)
      return
    case 'clock':
      here.time.ms += operation.days * 86_400_000
      return
    default:
      operation satisfies never
  }
}

/** What a person could change: also what others show them, whatever they may do with it. */
function current({ ledger }: Machine): Memory[] {
  return listMemories(ledger, { state: 'kept', isCurrent: true }).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function withOne(here: Machine, which: number, work: (memory: Memory) => void): void {
  const found = current(here)
  const memory = found[which % Math.max(1, found.length)]
  if (memory) work(memory)
}

function say({ model, team }: World, here: Machine, text: string, where: 'own' | 'team'): void {
  const id = `${where === 'team' ? teamPrefix : 'm-'}${++model.count}`
  const place = where === 'team' ? { space: team, author: here.user } : {}
  here.write({ id, text, project: null, ...place })
  noteChange(model, here, undefined, here.memory(id))
}

function change({ model }: World, here: Machine, before: Memory, what: Partial<Memory>): void {
  here.write({ ...what, id: before.id })
  noteChange(model, here, before, here.memory(before.id))
}

function shareOne(
  { team, machines }: World,
  here: Machine,
  { which, by, permission, ...operation }: Extract<Operation, { kind: 'share' }>,
): void {
  const other = machines.find(({ user }) => user !== here.user)
  if (operation.with === 'user' && !other) return
  const target = operation.with === 'team' ? team : `user:${other!.user}`
  const own = current(here).filter(({ space }) => space === null)
  const memory = by === 'memory' ? own[which % Math.max(1, own.length)] : undefined
  if (by === 'memory' && !memory) return
  const subject = memory ? ({ kind: 'memory', id: memory.id } as const) : ({ kind: 'tag', tag: 'release' } as const)
  allowed(() => saveSharePlan(here.context, planShare(here.context, { subject, with: target, permission }, memory)))
}

/** What a person is told that they cannot do does not happen. */
function allowed(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
  }
}

async function exchange(
  world: World,
  here: Machine,
  { part, isForced, troubles }: Extract<Operation, { kind: 'sync' }>,
): Promise<void> {
  const closed = { both: [], push: ['/pull', '/summary', '/buckets'], pull: ['/push'] }[part]
  here.net.fetch = way(world, troubles, closed)
  await here.sync({ isForced })
  // Whoever waits for the next try has waited.
  here.time.ms += 2 * 3_600_000
  here.net.fetch = way(world)
}

function way(
  world: World,
  troubles: Extract<Operation, { kind: 'sync' }>['troubles'] = [],
  closed: readonly string[] = [],
): typeof fetch {
  return wayThrough({
    fetch: (input, init) => fetchOf(world.httpApp)(input, init),
    troubles,
    closed,
    onArrival(body, again) {
      world.leaked.push(...wordsIn(body).filter((word) => !world.model.open.has(word)))
      world.old.push(again)
    },
  })
}

/** Until nobody has anything left to say, and nobody waits for what was refused. */
export async function settle(world: World, isForced: boolean): Promise<void> {
  // No wait is longer than a day, however wrong the clock was when it began.
  for (const one of world.machines) one.time.ms += 26 * 3_600_000
  await converge(world, isForced)
  const refused = world.machines.filter(({ ledger }) => countOutbox(ledger).refused > 0)
  if (refused.length === 0) return
  for (const one of refused) giveUp(world, one)
  await converge(world, isForced)
}

/** Whoever dismisses a refusal gives up the words that were refused, and knows it. */
function giveUp({ model }: World, here: Machine): void {
  for (const { id } of refusedItems(here.ledger)) {
    const memory = here.memory(id)
    if (memory) model.words.get(memory.text)!.isRetired = true
  }
  dismissRefusals(here.context)
}

async function converge(world: World, isForced: boolean): Promise<void> {
  for (let round = 1; round <= maxRounds; round++) {
    const moved: number[] = []
    for (const one of world.machines) {
      one.net.fetch = way(world)
      const { pushed, pulled, failures } = await one.sync({ isForced })
      if (failures.length > 0) throw new Error(`${one.name}: ${failures.join(', ')}`)
      one.time.ms += 2 * 3_600_000
      moved.push(pushed + pulled)
    }
    if (moved.every((count) => count === 0)) return
  }
  throw new Error('They send each other something for ever')
}

const maxRounds = 12

/** What may leave the machine. */
export function openMemories({ ledger, context }: Machine): Memory[] {
  return listMemories(ledger).filter(
    (memory) => memory.state !== 'forgotten' && !(memory.space === null && isPrivate(context.config, memory)),
  )
}
