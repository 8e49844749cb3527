import { describe, expect, it } from 'vitest'
import { numberedAnswers } from './numbered-answers.ts'

const answers = (prompt: string, reply: string) =>
  numberedAnswers(prompt, reply).map(({ point, answer }) => `${point} ${answer}`)

const questions = `The importer works for the harbour file. Before I go on:

1. Which port should the preview server use?
2. Should rows without a date be kept?
3. What is the module called?`

const review = `I reviewed the branch and found three things.

1. **The parser drops rows.** A row without a date is skipped.
2. **The index is stale.** It is built before the import.
3. **Logs rotate late.** The size is checked once a day.

Which of these should be fixed now?`

describe('numberedAnswers', () => {
  it('pairs the answers to numbered questions', () =>
    expect(answers('1. 4173\n2. no, drop them\n3. tidepool', questions)).toEqual([
      'Which port should the preview server use? 4173',
      'Should rows without a date be kept? no, drop them',
      'What is the module called? tidepool',
    ]))

  it('pairs the answers to points that the reply asks about at its end', () =>
    expect(answers('1. yes, rows matter\n2) the index can wait until the release\n3. skip', review)).toEqual([
      'The parser drops rows: yes, rows matter',
      'The index is stale: the index can wait until the release',
      'Logs rotate late: skip',
    ]))

  it('pairs the points that are chosen by their number, and leaves out what asks back', () => {
    expect(answers('ok, my answers:\n2. no\n3. tidepool', questions)).toEqual([
      'Should rows without a date be kept? no',
      'What is the module called? tidepool',
    ])
    expect(answers('1. 4173\n2. why would we?\n3. tidepool', questions)).toEqual([
      'Which port should the preview server use? 4173',
      'What is the module called? tidepool',
    ])
  })

  it('reads the last of several lists', () =>
    expect(answers('1. yes\n2. no', `Done:\n\n1. Read the file.\n2. Drew the curve.\n\n${questions}`)).toEqual([
      'Which port should the preview server use? yes',
      'Should rows without a date be kept? no',
    ]))

  it.each([
    ['a request with its own list', 'Now the release, please:\n1. bump the version\n2. write the notes', review],
    [
      'a list in the middle of a request',
      'The page is slow. I see two ways:\n1. yes to a cache\n2. no to a worker\nTry both.',
      review,
    ],
    ['tasks behind a question', '1. bump the version\n2. write the notes\n3. tag it', questions],
    [
      'tasks behind a review',
      '1. bump the version of the app\n2. write the notes for the release\n3. tag it and push',
      review,
    ],
    [
      'tasks behind a report',
      '1. update this branch to main\n2. let us begin with the release',
      'Done:\n\n1. The parser keeps rows.\n2. The index is rebuilt.\n\nAll tests pass.',
    ],
    [
      'tasks of which one shares a word',
      '1. deploy the preview\n2. rename the index to catalogue\n3. write to the harbour office about the dates',
      'Done:\n\n1. The parser keeps rows.\n2. The index is rebuilt.\n3. Logs rotate.\n\nWant me to push?',
    ],
    ['other numbers', '4. yes\n5. no', questions],
    ['few of many points', '1. add tides\n2. add the moon', `${review}\n4. a?\n5. b?\n6. c?\n7. d?`],
    ['long items', `1. yes ${'and so on '.repeat(40)}\n2. no`, questions],
    [
      'a list far from the end',
      '1. yes\n2. no\n3. tidepool',
      `${questions}\n\n${'The tide table was read. '.repeat(80)}`,
    ],
    ['code', '1. yes\n2. no', 'Should it print this?\n\n```\n1. High water\n2. Low water\n```'],
  ])('does not pair %s', (_, prompt, reply) => expect(answers(prompt, reply)).toEqual([]))
})
