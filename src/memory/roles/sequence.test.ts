import { expect, it } from 'vitest'
import { unifySequence, withoutAfter } from './sequence.ts'

it.each([
  ['first lint, then test', 'lint before test'],
  ['rebase first and squash afterwards', 'rebase before squash'],
  ['lint, then test', 'lint before test'],
  ['lint followed by test', 'lint before test'],
  ['if lint fails, then stop', 'if lint fails, then stop'],
  ['the first test is slow', 'the first test is slow'],
])('an order is said with before: %s', (said, unified) => expect(unifySequence(said)).toBe(unified))

it.each([
  ['deploy after the migration', 'the migration before deploy'],
  ['after the migration, deploy', 'the migration before deploy'],
  ['deploy on fridays', undefined],
  ['deploy after the test, not before it', undefined],
])('what is after something comes last: %s', (said, turned) => expect(withoutAfter(said)).toBe(turned))
