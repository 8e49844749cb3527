// A server that is wrong or hostile: a sync ends, says which server it was, and keeps what it has.
import { afterEach, describe, expect, it } from 'vitest'
import type { HttpApp } from '../../src/server/http/app.ts'
import { listSpaces } from '../../src/store/sync/spaces.ts'
import { hashOfDocument } from '../../src/sync/item-hash.ts'
import { memoryDocumentOf } from '../../src/sync/kinds/memory-document.ts'
import type { ItemDocument, PullPage, PushRequest, SyncItem } from '../../src/sync/protocol.ts'
import { sampleMemory } from '../sample-memory.ts'
import { address, machine, type TestMachine } from './machines.ts'

let laptop: TestMachine
afterEach(() => laptop?.remove())

interface Lies {
  pull?(after: number, request: number): Partial<PullPage>
  push?(request: PushRequest, count: number): unknown
}

const honestPage: PullPage = { items: [], cursor: 0, hasMore: false, isReset: false }

/** A machine that has joined a server which answers with these lies. Returns the paths that it asked for. */
async function joinLiar({ pull = () => ({}), push = () => ({ results: [] }) }: Lies): Promise<string[]> {
  const asked: string[] = []
  const account = {
    user: 'ann',
    key: { id: 'k', role: 'admin', expiresAt: null },
    spaces: [{ name: 'me', id: 'space-1', role: 'admin', projects: null, seq: 1_000_000 }],
  }
  const answers: Record<string, (url: URL, body: string) => unknown> = {
    '/api/me': () => account,
    '/api/spaces/me/pull': (url) => {
      const after = Number(url.searchParams.get('after'))
      return { ...honestPage, cursor: after, ...pull(after, asked.length) }
    },
    '/api/spaces/me/push': (_, body) => push(JSON.parse(body) as PushRequest, asked.length),
    '/api/spaces/me/summary': () => ({ buckets: [] }),
  }
  laptop = machine('laptop', 'rk_liar', {} as HttpApp)
  laptop.net.fetch = async (input, init) => {
    const url = new URL(String(input))
    asked.push(url.pathname)
    return Response.json(answers[url.pathname]!(url, String(init?.body ?? '')))
  }
  await laptop.join()
  asked.length = 0
  return asked
}

function itemAt(seq: number): SyncItem {
  const document = memoryDocumentOf(sampleMemory({ id: `m-${seq}`, text: `Lie number ${seq}` })) as ItemDocument
  const hash = hashOfDocument(document)
  return { id: `m-${seq}`, kind: 'memory', seq, version: 1, hash, document, author: 'ann', sharedBy: null }
}

describe('a server that lies about pages', () => {
  it.each<[string, Lies['pull'], RegExp]>([
    ['always has more but sends nothing', () => ({ hasMore: true }), /says that it has more changes but sends none/],
    [
      'moves the cursor without items',
      (after) => ({ hasMore: true, cursor: after + 1 }),
      /says that it has more changes but sends none/,
    ],
    [
      'repeats the same page',
      () => ({ hasMore: true, cursor: 1, items: [itemAt(1)] }),
      /not between its cursors|sends none/,
    ],
    [
      'goes back',
      (after) =>
        after === 0 ? { hasMore: true, cursor: 5, items: [itemAt(5)] } : { hasMore: true, cursor: after - 1 },
      /cursor that goes back/,
    ],
    [
      'sends items behind the cursor',
      () => ({ hasMore: false, cursor: 3, items: [itemAt(9)] }),
      /not between its cursors/,
    ],
    [
      'resets again and again',
      (after) => (after === 0 ? { hasMore: true, cursor: 5, items: [itemAt(5)] } : { isReset: true }),
      /reset the cursor twice/,
    ],
    [
      'never ends although each page makes progress',
      (after) => ({ hasMore: true, cursor: after + 1, items: [itemAt(after + 1)] }),
      /sent 20 pages of changes and has more/,
    ],
    [
      'sends a gigantic page',
      () => ({ hasMore: false, cursor: 900, items: Array.from({ length: 900 }, (_, index) => itemAt(index + 1)) }),
      /does not answer like a Recollect server/,
    ],
  ])('that %s ends the sync with the name of the server', async (_, pull, message) => {
    const asked = await joinLiar({ pull: pull! })
    const { failures } = await laptop.sync({ maxPages: 20 })
    expect(failures).toHaveLength(1)
    expect(failures[0]).toMatch(message)
    expect(failures[0]).toContain(address)
    expect(asked.length).toBeLessThan(30)
  })

  it('keeps what was read before, and the next sync reads on', async () => {
    await joinLiar({ pull: (after) => ({ hasMore: true, cursor: after + 1, items: [itemAt(after + 1)] }) })
    await laptop.sync({ maxPages: 3 })
    await laptop.sync({ maxPages: 3 })
    expect(listSpaces(laptop.ledger).find(({ name }) => name === 'me')!.cursor).toBe(6)
    expect(laptop.texts()).toHaveLength(6)
  })

  it('ends at the time limit of the sync', async () => {
    await joinLiar({ pull: (after) => ({ hasMore: true, cursor: after + 1, items: [itemAt(after + 1)] }) })
    expect(await laptop.sync({ maxMs: 300, maxPages: Number.MAX_SAFE_INTEGER })).toMatchObject({ isUnfinished: true })
  })
})

describe('a server that lies about pushes', () => {
  it('that answers every item with another duplicate ends', async () => {
    const asked = await joinLiar({
      push: ({ items }, count) => ({
        // Each answer invents another memory, which is private here and so has to be deleted there.
        results: items.map(({ id }, index) => {
          const document = { ...itemAt(1).document!, text: `Lie ${count} ${index}`, tags: ['private'] }
          const of = { ...itemAt(1), id: `m-new${count}x${index}`, document, hash: hashOfDocument(document) }
          return { status: 'duplicate', id, of }
        }),
      }),
    })
    laptop.write({ id: 'm-one', text: 'The port is 7718' })
    await laptop.sync()
    expect(asked.length).toBeLessThan(50)
  })

  it('that answers every item with a conflict ends', async () => {
    const asked = await joinLiar({
      push: ({ items }, count) => ({
        results: items.map(({ id }) => {
          const document = { ...itemAt(1).document!, text: `Lie ${count}` }
          const current = { ...itemAt(1), id, version: count, document, hash: hashOfDocument(document) }
          return { status: 'conflict', id, current }
        }),
      }),
    })
    laptop.write({ id: 'm-one', text: 'The port is 7718' })
    await laptop.sync()
    expect(asked.length).toBeLessThan(50)
  })
})
