import { describe, expect, it } from 'vitest'
import { contentWords, valuesIn } from './content-words.ts'

describe('contentWords', () => {
  it.each([
    ['function words left out', 'it is the cap of a parcel', ['cap', 'parcel']],
    ['one stem', 'parcels, rounded, rounding', ['parcel', 'round', 'round']],
    ['names and numbers as they are', 'parcel_weight holds 30', ['parcel_weight', 'hold', '30']],
    ['accents', 'Größe bleibt', ['größe', 'bleibt']],
    ['a script without spaces', '包裹重量', ['包裹', '裹重', '重量']],
  ])('%s', (_, text, words) => {
    expect(contentWords(text)).toEqual(words)
  })
})

describe('valuesIn', () => {
  it('has numbers, identifiers and acronyms', () => {
    expect([...valuesIn('The API caps parcel_weight at 30 via maxWeight, not by hand.')].sort()).toEqual(
      ['30', 'api', 'maxweight', 'parcel_weight'].sort(),
    )
  })
})
