import { describe, expect, it } from 'vitest'
import { firstSentences, replySentences } from './prose.ts'

describe('firstSentences', () => {
  it.each([
    [
      'whole sentences that fit',
      'Add a retry. Use the queue for it. And write the docs.',
      40,
      'Add a retry. Use the queue for it.',
    ],
    ['a long first sentence', `Add ${'a '.repeat(40)}retry.`, 40, `Add ${'a '.repeat(40)}retry.`],
    ['no colon at the end', 'I get this error on CI:', 40, 'I get this error on CI'],
    ['no sentence that was cut', 'Add a retry. Then move it to the…', 200, 'Add a retry.'],
  ])('keeps %s', (_, text, max, expected) => expect(firstSentences(text, max)).toBe(expected))

  it('ends a sentence that is far too long behind a clause', () =>
    expect(firstSentences(`Add a retry to the webhook of the payments, ${'and so on '.repeat(30)}`, 30)).toBe(
      'Add a retry to the webhook of the payments…',
    ))
})

describe('replySentences', () => {
  it.each([
    ['a sentence before code', 'The loop skipped it.\n\n```ts\nlet a\n```', 'The loop skipped it.'],
    ['no heading', '## Summary\n\nAll tests pass now.', 'All tests pass now.'],
    ['no table', 'The rates changed.\n\n| a | b |\n|---|---|\n| 1 | 2 |', 'The rates changed.'],
    [
      'a list that is announced',
      'Two changes:\n\n- **one** thing\n- another thing\n\nBye.',
      'Two changes: one thing; another thing.',
    ],
    ['no announcement of code', 'Here is the fix:\n```\nlet a', ''],
    [
      'nothing polite',
      "Certainly! I'll add a test for it. The test covers both orders.",
      'The test covers both orders.',
    ],
    ['no question', 'The rows are sorted. Should I push?', 'The rows are sorted.'],
    ['wrapped lines as one sentence', 'The rows\nare sorted now', 'The rows are sorted now.'],
    ['no file name alone', 'src/store/rows.ts\nThe rows are sorted.', 'The rows are sorted.'],
    [
      'no search-and-replace block',
      'The rows are sorted.\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE',
      'The rows are sorted.',
    ],
  ])('keeps %s', (_, text, expected) => expect(replySentences(text, 200)).toBe(expected))

  it('ends where a sentence ends', () =>
    expect(replySentences('The rows are sorted. The columns follow the order of the file, which is new.', 40)).toBe(
      'The rows are sorted.',
    ))
})
