import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sampleMemory } from '../../../test/sample-memory.ts'
import { layoutOf } from '../../core/paths.ts'
import type { Memory } from '../../memory/memory.ts'
import { type Ledger, openLedger } from '../ledger.ts'
import { memoryById, similarMemories } from './memories.ts'
import { memoryNumber, writeMemory } from './rows.ts'

let root: string
let ledger: Ledger
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-rows-'))
  ledger = openLedger(layoutOf(root))
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true })
})

const write = (memory: Memory) => ledger.transaction(() => writeMemory(ledger, memory))
const times = () =>
  ledger
    .sql('SELECT ts FROM passages')
    .all()
    .map(({ ts }) => Number(ts))
const first = sampleMemory({
  id: 'm-first',
  text: 'Deploys wait for the green pipeline.',
  confirmedAt: '2026-10-01T10:00:00.000Z',
})

describe('writeMemory', () => {
  it('updates a memory in place and leaves its use counts', () => {
    write(first)
    const number = memoryNumber(ledger, first.id)
    ledger.sql('UPDATE memories SET used = 3').run()
    const evidence = [{ session: 'codex:s2', event: 'e2', quote: 'wait for it' }]
    const later = { ...first, evidence, version: 2, counts: { said: 2, shown: 0, used: 0 } }
    write(later)
    expect(memoryNumber(ledger, first.id)).toBe(number)
    expect(memoryById(ledger, first.id)).toEqual({ ...later, counts: { said: 2, shown: 0, used: 3 } })
    expect(ledger.sql('SELECT session FROM memory_sessions').all()).toMatchObject([{ session: 'codex:s2' }])
  })

  it('finds a memory by its new words only', () => {
    write(first)
    write({ ...first, text: 'Releases follow the calendar.', keywords: [] })
    const found = (text: string) => similarMemories(ledger, text, first.project).map(({ id }) => id)
    expect(found('the calendar')).toEqual([first.id])
    expect(found('green pipeline')).toEqual([])
  })

  it('dates a memory that was said again', () => {
    write(first)
    write({ ...first, confirmedAt: '2026-11-01T10:00:00.000Z' })
    expect(times()).toEqual([Date.parse('2026-11-01T10:00:00.000Z')])
  })
})
