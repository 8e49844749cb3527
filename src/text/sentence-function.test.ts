import { describe, expect, it } from 'vitest'
import {
  classified,
  functionOf,
  isRetraction,
  mayBeCause,
  mayRetract,
  placedSentences,
  type SentenceFunction,
} from './sentence-function.ts'

describe('functionOf', () => {
  it.each<[SentenceFunction, string]>([
    ['cause', 'The upload test is flaky because the clock is mocked after the token is created.'],
    ['cause', 'The problem was that the pool is closed before the last query returns.'],
    ['cause', 'Turns out the proxy strips the header.'],
    ['fix', 'I moved the mock above the call that creates the token.'],
    ['fix', 'Replaced the per-byte loop with one buffered read.'],
    ['fix', 'The fix is to wait for the pool before the test ends.'],
    ['plan', 'We could raise the timeout of the pool instead.'],
    ['progress', 'Let me check whether the pool is closed because of the timeout.'],
    ['progress', 'Now update the reader the same way.'],
    ['question', 'Should I fix it because the tests need it?'],
    ['retraction', "No, I'm not sure."],
    ['retraction', 'I was wrong about the pool.'],
    ['retraction', 'My earlier theory was too simple.'],
    ['evidence', 'All tests pass on both machines.'],
    ['context', 'Maybe it fails because of the proxy.'],
    ['context', 'Fixed and committed as 0a1b2c3d.'],
    ['context', 'The pool has ten connections.'],
  ])('%s: %s', (expected, sentence) => {
    expect(functionOf(sentence).function).toBe(expected)
  })
})

describe('placedSentences and classified', () => {
  it('gives sentences the function of their label', () => {
    const message = `**Root cause**

\`openPool\` runs at import time. All tests of the server share one pool.

**What changed:**
- \`openPool\`: called by each test

**Next steps**
- Raise the limit of connections.`
    expect(
      placedSentences(message)
        .map(classified)
        .map(({ function: part, text }) => [part, text]),
    ).toEqual([
      ['cause', '`openPool` runs at import time.'],
      ['cause', 'All tests of the server share one pool.'],
      ['fix', '`openPool`: called by each test'],
      ['plan', 'Raise the limit of connections.'],
    ])
  })

  it.each<[string, [SentenceFunction, string][]]>([
    [
      'Found it. The pool is keyed by the day alone.',
      [
        ['context', 'Found it.'],
        ['cause', 'The pool is keyed by the day alone.'],
      ],
    ],
    [
      'Fixed: 3 tests pass. Cause: the pool uses the clock of the machine. Times are now formatted in UTC.',
      [
        ['context', '3 tests pass.'],
        ['cause', 'the pool uses the clock of the machine.'],
        ['fix', 'Times are now formatted in UTC.'],
      ],
    ],
    [
      'Done, 0a1b2c3d: each test of the server opens its own pool.',
      [['fix', 'each test of the server opens its own pool.']],
    ],
  ])('%s', (message, expected) => {
    expect(
      placedSentences(message)
        .map(classified)
        .map(({ function: part, text }) => [part, text]),
    ).toEqual(expected)
  })

  it('leaves out tables, emphasis and addresses of links', () => {
    const message = '| a | b |\n\nThe pool was **closed** because [the test](https://example.com/test) ended first.'
    expect(
      placedSentences(message)
        .map(classified)
        .map(({ text }) => text),
    ).toEqual(['The pool was closed because the test ended first.'])
  })
})

describe('placedSentences', () => {
  const message = `**Root cause**
The pool is closed before the last query returns. It fails.
**Fix:** I moved the mock, because the clock is read first.
Turns out the proxy strips the header. I was wrong about the pool. Was I wrong about the clock?`

  it.each([0.8, 1.2, 2])('tells which of them may be a cause of strength %d', (strength) => {
    const placed = placedSentences(message)
    const causes = placed.filter((one) => {
      const found = classified(one)
      return found.function === 'cause' && found.strength >= strength
    })
    expect(placed.filter((one) => mayBeCause(one, strength))).toEqual(expect.arrayContaining(causes))
    expect(placed.some((one) => !mayBeCause(one, strength))).toBe(true)
  })

  it('tells which of them is a retraction', () =>
    expect(
      placedSentences(message)
        .filter(({ text }) => isRetraction(text))
        .map(({ text }) => text),
    ).toEqual(['I was wrong about the pool.']))
})

describe('mayRetract', () => {
  it.each([
    "I'm not sure.",
    'I was mistaken about the pool.',
    'I misread the log.',
    'I jumped to conclusions.',
    'Scratch that.',
    'It is not what we thought.',
    "It wasn't the real cause.",
    'It isn’t the bug.',
    'My first guess was too simple.',
    'That rules out the cache.',
    "That isn't it.",
    "I don't actually know.",
  ])('lets every retraction pass: %s', (sentence) => {
    expect(isRetraction(sentence)).toBe(true)
    expect(mayRetract(sentence)).toBe(true)
  })

  it('most messages need not be split', () => expect(mayRetract('I moved the queue into the database.')).toBe(false))
})
