// A transcript that cannot be stored is retried later and does not affect others.

import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { readBody } from '../src/store/sessions/bodies.ts'
import { bodyOfSession } from '../src/store/sessions/session-bodies.ts'
import { findSessions, listSessions } from '../src/store/sessions/sessions.ts'
import { listProblems } from '../src/store/sessions/transcripts.ts'
import { sweep } from '../src/sweep.ts'
import { claudeSession, lines, type Place, place, sessionName } from './program.ts'

let at: Place
const path = (index: number) => `.claude/projects/-a/${sessionName(index)}.jsonl`
const app = () => createApp({ machine: { home: at.home, env: { RECOLLECT_HOME: at.store }, platform: 'linux' } })
beforeEach(() => {
  at = place({ [path(1)]: claudeSession(sessionName(1), 2), [path(2)]: claudeSession(sessionName(2), 2) })
})
afterEach(() => at.remove())

describe('capture when a body cannot be written', () => {
  it('reports and retries the transcript, and captures the others', async () => {
    const ledger = app().ledger()
    ledger.raw.exec(
      `CREATE TRIGGER broken BEFORE INSERT ON sessions WHEN NEW.uid LIKE '%${sessionName(1)}' BEGIN SELECT RAISE(ABORT, 'no room'); END`,
    )
    ledger.close()
    const first = await sweep(app())
    expect(first).toMatchObject({
      kind: 'done',
      report: { failed: [{ path: join(at.home, path(1)), reason: 'no room' }], events: 8 },
    })

    const repaired = app().ledger()
    repaired.raw.exec('DROP TRIGGER broken')
    repaired.close()
    expect(await sweep(app())).toMatchObject({ kind: 'done', report: { failed: [], ingested: 1, events: 8 } })
  })
})

describe('digest of a damaged body', () => {
  it('reports it and digests the other sessions', async () => {
    await sweep(app())
    const ledger = app().ledger()
    const { file } = bodyOfSession(ledger, `claude-code:${sessionName(1)}`)!
    writeFileSync(join(at.store, 'bodies', file), 'x'.repeat(10_000))
    ledger.raw.exec('UPDATE sessions SET digested_through = -1')
    ledger.close()
    expect(await sweep(app())).toMatchObject({ kind: 'done', report: { digested: 2 } })
    const after = app().ledger()
    expect(listProblems(after)).toMatchObject([{ path: join(at.store, 'bodies', file) }])
    expect(listSessions(after)).toHaveLength(2)
    after.close()
  })
})

describe('capture when a body was deleted', () => {
  it('continues the session', async () => {
    await sweep(app())
    rmSync(join(at.store, 'bodies'), { recursive: true })
    appendFileSync(join(at.home, path(1)), lines(claudeSession(sessionName(1), 3).slice(8)))
    expect(await sweep(app())).toMatchObject({ kind: 'done', report: { failed: [], events: 4 } })

    const ledger = app().ledger()
    const uid = `claude-code:${sessionName(1)}`
    const body = bodyOfSession(ledger, uid)!
    expect([...readBody(ledger.layout.bodies, body.file, body.bytes)].map(({ seq }) => seq)).toEqual([8, 9, 10, 11])
    expect(findSessions(ledger, uid)[0]!.counts.prompts).toBe(3)
    expect(listSessions(ledger)).toHaveLength(2)
    ledger.close()
  })
})
