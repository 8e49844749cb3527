import { expect, it } from 'vitest'
import type { Json } from '../core/session.ts'
import { runsOnly } from './ours.ts'

const isOurs = runsOnly((command) => command.startsWith('recollect hook '))
const ours = { type: 'command', command: 'recollect hook Stop', timeout: 10 }
const theirs = { type: 'command', command: 'lint' }

it.each<[string, Json, boolean]>([
  ['a command of ours', ours, true],
  ['a group around it', { matcher: '*', hooks: [ours] }, true],
  ['a command of theirs', theirs, false],
  ['a group with both', { matcher: '*', hooks: [ours, theirs] }, false],
  ['an empty group', { hooks: [] }, false],
  ['a word of ours in another text', { command: 'echo recollect hook Stop' }, false],
  ['no object at all', null, false],
])('%s: is it ours', (_, item, expected) => {
  expect(isOurs(item)).toBe(expected)
})
