import { describe, expect, it } from 'vitest'
import { zoneOf } from '../units.ts'
import { dayFunction } from './day-of-quarter.ts'

describe('dayFunction', () => {
  it.each(['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kathmandu', 'Pacific/Kiritimati'])(
    'gives the local day of every quarter of an hour in %s, also when clocks change',
    (name) => {
      const zone = zoneOf(name)
      const dayOf = dayFunction(zone)
      for (const month of ['2026-03', '2026-10', '2026-11']) {
        const first = Date.parse(`${month}-01T00:00:00Z`) / 900_000
        for (let quarter = first; quarter < first + 30 * 96; quarter++) {
          const day = zone.day(new Date(quarter * 900_000).toISOString())
          if (dayOf(quarter) !== day) expect({ quarter, day: dayOf(quarter) }).toEqual({ quarter, day })
        }
      }
    },
  )
})
