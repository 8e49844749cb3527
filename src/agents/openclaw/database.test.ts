import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import { readDatabase } from './database.ts'

describe('OpenClaw database', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-openclaw-'))
    path = join(folder, 'openclaw-agent.sqlite')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  // The columns that are needed at least.
  const least = `
  CREATE TABLE session_windows (session_id TEXT, session_key TEXT);
  CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT);
  INSERT INTO session_windows VALUES ('s1', 'agent:main:main'), ('s2', 'agent:main:cron:nightly');
  INSERT INTO transcript_events VALUES
    ('s1', 0, '{"type":"session","id":"s1","cwd":"/srv/lamp"}'),
    ('s1', 1, '{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"Light it","timestamp":1}}'),
    ('s2', 0, '{"type":"message","id":"b","parentId":null,"message":{"role":"user","content":"Check it","timestamp":2}}');
`

  it('reads a database without nodes and rewrites', () => {
    change(least)
    const { collection } = read(undefined)
    expect([...collection.sessions].map(([id, { events }]) => [id, events.map(({ kind }) => kind)])).toEqual([
      ['s1', ['prompt']],
      ['s2', ['context']],
    ])
  })

  it('reads again only the sessions that changed', () => {
    change(least)
    const first = read(undefined)
    expect(read(first.memo).sessions).toEqual([])
    change(`INSERT INTO transcript_events VALUES
      ('s2', 1, '{"type":"message","id":"c","parentId":"b","message":{"role":"assistant","content":[{"type":"text","text":"Lit."}]}}')`)
    expect(read(first.memo).sessions).toEqual(['s2'])
  })

  it('reads again a session that was rewritten', () => {
    change(`${least} CREATE TABLE transcript_rewrite_watermarks (session_id TEXT, generation TEXT);
      INSERT INTO transcript_rewrite_watermarks VALUES ('s1', 'first');`)
    const first = read(undefined)
    change(`UPDATE transcript_rewrite_watermarks SET generation = 'second'`)
    expect(read(first.memo).sessions).toEqual(['s1'])
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
