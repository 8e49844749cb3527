import { describe, expect, it } from 'vitest'
import { unfinishedIn } from './open-items.ts'

describe('unfinishedIn', () => {
  it.each([
    ['The import works. The export is not yet implemented. All tests pass.', 'The export is not yet implemented.'],
    ['Not committed yet, say the word.', 'Not committed yet, say the word.'],
    ['Three review threads are still unanswered.', 'Three review threads are still unanswered.'],
    ['I have not merged it yet.', 'I have not merged it yet.'],
  ])('finds what a reply names as not done: %s', (reply, found) => expect(unfinishedIn(reply)).toEqual([found]))

  it.each(['Everything is merged. No remaining issues.', 'I skipped it because of an uncommitted change.'])(
    'finds nothing where nothing is left: %s',
    (reply) => expect(unfinishedIn(reply)).toEqual([]),
  )
})
