import { expect, it } from 'vitest'
import { requestGist } from './request-gist.ts'

const description = 'The import of large files is slow. We noticed it last week on the server in Oslo, and again today.'

it.each([
  ['a short prompt as it is', 'Add a retry. Use the queue.', 80, 'Add a retry. Use the queue.'],
  [
    'the request behind a description',
    `${description} Can you measure it?`,
    80,
    'The import of large files is slow… Can you measure it?',
  ],
  [
    'the beginning of a long description',
    'The import of large files is slow on the server in Oslo. Please measure it.',
    60,
    'The import of large files is… Please measure it.',
  ],
  ['no role', 'You are an experienced developer. Review the plan.', 80, 'Review the plan.'],
  ['a request at the beginning', 'Measure the import. It is slow.', 20, 'Measure the import. It is slow.'],
])('keeps %s', (_, prompt, max, gist) => expect(requestGist(prompt, max)).toBe(gist))
