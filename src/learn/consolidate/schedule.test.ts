import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fixedClock } from '../../core/clock.ts'
import { parseConfig } from '../../core/config.ts'
import { layoutOf } from '../../core/paths.ts'
import { type Ledger, openLedger } from '../../store/ledger.ts'
import { lastConsolidated, markConsolidated, reasonToSkip } from './schedule.ts'

let root: string
let ledger: Ledger
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-gates-'))
  ledger = openLedger(layoutOf(root))
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true })
})

/** Sessions that were captured at a time. */
function captured(at: string, ...names: string[]): void {
  const insert = 'INSERT INTO sessions (uid, agent, kind, captured_at) VALUES (?, ?, ?, ?)'
  for (const name of names) ledger.sql(insert).run(name, 'claude-code', /^sub/.test(name) ? 'subagent' : 'main', at)
}

const gate = (now: string, config = '') =>
  reasonToSkip({ ledger, clock: fixedClock(now), config: parseConfig(config, 'test') })

it('is open when five sessions have grown besides the last', () => {
  captured('2026-09-01T10:00:00.000Z', 'a', 'b', 'c', 'd', 'e', 'last')
  expect(gate('2026-09-01T12:00:00Z')).toBeUndefined()
})

it('is closed by the configuration first', () => {
  captured('2026-09-01T10:00:00.000Z', 'a', 'b', 'c', 'd', 'e', 'last')
  expect(gate('2026-09-01T12:00:00Z', '[learn]\nconsolidate = false')).toMatch(/switched off/)
})

it('is closed for a day after the last time', () => {
  markConsolidated({ ledger, clock: fixedClock('2026-09-01T12:00:00Z') })
  captured('2026-09-01T13:00:00.000Z', 'a', 'b', 'c', 'd', 'e', 'last')
  expect(gate('2026-09-02T11:00:00Z')).toMatch(/^done 23 h 0 min ago/)
  expect(gate('2026-09-02T12:00:00Z')).toBeUndefined()
  expect(lastConsolidated(ledger)).toBe('2026-09-01T12:00:00.000Z')
})

it('is not closed by a time that lies ahead', () => {
  markConsolidated({ ledger, clock: fixedClock('2027-01-01T12:00:00Z') })
  captured('2027-01-01T13:00:00.000Z', 'a', 'b', 'c', 'd', 'e', 'last')
  expect(gate('2026-09-01T12:00:00Z')).toBeUndefined()
})

it('counts neither subagents, nor the session that asks, nor what had not grown', () => {
  captured('2026-09-01T10:00:00.000Z', 'old')
  markConsolidated({ ledger, clock: fixedClock('2026-09-01T12:00:00Z') })
  captured('2026-09-01T13:00:00.000Z', 'a', 'b', 'c', 'd', 'subagent', 'last')
  expect(gate('2026-09-03T12:00:00Z')).toBe('4 sessions besides the last had grown since, and it takes 5')
})

it('looks again after ten minutes', () => {
  captured('2026-09-01T10:00:00.000Z', 'a', 'b', 'c', 'd', 'e')
  expect(gate('2026-09-01T12:00:00Z')).toMatch(/^4 sessions/)
  captured('2026-09-01T12:01:00.000Z', 'last')
  expect(gate('2026-09-01T12:09:00Z')).toMatch(/^9 min 0 s ago 4 sessions/)
  expect(gate('2026-09-01T12:10:00Z')).toBeUndefined()
})
