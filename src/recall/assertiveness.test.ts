import { describe, expect, it } from 'vitest'
import { firmness, isAside, prescribes } from './assertiveness.ts'

describe('firmness', () => {
  it.each([
    [
      'a limit over a complaint',
      'A parcel must never weigh more than 30 kilos.',
      'The courier complained again yesterday.',
    ],
    ['a definition over a thanks', 'A bare weight means grams.', 'Great, thanks.'],
    [
      'an exclusion over a guess',
      'Only the sender may cancel, not the courier.',
      'It could be the scale, I am not sure.',
    ],
    ['an order over a question', 'Drop labels without an address.', 'Should we drop labels without an address?'],
    [
      'a rule over an aside',
      'Round up to the next kilo.',
      'Heads-up: the label test is flaky, round up your patience.',
    ],
  ])('%s', (_, rule, chatter) => {
    expect(firmness(rule, '')).toBeGreaterThan(firmness(chatter, ''))
  })
})

describe('isAside', () => {
  it('treats shipping as an aside, unless the query asks for it', () => {
    expect(isAside('Rollout: region by region, behind a feature flag.', 'parcels weigh too much')).toBe(true)
    expect(isAside('Rollout: region by region, behind a feature flag.', 'how did we plan the rollout?')).toBe(false)
    expect(isAside('Different topic - who owns the scale?', '')).toBe(true)
  })
})

describe('prescribes', () => {
  it.each([
    ['Do not sort the labels.', true],
    ['Weights are deliberately kept in grams.', true],
    ['The invariant is one label per parcel.', true],
    ['The old code never compared the weights.', false],
    ['Fixes a typo in the label.', false],
  ])('%s', (sentence, expected) => {
    expect(prescribes(sentence)).toBe(expected)
  })
})
