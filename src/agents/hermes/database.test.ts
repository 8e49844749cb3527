import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import { readDatabase } from './database.ts'

describe('Hermes database', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-hermes-'))
    path = join(folder, 'state.db')
    change(`
      CREATE TABLE sessions (id TEXT, source TEXT, parent_session_id TEXT, end_reason TEXT, started_at REAL);
      CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, timestamp REAL);
      INSERT INTO sessions VALUES ('mast', 'cli', NULL, 'compression', 1), ('sail', 'cli', NULL, NULL, 2);
      INSERT INTO messages (session_id, role, content, timestamp) VALUES ('mast', 'user', 'raise the mast', 1788256800),
        ('sail', 'user', 'set the sail', 1788256801);`)
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('reads again only the sessions that changed', () => {
    const first = read(undefined)
    expect(read(first.memo).prompts).toEqual({})
    change("INSERT INTO messages (session_id, role, content, timestamp) VALUES ('sail', 'user', 'higher', 1788256802)")
    expect(read(first.memo).prompts).toEqual({ sail: ['set the sail', 'higher'] })
  })

  it('adds a session that a compaction started to the one before it', () => {
    const first = read(undefined)
    change(`INSERT INTO sessions VALUES ('mast-2', 'cli', 'mast', NULL, 3);
      INSERT INTO messages (session_id, role, content, timestamp) VALUES
        ('mast-2', 'user', '[CONTEXT COMPACTION] The mast is up.', 1788256803),
        ('mast-2', 'user', 'raise the mast', 1788256804), ('mast-2', 'user', 'lower it', 1788256805)`)
    expect(read(first.memo).prompts).toEqual({ mast: ['raise the mast', 'lower it'] })
  })

  it('ends although sessions are each others parents', () => {
    change(`INSERT INTO sessions VALUES ('a', 'cli', 'b', 'compression', 4), ('b', 'cli', 'a', 'compression', 5);
      INSERT INTO messages (session_id, role, content, timestamp) VALUES ('a', 'user', 'round', 1788256806)`)
    expect(Object.values(read(undefined).prompts).flat()).toContain('round')
  })

  function change(sql: string): void {
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
  }

  function read(known: Parameters<typeof readDatabase>[2]) {
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const memo = readDatabase(path, outInto(collection), known)
    const prompts = [...collection.sessions].map(([id, { events }]) => [
      id,
      events.filter(({ kind }) => kind === 'prompt').map(({ text }) => text),
    ])
    return { memo, prompts: Object.fromEntries(prompts) as Record<string, string[]> }
  }
})
