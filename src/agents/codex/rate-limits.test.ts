import { describe, expect, it } from 'vitest'
import { rateLimitsIn } from './rate-limits.ts'

const at = '2026-07-01T08:00:00.000Z'

describe('rateLimitsIn', () => {
  it.each([
    [
      'two windows with the time of their reset',
      {
        limit_id: 'codex',
        primary: { used_percent: 29.5, window_minutes: 300, resets_at: 1_782_900_000 },
        secondary: { used_percent: 9, window_minutes: 10_080, resets_at: 1_783_000_000 },
      },
      [
        { usedPercent: 29.5, minutes: 300, resetsAt: '2026-07-01T10:00:00.000Z' },
        { usedPercent: 9, minutes: 10_080, resetsAt: '2026-07-02T13:46:40.000Z' },
      ],
    ],
    [
      'seconds until the reset (October 2025)',
      { primary: { used_percent: 3, window_minutes: 300, resets_in_seconds: 3600 }, secondary: null },
      [{ usedPercent: 3, minutes: 300, resetsAt: '2026-07-01T09:00:00.000Z' }],
    ],
    [
      'flat fields (September 2025)',
      { primary_used_percent: 12, primary_window_minutes: 299, secondary_used_percent: 4, secondary_window_minutes: 1 },
      [
        { usedPercent: 12, minutes: 299, resetsAt: null },
        { usedPercent: 4, minutes: 1, resetsAt: null },
      ],
    ],
  ])('reads %s', (_, limits, windows) => {
    expect(rateLimitsIn(limits, at)).toEqual(windows.map((window) => ({ limit: 'codex', at, ...window })))
  })

  it('names the limit of a single model, and a window by its length (0.147)', () => {
    const primary = { used_percent: 1, window_minutes: 10_080 }
    const limits = { limit_id: 'codex_bengalfox', limit_name: 'A-Model', primary, secondary: null }
    expect(rateLimitsIn(limits, at)).toEqual([
      { limit: 'A-Model', at, usedPercent: 1, minutes: 10_080, resetsAt: null },
    ])
  })

  it.each([
    ['nothing', {}],
    ['values of other types', { primary: { used_percent: '3', window_minutes: [] }, secondary: 7 }],
  ])('leaves out %s', (_, limits) => {
    expect(rateLimitsIn(limits, at)).toEqual([])
  })
})
