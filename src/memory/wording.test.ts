import { expect, it } from 'vitest'
import { isClearer } from './wording.ts'

it.each([
  ['a reason', 'Use pnpm for installs because the lockfile is of pnpm', 'Use pnpm for installs'],
  ['a whole sentence', 'Commit messages are written in English.', 'no, commit messages in english'],
  ['more detail', 'Run the linter before every commit and push', 'Run the linter before every commit'],
])('is clearer with %s', (_, other, text) => {
  expect(isClearer(other, text)).toBe(true)
  expect(isClearer(text, other)).toBe(false)
})

it.each([
  ['loses a name', 'Run the linter because it is fast', 'Run the linter in packages/web'],
  ['is no clearer', 'Run the linter before each commit', 'Run the linter before every commit'],
  ['needs its context', 'That linter runs before every commit on main', 'The linter runs before every commit'],
])('is not clearer if it %s', (_, other, text) => expect(isClearer(other, text)).toBe(false))
