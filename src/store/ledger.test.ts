import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../core/paths.ts'
import { openDatabase } from '../core/sqlite.ts'
import { openLedger } from './ledger.ts'
import { listMemories } from './memories/memories.ts'
import { migrations } from './migrations.ts'
import { passagesById } from './search/passage-search.ts'
import { readDigestState } from './sessions/digests.ts'
import { lastHookEvents } from './sessions/hook-events.ts'
import { readCursor } from './sessions/transcripts.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-ledger-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const next = { name: 'a further table', sql: 'CREATE TABLE further (id INTEGER PRIMARY KEY) STRICT' }
const tables = (path: string) => {
  const database = openDatabase(path, { readOnly: true })
  const names = database.sql(`SELECT name FROM sqlite_master WHERE name IN ('sessions', 'further') ORDER BY name`).all()
  database.close()
  return names.map((row) => row.name)
}

/** A memory as ledgers had it before candidates. */
const oldRow = {
  ...{ type: 'project', kind: 'fact', status: 'settled', state: 'kept', trust: 'user said', importance: 0.7 },
  ...{ tags: '[]', keywords: '[]', evidence: '[]', learned_at: '2026-09-01', valid_from: '2026-09-01' },
  ...{ confirmed_at: '2026-09-01', said: 1, shown: 0, used: 0, version: 1, origin: 'box' },
}

const bytes = (text: string) => new Uint8Array(Buffer.from(text))

const emptyDigest = {
  ...{ kinds: {}, tools: {}, files: {}, commands: {}, tests: {}, errors: {}, counts: {}, signals: {}, openCalls: {} },
  ...{ corrections: [], turningPoints: [], goal: '', lastReply: '' },
}

