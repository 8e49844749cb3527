import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Collection, outInto } from '../../../test/agents/collect.ts'
import type { Json } from '../../core/session.ts'
import { readDatabase } from './database.ts'
import type { OpenCodeDialect } from './reader.ts'
import { zcode } from './zcode.ts'

describe('OpenCode database', () => {
  let folder = ''
  let path = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'recollect-opencode-'))
    path = join(folder, 'opencode.db')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('reads again only the sessions that changed', () => {
    change(`
    CREATE TABLE session (id TEXT, directory TEXT, title TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_updated INTEGER, data TEXT);
    INSERT INTO session VALUES ('ses_1', '/home/dev/reef', 'One', 1000, 1000), ('ses_2', '/home/dev/reef', 'Two', 1000, 1000);
    INSERT INTO message VALUES ('msg_1', 'ses_1', 1000, 1000, '{"role":"user","time":{"created":1000}}'),
      ('msg_2', 'ses_2', 1000, 1000, '{"role":"user","time":{"created":1000}}');
    INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', 1000, '{"type":"text","text":"one"}'),
      ('prt_2', 'msg_2', 'ses_2', 1000, '{"type":"text","text":"two"}');
  `)
    const first = read(undefined)
    expect(first.sessions).toEqual(['ses_1', 'ses_2'])
    expect(read(first.memo).sessions).toEqual([])

    // The time of the session stays as it was while an answer is written.
    change(`UPDATE part SET data = '{"type":"text","text":"two and more"}' WHERE id = 'prt_2'`)
    expect(read(first.memo).sessions).toEqual(['ses_2'])
  })

  it.each([
    [
      'the first schema without times of changes',
      `CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
       CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
       INSERT INTO message VALUES ('msg_1', 'ses_1', 1000, '{"role":"user","time":{"created":1000}}');
       INSERT INTO part VALUES ('prt_1', 'msg_1', 'ses_1', '{"type":"text","text":"one"}');`,
    ],
    [
      'the second schema without numbers',
      `CREATE TABLE session_message (id TEXT, session_id TEXT, type TEXT, time_created INTEGER, data TEXT);
       INSERT INTO session_message VALUES ('msg_1', 'ses_1', 'user', 1000, '{"text":"one","time":{"created":1000}}');`,
    ],
  ])('reads %s', (_, tables) => {
    change(`CREATE TABLE session (id TEXT, time_created INTEGER, time_updated INTEGER);
      INSERT INTO session VALUES ('ses_1', 1000, 1000); ${tables}`)
    const { collection } = read(undefined)
    expect(collection.bad).toEqual([])
    expect(collection.sessions.get('ses_1')!.events).toMatchObject([{ kind: 'prompt', text: 'one' }])
  })

  it('reads ZCode with other names of fields, and tokens without ids', () => {
    change(`
    CREATE TABLE session (id TEXT, directory TEXT, title TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT, session_id TEXT, time_created TEXT, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_created TEXT, data TEXT);
    CREATE TABLE model_usage (session_id TEXT, model_id TEXT, input_tokens INTEGER, output_tokens INTEGER,
      reasoning_tokens INTEGER, cache_creation_input_tokens INTEGER, cache_read_input_tokens INTEGER, started_at INTEGER);
    INSERT INTO session VALUES ('ses_1', '/home/dev/reef', 'One', 1772442000000, 1772442000000);
    INSERT INTO message VALUES ('m1', 'ses_1', '1772441999990', '{"role":"system"}'),
      ('m2', 'ses_1', '1772442001000', '{"role":"user"}'), ('m3', 'ses_1', '2026-03-02T09:00:02Z', '{"role":"model"}'),
      ('m4', 'ses_1', '2026-03-02T09:00:03Z', '{"role":"user"}');
    INSERT INTO part VALUES ('p1', 'm1', 'ses_1', '', '{"type":"text","text":"You dive."}'),
      ('p2', 'm2', 'ses_1', '', '{"type":"text","text":"count the corals"}'),
      ('p3', 'm3', 'ses_1', '', '{"type":"tool_use","tool_name":"Bash","callId":"c1","input":{"command":"ls"}}'),
      ('p4', 'm4', 'ses_1', '', '{"type":"tool_result","tool_call_id":"c1","result":"none","isError":true}');
    INSERT INTO model_usage VALUES ('ses_1', 'glm', 100, 7, 0, 0, 60, 1772442001000),
      ('ses_1', 'glm', 50, 5, 0, 0, 0, 1772442001000);
  `)
    const { events, usages } = read(undefined, zcode).collection.sessions.get('ses_1')!
    expect(events).toMatchObject([
      { kind: 'context', text: 'You dive.', ts: '2026-03-02T09:00:00.000Z' },
      { kind: 'prompt', text: 'count the corals', ts: '2026-03-02T09:00:01.000Z' },
      { kind: 'tool_call', tool: 'Bash', call: 'c1', ts: '2026-03-02T09:00:02.000Z' },
      { kind: 'tool_result', tool: 'Bash', call: 'c1', text: 'none', error: 'failed' },
    ])
    expect(usages.map(({ input, cacheRead, output }) => [input, cacheRead, output])).toEqual([
      [40, 60, 7],
      [50, 0, 5],
    ])
  })

  it('counts the prompts that a revert retracts', () => {
    change(`
    CREATE TABLE session (id TEXT, revert TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, time_updated INTEGER, data TEXT);
    INSERT INTO session VALUES ('ses_1', '{"messageID":"msg_2"}', 1000, 1000);
  `)
    for (const number of [1, 2, 3])
      change(`
      INSERT INTO message VALUES ('msg_${number}', 'ses_1', 1000, 1000, '{"role":"user","time":{"created":1000}}');
      INSERT INTO part VALUES ('prt_${number}', 'msg_${number}', 'ses_1', 1000, '{"type":"text","text":"prompt"}');
    `)
    expect(read(undefined).collection.sessions.get('ses_1')!.events.at(-1)).toMatchObject({
      kind: 'lifecycle',
      undoes: 2,
    })
  })

  it('keeps its memo while the database cannot be read', () => {
    const { memo, collection } = read({ ses_1: 'seen' })
    expect(memo).toEqual({ ses_1: 'seen' })
    expect(collection.bad).toHaveLength(1)
  })

  function change(sql: string): void {
    const database = new DatabaseSync(path)
    database.exec(sql)
    database.close()
  }

  function read(known: Json | undefined, dialect: OpenCodeDialect = {}) {
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const memo = readDatabase({ path, dialect, out: outInto(collection), memo: known })
    return { memo, collection, sessions: [...collection.sessions.keys()] }
  }
})
