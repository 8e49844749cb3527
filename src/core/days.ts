// Calendar arithmetic on days such as `2026-09-01`, independent of time zones.
import { isoTime } from './clock.ts'

const dayMs = 86_400_000

export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && dayAfter(text, 0) === text
}

/** Empty if it is not a day. */
export function dayAfter(day: string, days: number): string {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(at) ? '' : isoTime(at + days * dayMs).slice(0, 10)
}

/** Days from one to the other; negative if the other is earlier. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs)
}

/** The Monday of its week. */
export function weekOf(day: string): string {
  return dayAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))
}

export type CalendarUnit = 'day' | 'week' | 'month'

/** The day itself, the Monday of its week, or its month, `2026-09`. */
export function unitOf(day: string, unit: CalendarUnit): string {
  if (unit === 'day') return day
  return unit === 'week' ? weekOf(day) : day.slice(0, 7)
}

/** All units from one day to another, those of both included. */
export function unitsBetween(from: string, to: string, unit: CalendarUnit): string[] {
  const units: string[] = []
  const last = unitOf(to, unit)
  for (let at = unitOf(from, unit); at <= last; at = nextUnit(at, unit)) units.push(at)
  return units
}

function nextUnit(at: string, unit: CalendarUnit): string {
  if (unit === 'month') return dayAfter(`${at}-28`, 4).slice(0, 7)
  return dayAfter(at, unit === 'week' ? 7 : 1)
}

/** The last day of a unit. */
export function endOfUnit(at: string, unit: CalendarUnit): string {
  if (unit === 'month') return dayAfter(`${nextUnit(at, 'month')}-01`, -1)
  return dayAfter(at, unit === 'week' ? 6 : 0)
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** `1 Sep` for a day, `Sep 2026` for a month. */
export function shortDay(day: string): string {
  const month = months[Number(day.slice(5, 7)) - 1] ?? ''
  return day.length === 7 ? `${month} ${day.slice(0, 4)}` : `${Number(day.slice(8))} ${month}`
}
