import { expect, it } from 'vitest'
import { codeNamesIn, mentionsRemoval } from './working-tree.ts'

it.each([
  ['Retries are in src/http/retry.ts, see `backoff()`', ['path src/http/retry.ts', 'symbol backoff']],
  ['Read `config.toml` with `parseConfig`', ['path config.toml', 'symbol parseConfig']],
  ['Use `url.full_quote` of urlutils.py:120', ['path urlutils.py', 'symbol full_quote']],
  ['Docs are built with `npm run docs:build`, releases with `make release`', ['script docs:build', 'target release']],
  ['Start ./scripts/dev.sh first', ['path scripts/dev.sh']],
  ['See https://example.com/src/a.ts and /etc/app/config.toml and ~/notes.md and ../other/a.ts', []],
  ['The `once` decorator of Node.jsx-like things, e.g. this one', []],
  ['All of src/*.ts, `$HOME/x.sh`', []],
])('%s', (text, names) => {
  expect(codeNamesIn(text).map(({ kind, text }) => `${kind} ${text}`)).toEqual(names)
})

it.each([
  ['Delete src/old.ts once nobody imports it', true],
  ['`parseUrl` was renamed', true],
  ['Retries are in src/http/retry.ts', false],
])('speaks of something that goes: %s', (text, expected) => {
  expect(mentionsRemoval(text)).toBe(expected)
})
