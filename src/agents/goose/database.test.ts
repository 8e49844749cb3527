import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import { readDatabase } from './database.ts'

describe('Goose database', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-goose-'))
    path = join(folder, 'sessions.db')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  // The schema before names, ids of messages, visibility and the ledger came.
  const oldest = `
  CREATE TABLE sessions (id TEXT, description TEXT, working_dir TEXT, updated_at TIMESTAMP, input_tokens INTEGER, output_tokens INTEGER);
  CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER);
  INSERT INTO sessions VALUES ('20260301_1', 'Wick', '/home/dev/lamp', '2026-03-01 10:00:00', 70, 20),
    ('20260301_2', 'Oil', '/home/dev/lamp', '2026-03-01 10:00:00', NULL, NULL);
  INSERT INTO messages (session_id, role, content_json, created_timestamp) VALUES
    ('20260301_1', 'user', '[{"type":"text","text":"trim the wick"}]', 1772359200),
    ('20260301_2', 'user', '[{"type":"text","text":"fill the oil"}]', 1772359200);
`

  it('reads the oldest schema', () => {
    change(oldest)
    const { collection } = read(undefined)
    const { about, events, usages } = collection.sessions.get('20260301_1')!
    expect(about).toMatchObject({ title: 'Wick', cwd: '/home/dev/lamp' })
    expect(events).toMatchObject([{ kind: 'prompt', text: 'trim the wick', ts: '2026-03-01T10:00:00.000Z' }])
    expect(usages).toMatchObject([{ input: 70, output: 20, isLowerBound: true }])
  })

  it('reads again only the sessions that changed', () => {
    change(oldest)
    const first = read(undefined)
    expect(read(first.memo).sessions).toEqual([])

    change(`INSERT INTO messages (session_id, role, content_json, created_timestamp)
    VALUES ('20260301_2', 'assistant', '[{"type":"text","text":"Filled."}]', 1772359201)`)
    expect(read(first.memo).sessions).toEqual(['20260301_2'])
  })

  function change(sql: string): void {
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
  }

  function read(known: Parameters<typeof readDatabase>[2]) {
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const memo = readDatabase(path, outInto(collection), known)
    return { memo, collection, sessions: [...collection.sessions.keys()] }
  }
})
