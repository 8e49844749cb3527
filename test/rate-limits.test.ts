// Rate limits from a rollout of Codex to the ledger.
import { afterEach, expect, it } from 'vitest'
import { createApp } from '../src/app.ts'
import { fixedClock } from '../src/core/clock.ts'
import { latestRateLimits } from '../src/store/sessions/rate-limits.ts'
import { sweep } from '../src/sweep.ts'
import { type Place, place } from './program.ts'
import { rolloutWithLimits } from './rollout-with-limits.ts'

const places: Place[] = []
afterEach(() => {
  for (const one of places.splice(0)) one.remove()
})

it('keeps the latest rate limits of an agent, in whatever order its transcripts are read', async () => {
  const at = place({ ...rolloutWithLimits('2026-07-02', 3, 61), ...rolloutWithLimits('2026-07-01', 7, 40) })
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
  expect(latestRateLimits(ledger, 'codex')).toEqual([
    {
      limit: 'codex',
      at: '2026-07-02T08:00:03.000Z',
      usedPercent: 61,
      minutes: 300,
      resetsAt: '2026-07-03T00:00:00.000Z',
    },
  ])
  expect(latestRateLimits(ledger, 'claude-code')).toEqual([])
  ledger.close()
})
