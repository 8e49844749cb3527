import { describe, expect, it } from 'vitest'
import type { UsageLimit } from '../session.ts'
import { isOver, newestLimits, windowText } from './rate-limits.ts'

const limit: UsageLimit = {
  limit: 'codex',
  at: '2026-07-01T08:00:00.000Z',
  usedPercent: 10,
  minutes: 300,
  resetsAt: '2026-07-01T10:00:00.000Z',
}

describe('newestLimits', () => {
  it('keeps the latest of each limit and window, in whatever order they come', () => {
    const later = { ...limit, at: '2026-07-01T09:00:00.000Z', usedPercent: 20, minutes: 299 }
    const week = { ...limit, minutes: 10_080 }
    const other = { ...limit, limit: 'codex_other' }
    expect(newestLimits([week, later, other, limit])).toEqual([later, week, other])
  })
})

it.each([
  ['before its reset', limit, '2026-07-01T09:59:00Z', false],
  ['after its reset', limit, '2026-07-01T10:00:00Z', true],
  ['with an unknown reset, within its length', { ...limit, resetsAt: null }, '2026-07-01T12:59:00Z', false],
  ['with an unknown reset, after its length', { ...limit, resetsAt: null }, '2026-07-01T13:00:00Z', true],
])('a window is over: %s', (_, given, now, expected) => expect(isOver(given, Date.parse(now))).toBe(expected))

it.each([
  [300, '5 hours'],
  [299, '5 hours'],
  [10_080, '7 days'],
  [10, '10 minutes'],
])('a window of %i minutes is named %s', (minutes, expected) => expect(windowText({ minutes })).toBe(expected))
