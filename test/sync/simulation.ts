// Simulates three machines and a server: applies random operations to them, with a network that
// fails.
import { UserError } from '../../src/core/errors.ts'
import { undo } from '../../src/learn/change.ts'
import { linkMemories, unlinkMemories } from '../../src/learn/links.ts'
import { hasLink } from '../../src/memory/links.ts'
import type { Memory } from '../../src/memory/memory.ts'
import type { ServerDatabase } from '../../src/server/database/database.ts'
import type { HttpApp } from '../../src/server/http/app.ts'
import { listMemories } from '../../src/store/memories/memories.ts'
import { countOutbox, refusedItems } from '../../src/store/sync/outbox.ts'
import { listShares } from '../../src/store/sync/shares.ts'
import { dismissRefusals } from '../../src/sync/engine/dismiss-refusals.ts'
import { planShare, saveSharePlan, unshare } from '../../src/sync/kinds/shares.ts'
import { isPrivate } from '../../src/sync/privacy.ts'
import { addKey, addTeam, addUser, createTestApp } from '../server/test-app.ts'
import { fetchOf, machine, type TestMachine } from './machines.ts'
import { type Model, newModel, newWords, noteChange, teamPrefix, wordsIn } from './model.ts'
import { faultyFetch } from './network.ts'
import type { Operation } from './operations.ts'

export interface Simulation {
  database: ServerDatabase
  httpApp: HttpApp
  machines: SimulatedMachine[]
  /** `team:<name>`. */
  team: string
  model: Model
  /** Delivers earlier requests once more. */
  old: (() => Promise<unknown>)[]
  /** Private words that reached the server; must stay empty. */
  leaked: string[]
}

export type SimulatedMachine = TestMachine & { user: string }

let simulations = 0

export async function createSimulation(database: ServerDatabase, people: readonly string[]): Promise<Simulation> {
  const number = ++simulations
  const httpApp = createTestApp(database)
  const team = `core-${number}`
  const users = people.map((name) => `${name}-${number}`)
  for (const user of new Set(users)) await addUser(database, user)
  await addTeam(database, team, Object.fromEntries(users.map((user) => [user, 'writer'])))
  const machines: SimulatedMachine[] = []
  for (const [index, user] of users.entries()) {
    const { text: key } = await addKey(database, user)
    machines.push(Object.assign(machine(`m${index}`, key, httpApp), { user }))
  }
  for (const one of machines) await one.join()
  return { database, httpApp, machines, team: `team:${team}`, model: newModel(number), old: [], leaked: [] }
}

export async function applyOperation(simulation: Simulation, operation: Operation): Promise<void> {
  const here = simulation.machines[operation.at]!
  const { model } = simulation
  switch (operation.kind) {
    case 'remember':
      // Few memories, so that machines often change the same one.
      if (current(here).length < 6) addMemory(simulation, here, newWords(model), operation.where)
      return
    case 'remember the same': {
      const said = [...model.words.keys()]
      const word = said[operation.which % Math.max(1, said.length)]
      if (word === undefined || current(here).some(({ text }) => text === word)) return
      model.words.get(word)!.isSaidByMany = true
      return addMemory(simulation, here, word, operation.where)
    }
    case 'edit':
      return withOne(here, operation.which, (memory) => change(simulation, here, memory, { text: newWords(model) }))
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
        change(simulation, here, memory, {
          tags: without.length < memory.tags.length ? without : [...memory.tags, tag],
        })
      })
    case 'forget':
      return withOne(here, operation.which, (memory) => {
        here.forget(memory.id)
        noteChange(model, here, memory, here.memory(memory.id))
      })
    case 'link':
      return withOne(here, operation.which, (memory) =>
        withOne(here, operation.to, ({ id: to }) =>
          ignoreUserErrors(() => {
            const link = { from: memory.id, type: operation.type, to }
            ;(hasLink(memory, link) ? unlinkMemories : linkMemories)(here.context, link)
            noteChange(model, here, memory, here.memory(memory.id))
          }),
        ),
      )
    case 'undo':
      return ignoreUserErrors(() => {
        const { versions } = undo(here.context)
        for (const { before, after } of versions) noteChange(model, here, after ?? undefined, before ?? undefined)
      })
    case 'share':
      return shareOne(simulation, here, operation)
    case 'unshare': {
      const shares = listShares(here.ledger)
      const one = shares[operation.which % Math.max(1, shares.length)]
      if (one) unshare(here.context, one.id)
      return
    }
    case 'sync':
      return exchange(simulation, here, operation)
    case 'old request': {
      const again = simulation.old[operation.which % Math.max(1, simulation.old.length)]
      await again?.()
      return
    }
    case 'restart':
      return here.restart()
    case 'restart server':
      simulation.httpApp = createTestApp(simulation.database)
      return
    case 'clock':
      here.time.ms += operation.days * 86_400_000
      return
    default:
      operation satisfies never
  }
}

