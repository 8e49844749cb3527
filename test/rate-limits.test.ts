// Rate limits from a rollout of Codex to the ledger.
import { afterEach, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { latestRateLimits } from '../src/store/sessions/rate-limits.ts'
import { sweep } from '../src/sweep.ts'
import { type Place, place } from './program.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

it('keeps the latest rate limits of an agent, in whatever order its transcripts are read', async () => {
  const at = place({ ...rollout('2026-07-02', 3, 61), ...rollout('2026-07-01', 7, 40) })
  places.push(at)
  const machine = {
    home: at.home,
    env: { RECOLLECT_HOME: at.store, PATH: '' },
    platform: 'linux' as const,
    name: 'box',
  }
  const app = createApp({ machine, clock: fixedClock('2026-07-03T12:00:00Z') })
  await sweep(app)
  const ledger = app.existingLedger()
  expect(latestRateLimits(ledger, 'codex')).toEqual({
    at: '2026-07-02T08:00:02.000Z',
    windows: [{ usedPercent: 61, minutes: 300, resetsAt: '2026-07-03T00:00:00.000Z' }],
  })
  expect(latestRateLimits(ledger, 'claude-code')).toBeUndefined()
  ledger.close()
})

function rollout(day: string, number: number, usedPercent: number): Record<string, object[]> {
  const id = `019f220e-7280-7000-8000-00000000000${number}`
  const path = `.codex/sessions/${day.replaceAll('-', '/')}/rollout-${day}T08-00-00-${id}.jsonl`
  const line = (second: number, type: string, payload: object) => ({
    timestamp: `${day}T08:00:0${second}.000Z`,
    type,
    payload,
  })
  const limits = { primary: { used_percent: usedPercent, window_minutes: 300, resets_at: 1_783_036_800 } }
  return {
    [path]: [
      line(0, 'session_meta', { id, timestamp: `${day}T08:00:00.000Z`, cwd: '/srv/app', cli_version: '0.142.4' }),
      line(1, 'event_msg', { type: 'user_message', message: 'fix the bug' }),
      line(2, 'event_msg', { type: 'token_count', info: null, rate_limits: limits }),
    ],
  }
}
