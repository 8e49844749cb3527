import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import { readThreads } from './database.ts'

describe('Zed database', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-zed-'))
    path = join(folder, 'threads.db')
    // The schema before parents, folders and times of creation came.
    change(
      'CREATE TABLE threads (id TEXT PRIMARY KEY, summary TEXT NOT NULL, updated_at TEXT NOT NULL, data_type TEXT NOT NULL, data BLOB NOT NULL)',
    )
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('reads the oldest schema', () => {
    save('t1', '2026-03-01T10:00:00+00:00', ['trim the sail'])
    const { about, events } = read(undefined).collection.sessions.get('t1')!
    expect(about).toEqual({ title: 'Sail', titleRank: 3, ended: '2026-03-01T10:00:00.000Z' })
    expect(events).toMatchObject([{ kind: 'prompt', text: 'trim the sail', ts: null }])
  })

  it('reads again only the threads that were saved since, with the same keys', () => {
    save('t1', '2026-03-01T10:00:00+00:00', ['trim the sail'])
    save('t2', '2026-03-01T10:00:00+00:00', ['mend the net'])
    const first = read(undefined)
    expect(read(first.memo).sessions).toEqual([])

    save('t2', '2026-03-01T10:05:00+00:00', ['mend the net', 'and the rope'])
    const second = read(first.memo)
    expect(second.sessions).toEqual(['t2'])
    const keys = (from: typeof first) => from.collection.sessions.get('t2')!.events.map((event) => event.key)
    expect(keys(second).slice(0, 1)).toEqual(keys(first))
  })

  it('does not unpack a row that would fill the memory', () => {
    const bomb = zstdCompressSync(Buffer.alloc(300 << 20))
    expect(bomb.length).toBeLessThan(100_000)
    put('bomb', '2026-03-01T10:00:00+00:00', bomb)
    save('t1', '2026-03-01T10:00:00+00:00', ['trim the sail'])
    const { collection, sessions } = read(undefined)
    expect(sessions).toEqual(['t1'])
    expect(collection.bad).toEqual(['0: thread bomb could not be read'])
  })

  function save(id: string, updatedAt: string, said: string[]): void {
    const messages = said.map((text, index) => ({ User: { id: `u${index}`, content: [{ Text: text }] } }))
    put(id, updatedAt, zstdCompressSync(JSON.stringify({ version: '0.3.0', title: 'Sail', messages })))
  }

  function put(id: string, updatedAt: string, data: Buffer): void {
    const database = new DatabaseSync(path)
    database.prepare("INSERT OR REPLACE INTO threads VALUES (?, 'Sail', ?, 'zstd', ?)").run(id, updatedAt, data)
    database.close()
  }

  function change(sql: string): void {
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
  }

  function read(known: Parameters<typeof readThreads>[2]) {
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const memo = readThreads(path, outInto(collection), known)
    return { memo, collection, sessions: [...collection.sessions.keys()] }
  }
})
