import { describe, expect, it } from 'vitest'
import { dayAfter, daysBetween, endOfUnit, isDay, shortDay, unitsBetween, weekOf } from './days.ts'

describe('days', () => {
  it.each([
    ['2026-02-28', true],
    ['2026-02-30', false],
    ['2026-2-3', false],
    ['', false],
  ])('%j is a day: %s', (text, expected) => expect(isDay(text)).toBe(expected))

  it('are counted over months and changes of daylight saving time', () => {
    expect(dayAfter('2026-02-28', 1)).toBe('2026-03-01')
    expect(dayAfter('2026-03-01', -1)).toBe('2026-02-28')
    expect(daysBetween('2026-03-01', '2026-04-01')).toBe(31)
    expect(dayAfter('today', 1)).toBe('')
  })

  it('belong to weeks that begin on Monday', () => {
    expect(['2026-08-31', '2026-09-02', '2026-09-06', '2026-09-07'].map(weekOf)).toEqual([
      '2026-08-31',
      '2026-08-31',
      '2026-08-31',
      '2026-09-07',
    ])
  })

  it.each([
    ['day', ['2026-01-30', '2026-01-31', '2026-02-01']],
    ['week', ['2026-01-26']],
    ['month', ['2026-01', '2026-02']],
  ] as const)('are listed by %s', (unit, expected) => {
    expect(unitsBetween('2026-01-30', '2026-02-01', unit)).toEqual(expected)
  })

  it('end their unit', () => {
    expect(endOfUnit('2026-02', 'month')).toBe('2026-02-28')
    expect(endOfUnit('2026-08-31', 'week')).toBe('2026-09-06')
    expect([shortDay('2026-09-01'), shortDay('2026-09')]).toEqual(['1 Sep', 'Sep 2026'])
  })
})
