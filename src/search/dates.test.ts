import { describe, expect, it } from 'vitest'
import { dateCloseness, datesIn } from './dates.ts'

const now = Date.parse('2026-09-08T12:00:00Z')
const days = (text: string) =>
  datesIn(text, now).map(({ fromMs, toMs }) => [
    new Date(fromMs).toISOString().slice(0, 10),
    new Date(toMs).toISOString().slice(0, 10),
  ])

describe('datesIn', () => {
  it.each([
    ['a day', 'where was she on 7 May 2023?', [['2023-05-07', '2023-05-08']]],
    ['a day, month first', 'on May 7th, 2023', [['2023-05-07', '2023-05-08']]],
    ['a month', 'what broke in March 2026', [['2026-03-01', '2026-04-01']]],
    ['an ISO date', 'the release of 2026-03-07', [['2026-03-07', '2026-03-08']]],
    ['a year', 'what did we use in 2025', [['2025-01-01', '2026-01-01']]],
    ['a word that is no month', 'may I march on', []],
    ['a number that is no year', 'port 2026 is taken', []],
    ['no date', 'why does it fail', []],
  ])('%s', (_, text, expected) => expect(days(text)).toEqual(expected))

  it('returns a range for each of the last years where the year is missing', () => {
    expect(days('in march').map(([from]) => from)).toEqual(
      [2026, 2025, 2024, 2023, 2022, 2021].map((year) => `${year}-03-01`),
    )
  })
})

it('dateCloseness is high on the day and soon after, low before', () => {
  const day = datesIn('2026-03-07', now)
  const at = (date: string) => dateCloseness(Date.parse(date), day)
  expect(at('2026-03-07T15:00:00Z')).toBe(1)
  expect(at('2026-03-12T15:00:00Z')).toBeGreaterThan(at('2026-03-20T15:00:00Z'))
  expect(at('2026-03-04T15:00:00Z')).toBeLessThan(at('2026-03-12T15:00:00Z'))
  expect(at('2026-02-01T15:00:00Z')).toBe(0)
  expect(dateCloseness(null, day)).toBe(0)
})
