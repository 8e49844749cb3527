// What has to be so in the end: everybody has the same, nothing is lost, nothing came back, nothing private was seen.
import { expect } from 'vitest'
import type { Memory } from '../../src/memory/memory.ts'
import { memoryHistory } from '../../src/store/memories/changes.ts'
import { listMemories } from '../../src/store/memories/memories.ts'
import { countOutbox, refusedItems } from '../../src/store/sync/outbox.ts'
import { memoryDocumentOf } from '../../src/sync/kinds/memory-document.ts'
import type { PullPage, SyncItem } from '../../src/sync/protocol.ts'
import { ask } from '../server/start.ts'
import { isForgotten, wordsIn } from './model.ts'
import { type Machine, openMemories, type World } from './world.ts'

export async function checkAgreement(world: World): Promise<void> {
  const { machines } = world
  for (const one of machines)
    expect({ ...countOutbox(one.ledger), items: refusedItems(one.ledger) }, one.name).toEqual({
      waiting: 0,
      refused: 0,
      items: [],
    })
  for (const [, own] of Map.groupBy(machines, ({ user }) => user)) {
    const [first, ...others] = own.map((one) => Object.fromEntries(openMemories(one).map(plain)))
    for (const other of others) expect(other).toEqual(first)
  }
  for (const one of machines) await checkServer(world, one)
  checkWords(world)
  expect(world.leaked).toEqual([])
  await checkTables(world)
}

/**
 * Field by field; how often it was shown and used is a machine's own. What somebody shows both to the team and to this person lies in
 * the one or in the other.
 */
function plain({ counts, space, ...memory }: Memory): [string, object] {
  return [memory.id, { ...memory, said: counts.said, isOwn: space === null }]
}

/** What the server has in each space that a machine can see is what the machine has. */
async function checkServer({ httpApp, team }: World, one: Machine): Promise<void> {
  const here = new Map(openMemories(one).map((memory) => [memory.id, memory]))
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

async function itemsIn(httpApp: World['httpApp'], { key }: Machine, space: string): Promise<SyncItem[]> {
  const items: SyncItem[] = []
  for (let after = 0; ; ) {
    const { json } = await ask(httpApp, 'GET', `/api/spaces/${encodeURIComponent(space)}/pull?after=${after}`, { key })
    const page = json as PullPage
    items.push(...page.items)
    after = page.cursor
    if (!page.hasMore) return items
  }
}

function checkWords({ machines, model }: World): void {
  const all = machines.flatMap(({ ledger }) => listMemories(ledger))
  const present = new Set(all.filter(({ state }) => state !== 'forgotten').map(({ text }) => text))
  const past = new Set(machines.flatMap(wordsOfHistory))
  const words = [...model.words]
  expect(words.filter(([word, { isRetired }]) => !isRetired && !present.has(word)).map(([word]) => word)).toEqual([])
  expect(words.filter(([word]) => !past.has(word)).map(([word]) => word)).toEqual([])
  // What is private on one machine stays there, whatever the others do with theirs.
  const live = machines.flatMap(openMemories).filter(({ supersededBy }) => supersededBy === null)
  expect(live.filter(({ id }) => isForgotten(model, id))).toEqual([])
  const isBack = ({ text }: Memory) => {
    const { isForgotten, isSaidByMany } = model.words.get(text)!
    return isForgotten && !isSaidByMany
  }
  // Two who forget it at once may keep for each other what neither wants: that waits for a person.
  expect(live.filter((memory) => memory.state === 'kept' && isBack(memory))).toEqual([])
}

function wordsOfHistory({ ledger }: Machine): string[] {
  const ids = ledger.sql('SELECT DISTINCT memory FROM memory_versions').all()
  return ids
    .flatMap(({ memory }) => memoryHistory(ledger, String(memory)))
    .flatMap(({ before, after }) => [before?.text ?? '', after?.text ?? ''])
}

/** Every table, as text: also what is searched by and what was noted of who did what. */
async function checkTables({ database, model }: World): Promise<void> {
  const tables = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
  )
  for (const { name } of tables) {
    const rows = await database.query<{ text: string }>(`SELECT row::text AS text FROM "${name}" row`)
    const seen = new Set(rows.flatMap(({ text }) => wordsIn(text)))
    expect([...model.words.keys()].filter((word) => seen.has(word) && !model.open.has(word))).toEqual([])
  }
}
