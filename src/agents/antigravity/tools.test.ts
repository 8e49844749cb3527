import { describe, expect, it } from 'vitest'
import { callArguments } from './tools.ts'

describe('arguments of a call', () => {
  it.each([
    ['JSON in texts', { Cwd: '"/srv"', Wait: '500', Paths: '["a"]' }, { Cwd: '/srv', Wait: 500, Paths: ['a'] }],
    ['JSON in texts, without a text', { Wait: '500', IsRegex: 'true' }, { Wait: 500, IsRegex: true }],
    ['JSON that was cut off', { Cwd: '"/srv"', Code: '"cut' }, { Cwd: '/srv', Code: '"cut' }],
    ['plain values', { Cwd: '/srv', Wait: 500 }, { Cwd: '/srv', Wait: 500 }],
    [
      'a plain text that is JSON',
      { TargetFile: '/srv/a.json', CodeContent: '{"a":1}' },
      { TargetFile: '/srv/a.json', CodeContent: '{"a":1}' },
    ],
    ['a plain text in quotes', { query: '"exact words"', limit: 5 }, { query: '"exact words"', limit: 5 }],
    ['nothing', null, {}],
  ])('are read from %s', (_, args, expected) => expect(callArguments(args)).toEqual(expected))
})
