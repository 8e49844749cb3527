import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, describe, expect, it } from 'vitest'
import { type Collection, collect, outInto } from '../../../test/agents/collect.ts'
import type { Json } from '../../core/session.ts'
import { grok } from './agent.ts'

describe('Grok', () => {
  const fixture = join(import.meta.dirname, '../../../test/agents/fixtures/grok/home')
  const homes: string[] = []
  afterEach(() => {
    for (const home of homes.splice(0)) rmSync(home, { recursive: true })
  })

  it('sorts a resumed session by time, although the event counter restarts', () => {
    const said = (counter: number, ms: number, text: string, promptIndex: number) =>
      update('s', counter, ms, text, promptIndex)
    const home = homeWith('s', [
      said(9, 1_788_000_000_900, 'two', 1),
      said(3, 1_788_000_000_300, 'one', 0),
      said(1, 1_788_086_400_000, 'three', 2),
    ])
    expect(events(home, 's').map((event) => event.text)).toEqual(['one', 'two', 'three'])
  })

  it('counts the prompts that a rewind retracts', () => {
    const rewinds = events(fixture, '01a1c0de-0001-7000-8000-000000000001').filter((event) =>
      event.text.startsWith('Rewound'),
    )
    expect(rewinds.map((event) => event.undoes)).toEqual([1, 2])
  })

  it('counts the lines of an edit', () => {
    const edits = events(fixture, '01a1c0de-0001-7000-8000-000000000001').flatMap((event) => event.files ?? [])
    expect(edits.map(({ added, removed }) => [added, removed])).toEqual([
      [2, 1],
      [1, 0],
      [undefined, undefined],
    ])
  })

  it('emits only changed sessions of the database', () => {
    const home = temporaryHome()
    cpSync(fixture, home, { recursive: true })
    const path = join(home, '.grok', 'grok.db')
    const first = readDatabase(home, undefined)
    expect(first.sessions).toEqual(['a1b2c3d4e5f6', 'b1b2c3d4e5f6'])
    expect(readDatabase(home, first.memo).sessions).toEqual([])
    const database = new DatabaseSync(path)
    database.exec(
      `INSERT INTO usage_events (session_id, source, model, created_at) VALUES ('b1b2c3d4e5f6', 'task', 'grok-4', '')`,
    )
    database.close()
    expect(readDatabase(home, first.memo).sessions).toEqual(['b1b2c3d4e5f6'])
  })

  it('searches the default home too when GROK_HOME is set', () => {
    expect(grok.roots({ home: '/h', env: { GROK_HOME: '/elsewhere' }, platform: 'linux' })).toEqual([
      '/elsewhere',
      '/h/.grok',
    ])
  })

  function events(home: string, session: string) {
    return collect(grok, { home, env: {}, platform: 'linux' }).sessions.get(session)!.events
  }

  function readDatabase(home: string, memo: Json | undefined) {
    const collection: Collection = { sessions: new Map(), bad: [], unknown: [] }
    const database = [...grok.find(join(home, '.grok'))].find((transcript) => transcript.path.endsWith('grok.db'))
    if (database?.shape !== 'document') throw new Error('the database was not found')
    const next = database.read(outInto(collection), memo)
    return { memo: next, sessions: [...collection.sessions.keys()] }
  }

  function homeWith(session: string, updates: object[]): string {
    const home = temporaryHome()
    const folder = join(home, '.grok', 'sessions', '%2Fsea', session)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'updates.jsonl'), updates.map((line) => `${JSON.stringify(line)}\n`).join(''))
    return home
  }

  function temporaryHome(): string {
    const home = mkdtempSync(join(tmpdir(), 'recollect-grok-'))
    homes.push(home)
    return home
  }

  function update(session: string, counter: number, agentTimestampMs: number, text: string, promptIndex: number) {
    const content = { type: 'text', text }
    return {
      method: 'session/update',
      params: {
        sessionId: session,
        update: { sessionUpdate: 'user_message_chunk', content, _meta: { promptIndex } },
        _meta: { eventId: `${session}-${counter}`, agentTimestampMs },
      },
    }
  }
})
