// Databases of agents may have gigabytes: they are read in parts and continued where reading
// stopped.
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { discover } from '../src/capture/discover.ts'
import { readParts } from '../src/capture/reading/read-batches.ts'
import { openDatabase } from '../src/core/sqlite.ts'
import { listSessions } from '../src/store/sessions/sessions.ts'
import { sweep } from '../src/sweep.ts'
import { type Place, place } from './program.ts'

let at: Place
beforeEach(() => {
  at = place()
  const path = join(at.home, '.local/share/opencode/opencode.db')
  mkdirSync(dirname(path), { recursive: true })
  const { raw, sql, close } = openDatabase(path)
  raw.exec(`
    CREATE TABLE session (id TEXT PRIMARY KEY, directory TEXT, title TEXT, time_created INTEGER, time_updated INTEGER);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);`)
  for (let index = 0; index < 6; index++) {
    const time = Date.UTC(2026, 8, 1) + index * 1000
    const part = { type: 'text', text: `question ${index} ${'about the tide '.repeat(100_000)}` }
    sql('INSERT INTO session VALUES (?, ?, ?, ?, ?)').run(`ses_${index}`, '/home/dev/app', `Title ${index}`, time, time)
    sql('INSERT INTO message VALUES (?, ?, ?, ?, ?)').run(
      `msg_${index}`,
      `ses_${index}`,
      time,
      time,
      JSON.stringify({ role: 'user', time: { created: time } }),
    )
    sql('INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)').run(
      `prt_${index}`,
      `msg_${index}`,
      `ses_${index}`,
      time,
      time,
      JSON.stringify(part),
    )
  }
  close()
})
afterEach(() => at.remove())

const app = () => createApp({ machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' } })

describe('capture of a large database', () => {
  it('reads it in parts of a few sessions', () => {
    const [one] = discover(app())
    const parts = [...readParts(one!, undefined)].map(({ data: load, cursor }) => [
      load.sessions.size,
      cursor.stamp !== '',
    ])
    expect(parts).toEqual([
      [2, false],
      [2, false],
      [2, true],
    ])
  })
  it('captures every session once', async () => {
    expect(await sweep(app())).toMatchObject({ kind: 'done', report: { ingested: 1, events: 6, failed: [] } })
    expect(await sweep(app())).toMatchObject({ kind: 'done', report: { ingested: 0, unchanged: 1, events: 0 } })
    const ledger = app().ledger()
    expect(listSessions(ledger).map(({ title }) => title)).toEqual([5, 4, 3, 2, 1, 0].map((index) => `Title ${index}`))
    ledger.close()
  })
})
