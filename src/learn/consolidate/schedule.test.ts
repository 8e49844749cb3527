import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { fixedClock } from '../../core/clock.ts'
import { parseConfig } from '../../core/config/config.ts'
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

it('reasonToSkip: none when five sessions besides the last have grown', () => {
  captured('2026-09-01T10:00:00.000Z', 'a', 'b', 'c', 'd', 'e', 'last')
  expect(gate('2026-09-01T12:00:00Z')).toBeUndefined()
})

it('reasonToSkip: the configuration comes first', () => {
  captured('2026-09-01T10:00:00.000Z', 'a', 'b', 'c', 'd', 'e', 'last')
  expect(gate('2026-09-01T12:00:00Z', '[learn]\nconsolidate = false')).toMatch(/switched off/)
})

it('reasonToSkip: for a day after the last run', () => {
  markConsolidated({ ledger, clock: fixedClock('2026-09-01T12:00:00Z') })
  captured('2026-09-01T13:00:00.000Z', 'a', 'b', 'c', 'd', 'e', 'last')
  expect(gate('2026-09-02T11:00:00Z')).toMatch(/^done 23 h 0 min ago/)
  expect(gate('2026-09-02T12:00:00Z')).toBeUndefined()
  expect(lastConsolidated(ledger)).toBe('2026-09-01T12:00:00.000Z')
})

it('reasonToSkip: ignores a time in the future', () => {
  markConsolidated({ ledger, clock: fixedClock('2027-01-01T12:00:00Z') })
  captured('2027-01-01T13:00:00.000Z', 'a', 'b', 'c', 'd', 'e', 'last')
  expect(gate('2026-09-01T12:00:00Z')).toBeUndefined()
})

it('reasonToSkip: counts neither subagents, nor the current session, nor unchanged ones', () => {
  captured('2026-09-01T10:00:00.000Z', 'old')
  markConsolidated({ ledger, clock: fixedClock('2026-09-01T12:00:00Z') })
  captured('2026-09-01T13:00:00.000Z', 'a', 'b', 'c', 'd', 'subagent', 'last')
  expect(gate('2026-09-03T12:00:00Z')).toBe('4 sessions besides the last had grown since, and it takes 5')
})

it('reasonToSkip: counts sessions again after ten minutes', () => {
  captured('2026-09-01T10:00:00.000Z', 'a', 'b', 'c', 'd', 'e')
  expect(gate('2026-09-01T12:00:00Z')).toMatch(/^4 sessions/)
  captured('2026-09-01T12:01:00.000Z', 'last')
  expect(gate('2026-09-01T12:09:00Z')).toMatch(/^9 min 0 s ago 4 sessions/)
  expect(gate('2026-09-01T12:10:00Z')).toBeUndefined()
})
