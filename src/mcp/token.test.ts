import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Layout, layoutOf } from '../core/paths.ts'
import { hasToken, readOrCreateToken } from './token.ts'

let layout: Layout
beforeEach(() => {
  layout = layoutOf(mkdtempSync(join(tmpdir(), 'recollect-token-')))
})
afterEach(() => rmSync(layout.root, { recursive: true }))

it('creates the token once, readable by the user only', () => {
  const made = readOrCreateToken(layout)
  expect(made).toMatchObject({ isNew: true, value: expect.stringMatching(/^[\w-]{43}$/) })
  expect(readFileSync(made.path, 'utf8')).toBe(`${made.value}\n`)
  chmodSync(made.path, 0o644)
  expect(readOrCreateToken(layout)).toEqual({ ...made, isNew: false })
  expect(statSync(made.path).mode & 0o777).toBe(0o600)
})

it.each(['', 'short', `${'x'.repeat(40)} y`])('rejects a file without a token: %j', (content) => {
  const { path } = readOrCreateToken(layout)
  writeFileSync(path, content)
  expect(() => readOrCreateToken(layout)).toThrow('contains no token')
})

it.each([
  ['Bearer secret', true],
  ['bearer  secret ', true],
  ['Bearer secrets', false],
  ['Bearer', false],
  ['Basic secret', false],
  ['secret', false],
  [null, false],
])('hasToken(%j): %s', (header, expected) => expect(hasToken(header, 'secret')).toBe(expected))
