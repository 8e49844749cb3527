import { describe, expect, it } from 'vitest'
import { nearest } from './nearest.ts'

describe('nearest', () => {
  it.each([
    ['sesions', 'sessions'],
    ['fxi', 'fix'],
    ['foo', undefined],
    ['nothing', undefined],
  ])('%s stands for %s', (typed, known) => expect(nearest(typed, ['sessions', 'fix', 'cost'])).toBe(known))
})
