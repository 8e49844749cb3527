// Checks the end of a simulation: all machines have the same memories, nothing is lost, nothing
// forgotten is back, and nothing private reached the server.
import { expect } from 'vitest'
import type { Memory } from '../../src/memory/memory.ts'
import { memoryHistory } from '../../src/store/memories/changes.ts'
import { listMemories } from '../../src/store/memories/memories.ts'
import { countOutbox, refusedItems } from '../../src/store/sync/outbox.ts'
import { memoryDocumentOf } from '../../src/sync/kinds/memory-document.ts'
import type { PullPage, SyncItem } from '../../src/sync/protocol.ts'
import { ask } from '../server/test-app.ts'
import { isForgotten, wordsIn } from './model.ts'
import { type SimulatedMachine, type Simulation, syncableMemories } from './simulation.ts'

export async function checkConvergence(simulation: Simulation): Promise<void> {
  const { machines } = simulation
  for (const one of machines)
    expect({ ...countOutbox(one.ledger), items: refusedItems(one.ledger) }, one.name).toEqual({
      waiting: 0,
      refused: 0,
      items: [],
    })
  for (const [, own] of Map.groupBy(machines, ({ user }) => user)) {
    const [first, ...others] = own.map((one) => Object.fromEntries(syncableMemories(one).map(plain)))
    for (const other of others) expect(other).toEqual(first)
  }
  for (const one of machines) await checkServer(simulation, one)
  checkWords(simulation)
  expect(simulation.leaked).toEqual([])
  await checkTables(simulation)
}

/**
 * Without the counts of showing and use and who kept it, which each machine has for itself. A memory that is shared
 * both with the team and with a user may be in either space.
 */
function plain({ counts, space, because: _, score: __, ...memory }: Memory): [string, object] {
  return [memory.id, { ...memory, said: counts.said, isOwn: space === null }]
}

/** The machine has exactly the items of the spaces that it can see on the server. */
async function checkServer({ httpApp, team }: Simulation, one: SimulatedMachine): Promise<void> {
  const here = new Map(syncableMemories(one).map((memory) => [memory.id, memory]))
  const there = new Set<string>()
  for (const space of ['me', 'shared', team]) {
    for (const item of await itemsIn(httpApp, one, space)) {
      if (item.kind !== 'memory' || item.document === null || item.sharedBy?.isMine) continue
      const memory = here.get(item.id)
      there.add(item.id)
      expect(memory && memoryDocumentOf(memory), `${one.name} ${space} ${item.id}`).toEqual(item.document)
      if (memory!.space !== null)
        expect(memory!.author, `${one.name} ${item.id}`).toBe(item.sharedBy?.user ?? item.author)
    }
  }
  expect([...here.keys()].filter((id) => !there.has(id))).toEqual([])
}

async function itemsIn(httpApp: Simulation['httpApp'], { key }: SimulatedMachine, space: string): Promise<SyncItem[]> {
  const items: SyncItem[] = []
  for (let after = 0; ; ) {
    const { json } = await ask(httpApp, 'GET', `/api/spaces/${encodeURIComponent(space)}/pull?after=${after}`, { key })
    const page = json as PullPage
    items.push(...page.items)
    after = page.cursor
    if (!page.hasMore) return items
  }
}

function checkWords({ machines, model }: Simulation): void {
  const all = machines.flatMap(({ ledger }) => listMemories(ledger))
  const present = new Set(all.filter(({ state }) => state !== 'forgotten').map(({ text }) => text))
  const past = new Set(machines.flatMap(wordsOfHistory))
  const words = [...model.words]
  expect(words.filter(([word, { isRetired }]) => !isRetired && !present.has(word)).map(([word]) => word)).toEqual([])
  expect(words.filter(([word]) => !past.has(word)).map(([word]) => word)).toEqual([])
  // Private memories stay on their machine, even if other machines forget theirs.
  const live = machines.flatMap(syncableMemories).filter(({ supersededBy }) => supersededBy === null)
  expect(live.filter(({ id }) => isForgotten(model, id))).toEqual([])
  const isBack = ({ text }: Memory) => {
    const { isForgotten, isSaidByMany } = model.words.get(text)!
    return isForgotten && !isSaidByMany
  }
  // If two users forget a memory at once, each may keep it for the other, in the inbox.
  expect(live.filter((memory) => memory.state === 'kept' && isBack(memory))).toEqual([])
}

function wordsOfHistory({ ledger }: SimulatedMachine): string[] {
  const ids = ledger.sql('SELECT DISTINCT memory FROM memory_versions').all()
  return ids
    .flatMap(({ memory }) => memoryHistory(ledger, String(memory)))
    .flatMap(({ before, after }) => [before?.text ?? '', after?.text ?? ''])
}

/** Searches every table as text, including the search index and the audit log. */
async function checkTables({ database, model }: Simulation): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  )
  for (const { name } of tables) {
    const rows = await database.query<{ text: string }>(`SELECT row::text AS text FROM "${name}" row`)
    const seen = new Set(rows.flatMap(({ text }) => wordsIn(text)))
    expect([...model.words.keys()].filter((word) => seen.has(word) && !model.open.has(word))).toEqual([])
  }
}
