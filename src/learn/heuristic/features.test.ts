import { expect, it } from 'vitest'
import { judgeExchange } from './judge.ts'

const judged = (prompt: string) =>
  judgeExchange({ before: 'I did it.', prompt, after: 'Understood.' }).map(({ kind, text }) => [kind, text])

it.each([
  ['decision', 'We decided to drop support for Node 18.'],
  ['decision', 'We use pnpm, not npm.'],
  ['decision', 'In this repo we write tests with vitest.'],
  ['decision', 'commit messages should follow conventional commits'],
  ['correction', 'No, the API is on port 8080, not 3000.'],
  ['preference', 'From now on, write commit messages in the imperative.'],
  ['preference', 'I prefer tabs over spaces.'],
  ['preference', 'Stop using any in TypeScript.'],
  ['preference', 'make sure you never edit generated files under gen/'],
  ['fact', 'The staging server is at staging.example.org.'],
  ['operational', 'To run the e2e tests you need docker running first.'],
  ['debugging', 'The bug was caused by the cache not being invalidated.'],
])('what says outright that it is a %s is kept: %s', (kind, prompt) => {
  expect(judged(prompt)).toEqual([[kind, prompt.replace('No, the', 'The')]])
})

it.each([
  'Did we decide to drop support for Node 18?',
  'I prefer to look at it tomorrow, what do you think?',
  'Fix the failing test.',
])('what asks, guesses or gives a task is not: %s', (prompt) => {
  expect(judged(prompt)).toEqual([])
})
