import { expect, it } from 'vitest'
import { requestGist } from './request-gist.ts'

const description = 'The import of large files is slow. We noticed it last week on the server in Oslo, and again today.'

it.each([
  ['a short prompt as it is', 'Add a retry. Use the queue.', 80, 'Add a retry. Use the queue.'],
  [
    'the request behind a description',
    `${description} Can you measure it?`,
    80,
    'The import of large files is slow. … Can you measure it?',
  ],
  ['no role', 'You are an experienced developer. Review the plan for retries.', 80, 'Review the plan for retries.'],
  [
    'a request at the beginning',
    `Measure the import. ${description}`,
    60,
    'Measure the import. The import of large files is slow.',
  ],
])('keeps %s', (_, prompt, max, gist) => expect(requestGist(prompt, max)).toBe(gist))
