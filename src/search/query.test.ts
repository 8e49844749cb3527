import { expect, it } from 'vitest'
import { parseQuery } from './query.ts'

const nothing = { text: '', phrases: [], without: [], filters: {} }

it.each([
  ['words', 'why does it fail', { text: 'why does it fail' }],
  ['a phrase', '"database is locked" again', { text: 'again', phrases: ['database is locked'] }],
  ['what must not be there', 'login -flaky -"a phrase"', { text: 'login', without: ['flaky', 'a phrase'] }],
  ['a flag', 'git push --force', { text: 'git push --force' }],
  ['filters', 'login agent:codex since:7d', { text: 'login', filters: { agent: 'codex', since: '7d' } }],
  ['a filter in quotes', 'project:"my app" login', { text: 'login', filters: { project: 'my app' } }],
  ['a colon that is no filter', 'error: http://x', { text: 'error: http://x' }],
  ['a lone quote', 'say "hello', { text: 'say hello' }],
  ['nothing', '  ', {}],
])('parseQuery: %s', (_, typed, query) => expect(parseQuery(typed)).toEqual({ ...nothing, ...query }))
