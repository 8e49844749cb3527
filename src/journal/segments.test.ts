import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { layoutOf } from '../core/paths.ts'
import { eventKinds } from '../core/session.ts'
import { zoneOf } from '../core/units.ts'
import { type Ledger, openLedger } from '../store/ledger.ts'
import { eventRowId } from '../store/sessions/events.ts'
import type { JournalSession } from '../store/wiki/journal.ts'
import { dayFinder, segmentsOf } from './segments.ts'

let root: string
let ledger: Ledger
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'recollect-segments-'))
  ledger = openLedger(layoutOf(root))
})
afterEach(() => {
  ledger.close()
  rmSync(root, { recursive: true })
})

function session(times: (string | null)[], entries: JournalSession['entries'] = []): JournalSession {
  ledger
    .sql(`INSERT INTO sessions (id, uid, agent, kind, captured_at) VALUES (1, 'codex:s1', 'codex', 'main', '')`)
    .run()
  for (const [seq, time] of times.entries())
    ledger
      .sql('INSERT INTO events (id, key, kind, ts) VALUES (?, ?, ?, ?)')
      .run(eventRowId(1, seq), Buffer.from(`key${seq}`), eventKinds.indexOf('reply'), time && Date.parse(time))
  return { id: 1, events: times.length, started: null, entries } as unknown as JournalSession
}

const segments = (one: JournalSession) =>
  segmentsOf(ledger, one, dayFinder(zoneOf('UTC'))).map(({ day, fromSeq, toSeq, startMs, endMs }) => ({
    ...{ day, fromSeq, toSeq },
    times: [startMs, endMs].map((ms) => ms && new Date(ms).toISOString().slice(5, 16)),
  }))

describe('segmentsOf', () => {
  it.each<[string, (string | null)[], object[]]>([
    ['no dated event', [null], []],
    [
      'one day',
      [null, '2026-09-01T10:00:00Z', '2026-09-01T12:00:00Z'],
      [{ day: '2026-09-01', fromSeq: 0, toSeq: 3, times: ['09-01T10:00', '09-01T12:00'] }],
    ],
    [
      'one day, out of order',
      ['2026-09-01T11:00:00Z', '2026-09-01T10:00:00Z', '2026-09-01T12:00:00Z', '2026-09-01T11:30:00Z'],
      [{ day: '2026-09-01', fromSeq: 0, toSeq: 4, times: ['09-01T11:00', '09-01T12:00'] }],
    ],
    [
      'two days',
      ['2026-09-01T23:00:00Z', '2026-09-02T01:00:00Z'],
      [
        { day: '2026-09-01', fromSeq: 0, toSeq: 1, times: ['09-01T23:00', '09-01T23:00'] },
        { day: '2026-09-02', fromSeq: 1, toSeq: 2, times: ['09-02T01:00', '09-02T01:00'] },
      ],
    ],
    [
      'an event that is dated a day before',
      ['2026-09-02T01:00:00Z', '2026-09-01T23:00:00Z'],
      [{ day: '2026-09-02', fromSeq: 0, toSeq: 2, times: ['09-02T01:00', '09-02T01:00'] }],
    ],
  ])('%s', (_, times, expected) => expect(segments(session(times))).toEqual(expected))

  it('keeps the day that was told', () => {
    const told = { day: '2026-08-31', through: 1, hash: '', writtenBy: 'digest', spend: {} }
    const times = ['2026-09-01T10:00:00Z', '2026-09-01T11:00:00Z']
    expect(segments(session(times, [told as never])).map(({ day }) => day)).toEqual(['2026-08-31', '2026-09-01'])
  })
})
