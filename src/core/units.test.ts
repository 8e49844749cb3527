import { expect, it } from 'vitest'
import { formatElapsed, zoneOf } from './units.ts'

it.each([
  [125, '125 ms'],
  [22_814, '22.8 s'],
  [125_000, '2 min 5 s'],
])('%i milliseconds took %s', (ms, text) => expect(formatElapsed(ms)).toBe(text))

it('the zone of the machine is formatted as any other', () => {
  const own = zoneOf(undefined)
  const named = zoneOf(Intl.DateTimeFormat().resolvedOptions().timeZone)
  for (const time of ['2026-03-29T00:59:59Z', '2026-03-29T01:00:00Z', '2026-12-31T23:30:00Z', '1999-01-01T00:00:00Z'])
    expect(own.minute(time)).toBe(named.minute(time))
  expect(own.startOfDay('2026-10-25')).toBe(named.startOfDay('2026-10-25'))
})
