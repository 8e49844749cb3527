import { expect, it } from 'vitest'
import { choosesDifferently } from './choices.ts'

it.each([
  ['Use tabs for indentation', 'Always use spaces for indentation, because of the linter'],
  ['We prefer pnpm for installs', 'use npm for installs'],
  ['Use spaces in Go files', 'use tabs in Go files'],
])('choose differently: %s / %s', (one, other) => expect(choosesDifferently(one, other)).toBe(true))

it.each([
  ['Use tabs for indentation', 'Use tabs for indentation of Makefiles'],
  ['Use tabs in Go files', 'use spaces in Python files'],
  ['Use pnpm', 'Use npm'],
  ['Use Redis for sessions', 'Never use cookies for sessions'],
  ['Use the staging database for tests', 'use the database of staging for tests'],
])('do not: %s / %s', (one, other) => expect(choosesDifferently(one, other)).toBe(false))
