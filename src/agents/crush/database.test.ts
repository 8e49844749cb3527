import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import { readDatabase } from './database.ts'

describe('Crush database', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-crush-'))
    path = join(folder, 'crush.db')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  // The first schema: no summaries, providers and todos.
  const oldest = `
  CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, prompt_tokens INTEGER, completion_tokens INTEGER,
    cost REAL, updated_at INTEGER, created_at INTEGER);
  CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER);
  INSERT INTO sessions VALUES ('s1', NULL, 'Wick', 70, 20, 0.5, 1772359200, 1772359200),
    ('s1$$c1', 's1', 'New Agent Session', 9, 3, 0.1, 1772359200, 1772359200);
  INSERT INTO messages VALUES
    ('m1', 's1', 'user', '[{"type":"text","data":{"text":"trim the wick"}}]', '', 1772359200),
    ('m2', 's1$$c1', 'user', '[{"type":"text","data":{"text":"find the wick"}}]', '', 1772359200);
`

  it('counts the cost of a child session once, with its parent', () => {
    change(oldest)
    const usages = [...read(undefined).collection.sessions.values()].flatMap((session) => session.usages)
    expect(usages).toMatchObject([
      { input: 70, output: 20, costUsd: 0.5, isLowerBound: true },
      { input: 9, output: 3, costUsd: 0, isLowerBound: true },
    ])
  })

  it('reads again a session while its last answer is written', () => {
    change(oldest)
    const first = read(undefined)
    expect(read(first.memo).sessions).toEqual([])
    change(`UPDATE messages SET parts = '[{"type":"text","data":{"text":"trim the wick, please"}}]' WHERE id = 'm1'`)
    expect(read(first.memo).sessions).toEqual(['s1'])
  })

  function change(sql: string): void {
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
  }

  function read(known: Parameters<typeof readDatabase>[3]) {
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const memo = readDatabase(path, '/home/dev/lamp', outInto(collection), known)
    return { memo, collection, sessions: [...collection.sessions.keys()] }
  }
})
