import { describe, expect, it } from 'vitest'
import type { JsonEntry } from '../agents/agent.ts'
import { removeOurs } from './json-ours.ts'
import { runsOnly } from './ours.ts'

const isOurs = runsOnly((command) => command.startsWith('recollect'))
const entries: JsonEntry[] = [{ at: ['hooks', 'Stop'], item: { command: 'recollect' } }]

describe('our item is taken out', () => {
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
    expect(removeOurs(text, '', { isOurs, entries, made: undefined }, 'all')).toBe(expected)
  })
})

it('keeps empty lists and objects that were there before us', () => {
  const text = '{"hooks":{"Stop":[{"command":"recollect"}]}}'
  expect(removeOurs(text, '', { isOurs, entries, made: [['hooks', 'Stop']] }, 'all')).toBe('{"hooks":{}}')
  expect(removeOurs(text, '', { isOurs, entries, made: [] }, 'all')).toBe('{"hooks":{"Stop":[]}}')
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
  expect(removeOurs(text, '', { isOurs, entries: all, made }, 'unneeded')).toBe(expected)
})
