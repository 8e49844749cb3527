import { describe, expect, it } from 'vitest'
import { minuteFor, nextRun } from './scheduler.ts'

describe('nextRun', () => {
  const local = (text: string) => new Date(text).getTime()
  it.each([
    ['hourly', '2026-09-01T10:16:59', '2026-09-01T10:17:00'],
    ['hourly', '2026-09-01T23:17:00', '2026-09-02T00:17:00'],
    ['daily', '2026-09-01T03:00:00', '2026-09-01T04:17:00'],
    ['daily', '2026-12-31T12:00:00', '2027-01-01T04:17:00'],
    ['weekly', '2026-09-01T03:00:00', '2026-09-07T04:17:00'],
    ['weekly', '2026-09-07T04:16:00', '2026-09-07T04:17:00'],
    ['weekly', '2026-09-07T04:17:00', '2026-09-14T04:17:00'],
    ['weekly', '2026-09-06T12:00:00', '2026-09-07T04:17:00'],
  ] as const)('%s after %s', (cadence, now, expected) => {
    expect(Date.parse(nextRun(cadence, 17, local(now)))).toBe(local(expected))
  })
})

it('minuteFor is stable per user and differs between users', () => {
  const minutes = Array.from({ length: 50 }, (_, user) =>
    minuteFor({ home: `/home/dev${user}`, env: {}, platform: 'linux' }),
  )
  expect(minutes.every((minute) => Number.isInteger(minute) && minute >= 0 && minute < 60)).toBe(true)
  expect(new Set(minutes).size).toBeGreaterThan(20)
  expect(minuteFor({ home: '/home/dev7', env: {}, platform: 'linux' })).toBe(minutes[7])
})
