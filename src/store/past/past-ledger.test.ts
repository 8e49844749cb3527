import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { isoTime } from '../../core/clock.ts'
import { layoutOf } from '../../core/paths.ts'
import type { Memory } from '../../memory/memory.ts'
import { type Ledger, openLedger } from '../ledger.ts'
import { listMemories, memoryToRow } from '../memories/memories.ts'
import { memoriesForBrief } from '../memories/usage.ts'
import { openPastLedger } from './past-ledger.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-past-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const day = (number: number) => Date.UTC(2026, 8, number, 10)

function addSession(ledger: Ledger, uid: string, endedMs: number): void {
  ledger.sql('INSERT INTO sessions (uid, agent, captured_at, ended) VALUES (?, ?, ?, ?)').run(uid, 'codex', '', endedMs)
}

function addMemory(ledger: Ledger, id: string, saidMs: number, more: Partial<Memory> = {}): void {
  const row = memoryToRow(sampleMemory({ id, at: isoTime(saidMs), text: `Statement of ${id}`, ...more }))
  const names = Object.keys(row)
  ledger
    .sql(`INSERT INTO memories (${names.join(', ')}) VALUES (${names.map((name) => `$${name}`).join(', ')})`)
    .run(row)
}

it('has the sessions and memories of a time, forward and back, and changes nothing', () => {
  const layout = layoutOf(root)
  const ledger = openLedger(layout)
  addSession(ledger, 'codex:early', day(2))
  addSession(ledger, 'codex:late', day(6))
  addMemory(ledger, 'm-old', day(1), { supersededBy: 'm-new', supersededAt: isoTime(day(9)) })
  addMemory(ledger, 'm-new', day(5), { confirmedAt: isoTime(day(8)), counts: { said: 3, shown: 0, used: 0 } })
  const past = openPastLedger(layout)
  const seenAt = (atMs: number) => {
    past.moveTo(atMs)
    return {
      sessions: past
        .sql('SELECT uid FROM sessions ORDER BY id')
        .all()
        .map(({ uid }) => uid),
      current: listMemories(past, { isCurrent: true }).map(({ id, counts }) => `${id} said ${counts.said}`),
    }
  }
  expect(seenAt(day(1))).toEqual({ sessions: [], current: [] })
  expect(seenAt(day(4))).toEqual({ sessions: ['codex:early'], current: ['m-old said 1'] })
  expect(seenAt(day(7))).toEqual({ sessions: ['codex:early', 'codex:late'], current: ['m-new said 1'] })
  expect(seenAt(day(20)).current).toEqual(['m-new said 3'])
  expect(seenAt(day(3))).toEqual({ sessions: ['codex:early'], current: ['m-old said 1'] })
  // Queries that name an index find it.
  const wanted = { trusts: ['user said'], settled: ['decision'], failed: [] } as const
  const told = memoriesForBrief(past, '/home/dev/app', wanted as never, isoTime(day(3)))
  expect([...told].map(({ id }) => id)).toEqual(['m-old'])
  past.close()
  expect(listMemories(ledger)).toHaveLength(2)
  ledger.close()
})
