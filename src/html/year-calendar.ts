// The days of a year as squares in weeks, darker where more happened. Hidden from screen readers:
// the pages list the same days.
import { type Html, html } from './html.ts'

interface CalendarDay {
  value: number
  url: string
  label: string
}

const cell = 11
const step = 13
const left = 26
const top = 16

export function yearCalendar(year: number, days: ReadonlyMap<string, CalendarDay>): Html {
  const first = new Date(Date.UTC(year, 0, 1))
  const offset = mondayIndex(first)
  const count = (Date.UTC(year + 1, 0, 1) - first.getTime()) / dayMs
  const levelOf = levels([...days].filter(([day]) => day.startsWith(`${year}-`)).map(([, { value }]) => value))
  const months = new Map<number, number>()
  const cells = Array.from({ length: count }, (_, at) => {
    const date = new Date(first.getTime() + at * dayMs)
    const [week, weekday] = [Math.floor((at + offset) / 7), (at + offset) % 7]
    if (!months.has(date.getUTCMonth())) months.set(date.getUTCMonth(), weekday === 0 ? week : week + 1)
    const found = days.get(date.toISOString().slice(0, 10))
    const place = html`x="${left + week * step}" y="${top + weekday * step}" width="${cell}" height="${cell}"`
    return found
      ? html`<a href="${found.url}" tabindex="-1"><title>${found.label}</title><rect class="h${levelOf(found.value)}" ${place}/></a>`
      : html`<rect ${place}/>`
  })
  const names = [...months].map(
    ([month, week]) => html`<text x="${left + week * step}" y="10">${monthNames[month]!.slice(0, 3)}</text>`,
  )
  const weekdays = ['Mon', 'Wed', 'Fri'].map(
    (name, at) => html`<text x="0" y="${top + at * 2 * step + cell - 2}">${name}</text>`,
  )
  const size = `0 0 ${left + 54 * step} ${top + 7 * step}`
  return html`<div class="wide"><svg class="heat" viewBox="${size}" aria-hidden="true" focusable="false">${names}${weekdays}${cells}</svg></div>`
}

const dayMs = 86_400_000

export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

function mondayIndex(date: Date): number {
  return (date.getUTCDay() + 6) % 7
}

/** From 1 to 4, by the quarter of the days that have less. */
function levels(values: readonly number[]): (value: number) => number {
  const ordered = values.toSorted((a, b) => a - b)
  return (value) => {
    const below = ordered.findIndex((other) => other >= value)
    return 1 + Math.min(3, Math.floor((Math.max(0, below) / Math.max(1, ordered.length)) * 4))
  }
}
