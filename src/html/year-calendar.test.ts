import { describe, expect, it } from 'vitest'
import { yearCalendar } from './year-calendar.ts'

describe('yearCalendar', () => {
  const day = (value: number, url: string) => ({ value, url, label: '<b>' })
  const calendar = yearCalendar(
    2024,
    new Map([
      ['2024-01-01', day(1, '/a')],
      ['2024-12-31', day(9, '/b')],
      ['2025-01-01', day(9, '/c')],
    ]),
  ).toString()

  it('has a square for each day of the year, and links for those with something', () => {
    expect(calendar.match(/<rect/g)).toHaveLength(366)
    expect([...calendar.matchAll(/href="([^"]+)"/g)].map((match) => match[1])).toEqual(['/a', '/b'])
    expect(calendar).not.toContain('<b>')
  })

  it('begins weeks on Monday, and is darker where more happened', () => {
    expect(calendar).toContain('<rect class="h1" x="26" y="16"')
    expect(calendar).toContain('<rect class="h3" x="702" y="29"')
  })
})