describe('openLedger', () => {
  it('creates a ledger that only its owner can read', () => {
    openLedger(layoutOf(join(root, 'home'))).close()
    expect(statSync(join(root, 'home')).mode & 0o777).toBe(0o700)
    expect(tables(join(root, 'home', 'ledger.db'))).toEqual(['sessions'])
  })

  it('migrates an older ledger to the newest schema after a backup', () => {
    const layout = layoutOf(root)
    openLedger(layout).close()
    openLedger(layout, [...migrations, next]).close()
    expect(tables(layout.ledger)).toEqual(['further', 'sessions'])
    expect(tables(join(layout.backups, `ledger-v${migrations.length}.db`))).toEqual(['sessions'])
  })

  it('keeps the last hook events when their table is renamed', () => {
    const layout = layoutOf(root)
    const renamedAt = migrations.findIndex(({ sql }) => sql.includes('RENAME TO last_hook_events'))
    const old = openLedger(layout, migrations.slice(0, renamedAt))
    old.raw.exec(`INSERT INTO heard (agent, event, at) VALUES ('codex', 'Stop', 1000)`)
    old.close()
    const ledger = openLedger(layout)
    expect(lastHookEvents(ledger)).toEqual([{ agent: 'codex', event: 'Stop', atMs: 1000 }])
    ledger.close()
  })

  it('makes candidates of what rules had learned, and keeps what a person touched', () => {
    const layout = layoutOf(root)
    const at = migrations.findIndex(({ name }) => name === 'candidates apart from memories')
    const old = openLedger(layout, migrations.slice(0, at))
    const insert = (id: string, change: string, more: Record<string, unknown>) => {
      const row = { ...oldRow, id, text: id, ...more }
      const names = Object.keys(row)
      old
        .sql(`INSERT INTO memories (${names.join(', ')}) VALUES (${names.map((name) => `$${name}`).join(', ')})`)
        .run(row)
      const { lastInsertRowid } = old.sql(`INSERT INTO changes (at, kind, about) VALUES ('', ?, '')`).run(change)
      old.sql(`INSERT INTO memory_versions (change, memory, after) VALUES (?, ?, '{}')`).run(lastInsertRowid, id)
    }
    const rules = { tags: '["heuristic"]' }
    insert('m-rules', 'learned', rules)
    insert('m-edited', 'edited', rules)
    insert('m-model', 'learned', {})
    insert('m-person', 'remembered', { superseded_by: 'm-rules', superseded_at: 'then' })
    insert('m-native', 'imported', { trust: 'agent said' })
    insert('m-team', 'synced', { space: 'team:core' })
    old.close()
    const ledger = openLedger(layout)
    expect(
      listMemories(ledger)
        .map(({ id, state, because, supersededBy }) => [id, state, because, supersededBy])
        .sort(),
    ).toEqual([
      ['m-edited', 'kept', 'person', null],
      ['m-model', 'kept', 'model', null],
      ['m-native', 'kept', 'agent', null],
      ['m-person', 'kept', 'person', null],
      ['m-rules', 'candidate', 'rules', null],
      ['m-team', 'kept', 'import', null],
    ])
    ledger.close()
  })

  it.each([
    ['with passages', 1],
    ['without passages', 0],
  ])('has the index of an older ledger %s built by the next sweep', (_, passages) => {
    const at = migrations.findIndex(({ name }) => name === 'postings of passages instead of a full-text table')
    const old = openLedger(layoutOf(root), migrations.slice(0, at))
    for (let id = 0; id < passages; id++) {
      old.sql('INSERT INTO passage_terms (rowid, said) VALUES (?, ?)').run(id, 'harbour')
      old
        .sql(
          "INSERT INTO passages (id, role, asks, has_time, speaker, said, terms) VALUES (?, 0, 0, 0, 0, 1, x'010203')",
        )
        .run(id)
    }
    old.close()
    const ledger = openLedger(layoutOf(root))
    expect(ledger.sql("SELECT count(*) AS due FROM notes WHERE name = 'index is due'").get()!.due).toBe(passages)
    ledger.close()
  })

  it('keeps journal entries and queues sessions that still have their text', () => {
    const layout = layoutOf(root)
    const at = migrations.findIndex(({ name }) => name === 'journal entries by session and day')
    const old = openLedger(layout, migrations.slice(0, at))
    const insert = (uid: string, evicted: number) =>
      old
        .sql(
          `INSERT INTO sessions (uid, agent, kind, captured_at, events, journaled_through, evicted_through)
           VALUES (?, 'codex', 'main', '', 5, 5, ?)`,
        )
        .run(uid, evicted).lastInsertRowid
    for (const [uid, evicted] of [
      ['codex:here', 0],
      ['codex:evicted', 5],
    ] as const)
      old
        .sql(`INSERT INTO journal_entries VALUES (?, '2026-09-01', 'hash', 'person', 'then')`)
        .run(insert(uid, evicted))
    old.close()
    const ledger = openLedger(layout)
    const rows = ledger
      .sql(
        `SELECT s.uid, e.day, e.through, e.hash, e.written_by AS writtenBy, s.journaled_through AS told
         FROM journal_entries e JOIN sessions s ON s.id = e.session ORDER BY s.id`,
      )
      .all()
    const kept = { day: '2026-09-01', through: null, hash: 'hash', writtenBy: 'person' }
    expect(rows).toEqual([
      { uid: 'codex:here', ...kept, told: 0 },
      { uid: 'codex:evicted', ...kept, told: 5 },
    ])
    ledger.close()
  })

  it('compresses the states of digests and readers', () => {
    const layout = layoutOf(root)
    const at = migrations.findIndex(({ name }) => name === 'compressed states of digests and readers')
    const state = { ...emptyDigest, goal: 'Repair the lamp of the harbour 💡' }
    const old = openLedger(layout, migrations.slice(0, at))
    const insert = old.sql(`INSERT INTO digests VALUES (?, 'Lamp', 'success', 'work', ?, 'then')`)
    insert.run(1, JSON.stringify(state))
    insert.run(2, 'damaged')
    const cursor = old.sql(
      `INSERT INTO cursors (path, agent, stamp, offset, head, state) VALUES (?, ?, '1:2:3:4', 7, ?, ?)`,
    )
    cursor.run('/a.jsonl', 'codex', Buffer.from('head'), '{"turn":"one"}')
    cursor.run('/b.jsonl', 'codex', null, null)
    old.close()
    const ledger = openLedger(layout)
    expect(readDigestState(ledger, 1)).toEqual(state)
    expect(readDigestState(ledger, 2)).toBeUndefined()
    expect(readCursor(ledger, '/a.jsonl')).toMatchObject({
      offset: 7,
      head: Buffer.from('head'),
      state: { turn: 'one' },
    })
    expect(readCursor(ledger, '/b.jsonl')).toMatchObject({ offset: 7, head: null, state: undefined })
    expect(ledger.sql('SELECT DISTINCT typeof(state) AS type FROM digests').all()).toEqual([{ type: 'blob' }])
    ledger.close()
  })

  it('keeps the terms and neighbours of passages when they get codes', () => {
    const layout = layoutOf(root)
    const at = migrations.findIndex(({ name }) => name === 'codes of terms, and distances between passages')
    const old = openLedger(layout, migrations.slice(0, at))
    const insert = old.sql('INSERT INTO passages VALUES (?, 5, 1, 2, 1, 3, ?, ?, 2, ?)')
    insert.run(64, null, 96, Buffer.from('abcdefabc'))
    insert.run(96, 64, null, Buffer.from('xyz'))
    insert.run(-9, null, null, Buffer.alloc(0))
    old.close()
    const ledger = openLedger(layout)
    const passages = passagesById(ledger, [64, 96, -9])
    const kept = { ts: 5, role: 'agent', asks: 2, hasTime: true, speaker: 3, said: 2 }
    expect(passages.get(64)).toEqual({ id: 64, ...kept, previous: null, next: 96, terms: bytes('abcdefabc') })
    expect(passages.get(96)).toEqual({ id: 96, ...kept, previous: 64, next: null, terms: bytes('xyz') })
    expect(passages.get(-9)).toEqual({ id: -9, ...kept, previous: null, next: null, terms: bytes('') })
    expect(ledger.sql('SELECT sum(length(terms)) AS bytes FROM passages').get()!.bytes).toBe(4)
    ledger.close()
  })

  it('leaves the ledger unchanged when a step fails', () => {
    const layout = layoutOf(root)
    openLedger(layout).close()
    const broken = { name: 'broken', sql: 'CREATE TABLE further (id INTEGER); this is no SQL' }
    expect(() => openLedger(layout, [...migrations, broken])).toThrow()
    expect(tables(layout.ledger)).toEqual(['sessions'])
    openLedger(layout).close()
  })

  it.each([
    ['an empty file', (copy: string) => writeFileSync(copy, '')],
    [
      'a part of the copy',
      (copy: string, ledger: string) => writeFileSync(copy, readFileSync(ledger).subarray(0, 40_000)),
    ],
    ['another file', (copy: string) => writeFileSync(copy, 'not a copy')],
  ])('does not take %s, left by a killed run, for the backup', (_, leave) => {
    const layout = layoutOf(root)
    openLedger(layout).close()
    mkdirSync(layout.backups)
    const copy = join(layout.backups, `ledger-v${migrations.length}.db`)
    leave(copy, layout.ledger)
    writeFileSync(`${copy}.tmp`, 'begun by a killed run')
    openLedger(layout, [...migrations, next]).close()
    expect(tables(copy)).toEqual(['sessions'])
    expect(readdirSync(layout.backups)).toEqual([`ledger-v${migrations.length}.db`])
  })

  it('keeps a whole backup of an earlier run', () => {
    const layout = layoutOf(root)
    openLedger(layout).close()
    mkdirSync(layout.backups)
    const copy = join(layout.backups, `ledger-v${migrations.length}.db`)
    copyFileSync(layout.ledger, copy)
    const before = readFileSync(copy)
    openLedger(layout, [...migrations, next]).close()
    expect(readFileSync(copy).equals(before)).toBe(true)
  })

  it('makes no backup of a new ledger', () => {
    openLedger(layoutOf(root), [...migrations]).close()
    expect(existsSync(layoutOf(root).backups)).toBe(false)
  })

  it('deletes vectors that were learned from the own corpus, and keeps those of a provider', () => {
    const layout = layoutOf(root)
    const step = migrations.findIndex(({ name }) => name === 'remove vectors learned from the own corpus')
    const before = openLedger(layout, migrations.slice(0, step))
    for (const name of ['own', 'ollama:nomic-embed-text'])
      before.raw.exec(`
        INSERT INTO vector_models (name, dimensions, passages, made_at) VALUES ('${name}', 2, 0, 0);
        INSERT INTO vectors VALUES (last_insert_rowid(), 1, x'', x'', x'', x'');
      `)
    before.close()
    const after = openLedger(layout)
    expect(after.sql('SELECT name FROM vector_models').all()).toEqual([{ name: 'ollama:nomic-embed-text' }])
    expect(after.sql('SELECT model FROM vectors').all()).toEqual([{ model: 2 }])
    after.close()
  })
})
