import { describe, expect, it } from 'vitest'
import { ageText } from './age.ts'

describe('ageText', () => {
  it.each([
    ['2026-11-17T10:00:00Z', ''],
    ['2026-11-16T12:00:00Z', '1 day ago'],
    ['2026-09-20T12:00:00Z', '58 days ago'],
    ['2026-08-01T12:00:00Z', '3 months ago'],
    ['2025-01-01T12:00:00Z', '22 months ago'],
    ['2024-08-19T12:00:00Z', '2 years ago'],
  ])('of %s is "%s"', (at, expected) => expect(ageText(at, Date.parse('2026-11-17T12:00:00Z'))).toBe(expected))
})
