// Local days of quarters of an hour, by which usage is summed up: time zones differ by multiples of them.
import type { Zone } from '../units.ts'

export const quarterMs = 900_000
const quartersOfDay = 96

/**
 * Formatting a date takes microseconds, and there are many quarters. A day of UTC has parts of at most
 * two local days, and the quarter at which the second begins is found once.
 */
export function dayFunction(zone: Zone): (quarter: number) => string {
  const format = (quarter: number) => zone.day(new Date(quarter * quarterMs).toISOString())
  const known = new Map<number, { first: string; last: string; change: number }>()
  return (quarter) => {
    const start = Math.floor(quarter / quartersOfDay) * quartersOfDay
    let day = known.get(start)
    if (!day) {
      const [first, last] = [format(start), format(start + quartersOfDay - 1)]
      let [before, change] = [start, start + quartersOfDay - 1]
      while (change - before > 1) {
        const middle = Math.floor((before + change) / 2)
        if (format(middle) === first) before = middle
        else change = middle
      }
      day = { first, last, change: first === last ? start + quartersOfDay : change }
      known.set(start, day)
    }
    return quarter < day.change ? day.first : day.last
  }
}
