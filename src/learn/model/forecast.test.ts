import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fixedClock } from '../../core/clock.ts'
import { parseConfig } from '../../core/config/config.ts'
import { layoutOf } from '../../core/paths.ts'
import { zoneOf } from '../../core/units.ts'
import { type Ledger, openLedger } from '../../store/ledger.ts'
import { skipJudging } from '../../store/memories/learning.ts'
import { writePassages } from '../../store/search/passages.ts'
import { growSession, openSession } from '../../store/sessions/sessions.ts'
import { dailyCostText, dailyLoad, loadUsd, unjudgedLoad } from './forecast.ts'

let root: string
let ledger: Ledger
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-forecast-'))
  ledger = openLedger(layoutOf(root))
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true })
})

const hour = 3_600_000
const noon = Date.parse('2026-09-01T12:00:00Z')
const zone = zoneOf('UTC')
const byRest = parseConfig('', 'config.toml')
const byTurn = parseConfig('[learn]\nwhen = "turn"\n', 'config.toml')
/** About 500 characters: 60 terms. */
const words = 'queue worker drains messages slowly today '.repeat(10)

/** A prompt every ten minutes, each with a reply. */
function addSession(name: string, endedMs: number, turns: number, pauseMs = 10 * 60_000): number {
  const { id } = openSession(ledger, `claude-code:${name}`, 'claude-code', '2026-09-01T12:00:00Z')
  const none = { inherited: 0, toolCalls: 0, toolErrors: 0, forkedFrom: null }
  growSession(ledger, id, { ...none, events: 2 * turns, prompts: turns, started: endedMs, ended: endedMs })
  ledger.sql(`UPDATE sessions SET source = 'a.jsonl', body = 'aa/x.zst' WHERE id = ?`).run(id)
  for (let turn = 0; turn < turns; turn++) {
    const ts = endedMs - (turns - 1 - turn) * pauseMs
    const source = (seq: number) => ({ kind: 'event', session: id, seq }) as const
    writePassages(ledger, { source: source(2 * turn), role: 'human', ts, said: words }, null)
    writePassages(ledger, { source: source(2 * turn + 1), role: 'agent', ts, said: words.repeat(10) }, null)
  }
  return id
}

it('the load of a day is the average of the last days with sessions', async () => {
  expect(dailyLoad(ledger, zone, byRest).days).toBe(0)
  addSession('a', noon, 10)
  addSession('b', noon - 30 * 24 * hour, 10)
  addSession('c', noon - 30 * 24 * hour, 10)
  const load = dailyLoad(ledger, zone, byRest)
  expect(load).toMatchObject({ days: 2, sessions: 1.5, questions: 1.5 })
  // Ten prompts of 500 characters with a thousand of each reply, in tokens, and the instructions.
  const conversation = (10 * 1500) / 3.5
  expect(load.input / 1.5 - 3000).toBeGreaterThan(0.7 * conversation)
  expect(load.input / 1.5 - 3000).toBeLessThan(1.3 * conversation)
  expect(await dailyCostText(load, 'claude', byRest)).toBe('about $0.02 a day')
  expect(await dailyCostText(load, 'ollama', byRest)).toBe('free')
})

it('a session that rests in between is several questions; every turn is one with learn.when = "turn"', () => {
  addSession('a', noon, 3, hour)
  expect(dailyLoad(ledger, zone, byRest).questions).toBe(3)
  addSession('b', noon, 4)
  expect(dailyLoad(ledger, zone, byRest).questions).toBe(4)
  expect(dailyLoad(ledger, zone, byTurn).questions).toBe(7)
})

it('sessions of the last days that no model has judged are counted and priced', async () => {
  const recent = addSession('a', noon - hour, 5, hour)
  addSession('old', noon - 10 * 24 * hour, 5)
  const context = { ledger, clock: fixedClock('2026-09-01T12:00:00Z'), config: byRest }
  const { ids, load } = unjudgedLoad(context)
  expect(ids).toEqual([recent])
  // It has rested, but is judged at once.
  expect(load).toMatchObject({ sessions: 1, questions: 1 })
  expect(await loadUsd(load, 'claude', byRest)).toBeCloseTo(0.009, 2)
  skipJudging(ledger, ids)
  expect(unjudgedLoad(context).ids).toEqual([])
})
