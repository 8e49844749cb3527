import { expect, it } from 'vitest'
import { planRecall, tsqueryOf } from './plan.ts'

const space = '00000000-0000-4000-8000-000055556666'

it.each([
  ['words', 'deploy fails', "('VVVmZgdeploi' | 'VVVmZgfail')"],
  [
    'a phrase',
    '"blue green" light',
    "('VVVmZgblue' | 'VVVmZggreen' | 'VVVmZglight') & ('VVVmZgblue' <-> 'VVVmZggreen')",
  ],
  ['what must not be there', 'green -blue', "('VVVmZggreen') & !('VVVmZgblue')"],
  ['a single character without spaces', '設', "('VVVmZg設':*)"],
  ['signs of the query language', "a|b & !c:* \\ ''", "('VVVmZgb' | 'VVVmZgc')"],
])('asks for %s', (_, typed, expected) => {
  const plan = planRecall(typed)
  expect(tsqueryOf(space, plan, plan.terms, 'any')).toBe(expected)
})

it('planRecall keeps at most 24 terms', () => {
  const text = Array.from({ length: 200 }, (_, n) => `word${n}`).join(' ')
  expect(planRecall(text).terms).toHaveLength(24)
})