/** Memories that a user could try to change, including those shared by others. */
function current({ ledger }: SimulatedMachine): Memory[] {
  return listMemories(ledger, { state: 'kept', isCurrent: true }).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

function withOne(here: SimulatedMachine, which: number, work: (memory: Memory) => void): void {
  const found = current(here)
  const memory = found[which % Math.max(1, found.length)]
  if (memory) work(memory)
}

function addMemory({ model, team }: Simulation, here: SimulatedMachine, text: string, where: 'own' | 'team'): void {
  const id = `${where === 'team' ? teamPrefix : 'm-'}${++model.count}`
  const place = where === 'team' ? { space: team, author: here.user } : {}
  here.write({ id, text, project: null, ...place })
  noteChange(model, here, undefined, here.memory(id))
}

function change({ model }: Simulation, here: SimulatedMachine, before: Memory, what: Partial<Memory>): void {
  here.write({ ...what, id: before.id })
  noteChange(model, here, before, here.memory(before.id))
}

function shareOne(
  { team, machines }: Simulation,
  here: SimulatedMachine,
  { which, by, permission, ...operation }: Extract<Operation, { kind: 'share' }>,
): void {
  const other = machines.find(({ user }) => user !== here.user)
  if (operation.with === 'user' && !other) return
  const target = operation.with === 'team' ? team : `user:${other!.user}`
  const own = current(here).filter(({ space }) => space === null)
  const memory = by === 'memory' ? own[which % Math.max(1, own.length)] : undefined
  if (by === 'memory' && !memory) return
  const subject = memory ? ({ kind: 'memory', id: memory.id } as const) : ({ kind: 'tag', tag: 'release' } as const)
  ignoreUserErrors(() =>
    saveSharePlan(here.context, planShare(here.context, { subject, with: target, permission }, memory)),
  )
}

/** An operation that is refused with a user error has no effect. */
function ignoreUserErrors(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
  }
}

async function exchange(
  simulation: Simulation,
  here: SimulatedMachine,
  { part, isForced, faults }: Extract<Operation, { kind: 'sync' }>,
): Promise<void> {
  const closed = { both: [], push: ['/pull', '/summary', '/buckets'], pull: ['/push'] }[part]
  here.net.fetch = networkOf(simulation, faults, closed)
  await here.sync({ isForced })
  // Lets the delay before the next attempt pass.
  here.time.ms += 2 * 3_600_000
  here.net.fetch = networkOf(simulation)
}

function networkOf(
  simulation: Simulation,
  faults: Extract<Operation, { kind: 'sync' }>['faults'] = [],
  closed: readonly string[] = [],
): typeof fetch {
  return faultyFetch({
    fetch: (input, init) => fetchOf(simulation.httpApp)(input, init),
    faults: faults,
    closed,
    onArrival(body, again) {
      simulation.leaked.push(...wordsIn(body).filter((word) => !simulation.model.open.has(word)))
      simulation.old.push(again)
    },
  })
}

/** Syncs until no machine sends or receives anything; refused items are dismissed. */
export async function syncUntilStable(simulation: Simulation, isForced: boolean): Promise<void> {
  // No retry delay is longer than a day, even if the clock was wrong when it began.
  for (const one of simulation.machines) one.time.ms += 26 * 3_600_000
  await converge(simulation, isForced)
  const refused = simulation.machines.filter(({ ledger }) => countOutbox(ledger).refused > 0)
  if (refused.length === 0) return
  for (const one of refused) dismissRefused(simulation, one)
  await converge(simulation, isForced)
}

/** Dismissing a refusal discards the refused words, so the model no longer expects them. */
function dismissRefused({ model }: Simulation, here: SimulatedMachine): void {
  for (const { id } of refusedItems(here.ledger)) {
    const memory = here.memory(id)
    if (memory) model.words.get(memory.text)!.isRetired = true
  }
  dismissRefusals(here.context)
}

async function converge(simulation: Simulation, isForced: boolean): Promise<void> {
  for (let round = 1; round <= maxRounds; round++) {
    const moved: number[] = []
    for (const one of simulation.machines) {
      one.net.fetch = networkOf(simulation)
      const { pushed, pulled, failures } = await one.sync({ isForced })
      if (failures.length > 0) throw new Error(`${one.name}: ${failures.join(', ')}`)
      one.time.ms += 2 * 3_600_000
      moved.push(pushed + pulled)
    }
    if (moved.every((count) => count === 0)) return
  }
  throw new Error('The machines never stop sending changes')
}

const maxRounds = 12

/** Memories that may be synced, that is all but private ones. */
export function syncableMemories({ ledger, context }: SimulatedMachine): Memory[] {
  return listMemories(ledger).filter(
    (memory) => memory.state !== 'forgotten' && !(memory.space === null && isPrivate(context, memory)),
  )
}
