import { describe, expect, it } from 'vitest'
import type { JsonEntry } from '../../agents/agent.ts'
import type { Json } from '../../core/session.ts'
import { ownedByCommand, removeOwnedEntries } from './owned-entries.ts'

const isOurs = ownedByCommand((command) => command.startsWith('recollect'))
const entries: JsonEntry[] = [{ at: ['hooks', 'Stop'], item: { command: 'recollect' } }]

describe('removeOwnedEntries removes our item', () => {
  it.each([
    ['the only one', '{"hooks":{"Stop":[{"command":"recollect"}]}}', '{}'],
    ['the first on a line', '{"hooks":{"Stop":[{"command":"recollect"}, 1]}}', '{"hooks":{"Stop":[1]}}'],
    ['the last on a line', '{"hooks":{"Stop":[ 1, {"command":"recollect"} ]}}', '{"hooks":{"Stop":[ 1 ]}}'],
    ['one in the middle', '{"hooks":{"Stop":[1, {"command":"recollect"}, 2]}}', '{"hooks":{"Stop":[1, 2]}}'],
    [
      'with its line',
      '{\n  "hooks": {\n    "Stop": [\n      { "command": "recollect" },\n      1\n    ]\n  }\n}',
      '{\n  "hooks": {\n    "Stop": [\n      1\n    ]\n  }\n}',
    ],
    [
      'and remarks about the others stay',
      '{"hooks":{"Stop":[\n  1, // one\n  {"command":"recollect"} // ours\n  // two\n]}}',
      '{"hooks":{"Stop":[\n  1 // one\n   // ours\n  // two\n]}}',
    ],
    [
      'and no remark swallows what follows',
      '{"hooks":{"Stop":[ // one\n{"command":"recollect"}, 1]}}',
      '{"hooks":{"Stop":[ // one\n 1]}}',
    ],
    [
      'and a remark before its comma stays',
      '{"hooks":{"Stop":[{"command":"recollect"} // mine\n, 1]}}',
      '{"hooks":{"Stop":[ // mine\n 1]}}',
    ],
    [
      'and a list with a remark stays',
      '{"hooks":{"Stop":[{"command":"recollect"} /* mine */]}}',
      '{"hooks":{"Stop":[ /* mine */]}}',
    ],
    [
      'from a group with a command of the user',
      '{"hooks":{"Stop":[{"hooks":[{"command":"recollect"},{"command":"lint"}]}]}}',
      '{"hooks":{"Stop":[{"hooks":[{"command":"lint"}]}]}}',
    ],
    [
      'but not from the arguments of the user',
      '{"hooks":{"Stop":[{"command":"sh","args":["-c","recollect"]}]}}',
      '{"hooks":{"Stop":[{"command":"sh","args":["-c","recollect"]}]}}',
    ],
    ['but not outside of the hooks', '{"allow":["recollect"],"hooks":{}}', '{"allow":["recollect"],"hooks":{}}'],
  ])('%s', (_, text, expected) => {
    expect(removeOwnedEntries(text, '', { isOurs, entries, made: undefined }, 'all')).toBe(expected)
  })
})

it('removeOwnedEntries keeps empty lists and objects that existed before', () => {
  const text = '{"hooks":{"Stop":[{"command":"recollect"}]}}'
  expect(removeOwnedEntries(text, '', { isOurs, entries, made: [['hooks', 'Stop']] }, 'all')).toBe('{"hooks":{}}')
  expect(removeOwnedEntries(text, '', { isOurs, entries, made: [] }, 'all')).toBe('{"hooks":{"Stop":[]}}')
})

it.each([
  ['goes with ours', '{"version":1,"hooks":{"Stop":[{"command":"recollect"}]}}', '{}'],
  [
    'stays for the items of the user',
    '{"version":1,"hooks":{"Stop":[{"command":"recollect"},1]}}',
    '{"version":1,"hooks":{"Stop":[1]}}',
  ],
  ['stays when the user has changed it', '{"version":2,"hooks":{"Stop":[{"command":"recollect"}]}}', '{"version":2}'],
])('a fallback that we set %s', (_, text, expected) => {
  const all = [...entries, { at: ['version'], fallback: 1 }]
  const made = [['hooks'], ['hooks', 'Stop']]
  expect(removeOwnedEntries(text, '', { isOurs, entries: all, made }, 'unneeded')).toBe(expected)
})

describe('ownedByCommand', () => {
  const isHook = ownedByCommand((command) => command.startsWith('recollect hook '))
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
  ])('decides about %s', (_, item, expected) => {
    expect(isHook(item)).toBe(expected)
  })
})
