import { expect, it } from 'vitest'
import { findQuote } from './evidence.ts'
import type { Utterance } from './exchanges.ts'

const said: Utterance[] = [
  {
    seq: 0,
    event: 'e0',
    at: null,
    before: 'I looked at the login page.',
    prompt: 'Fix the login page bug. And always run the migration twice before a release.',
    after: 'Done. CSRF checks must stay disabled on the login page.',
  },
]

it.each([
  ['the words as they stand', 'always run the migration twice before a release', 'user said'],
  ['with a small mistake', 'always run migrations twice before each release', 'user said'],
  ["the agent's own words", 'CSRF checks must stay disabled on the login page.', 'agent said'],
])('finds %s', (_, quote, trust) => {
  expect(findQuote(said, quote, 0)).toMatchObject({ trust })
})

it.each([
  ['what nobody said', 'bananas are blue and round in summer'],
  ['too little to know again', 'fix'],
])('does not find %s', (_, quote) => {
  expect(findQuote(said, quote, 0)).toBeUndefined()
})
