import { expect, it } from 'vitest'
import { foldKind } from './fold-kind.ts'
import { memoryKinds } from './memory.ts'

it.each([
  ['Fact', 'fact'],
  ['preferences', 'preference'],
  ['Gotchas', 'debugging'],
  ['post_mortem', 'debugging'],
  ['process', 'operational'],
  ['runbook', 'operational'],
  ['constructor', 'fact'],
  ['weather', 'fact'],
  ['', 'fact'],
  [7, 'fact'],
  [undefined, 'fact'],
])('SPEC B.19: folds %j to %s', (value, kind) => expect(foldKind(value)).toBe(kind))

it('keeps every known kind', () => {
  expect(memoryKinds.map(foldKind)).toEqual(memoryKinds)
})
