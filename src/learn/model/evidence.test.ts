import { expect, it } from 'vitest'
import type { Utterance } from '../exchanges.ts'
import { findQuote } from './evidence.ts'

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
  ['with an ellipsis', 'Fix the login page … always run the migration', 'user said'],
  ['with dots in brackets', 'always run [...] before a release', 'user said'],
  ['with the spelling mended', 'And allways run teh migraton twice befor a release', 'user said'],
  ['over a line break', 'always run\nthe   migration twice', 'user said'],
  ["the agent's own words with an ellipsis", 'CSRF checks … disabled on the login page', 'agent said'],
  ["the agent's own words", 'CSRF checks must stay disabled on the login page.', 'agent said'],
])('finds %s', (_, quote, trust) => {
  expect(findQuote(said, quote, 0)).toMatchObject({ trust })
})

it.each([
  ['what nobody said', 'bananas are blue and round in summer'],
  ['too little to know again', 'fix'],
  ['parts in another order', 'before a release … Fix the login page bug'],
  ['another number', 'always run the migration 3 times before a release'],
])('does not find %s', (_, quote) => {
  expect(findQuote(said, quote, 0)).toBeUndefined()
})

it('stores the words as they stand, not as the model wrote them', () => {
  expect(findQuote(said, 'Fix the login page … always run the migraton', 0)?.quote).toBe(
    'Fix the login page bug. And always run the migration',
  )
})

it('takes "yes" for agreement to what the agent said', () => {
  const agreed = [{ ...said[0]!, before: 'Shall the queue be drained first?', prompt: 'Yes, please.' }]
  expect(findQuote(agreed, 'yes', 0)).toMatchObject({ trust: 'agent said', quote: 'yes' })
  expect(findQuote(agreed, 'please', 0)).toBeUndefined()
})
