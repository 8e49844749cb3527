import { expect, it } from 'vitest'
import { termsOf } from '../core/terms.ts'
import { matchingSpans } from './spans.ts'

it.each([
  ['another form of the word', 'deciding', 'We decided it on Monday.', ['decided']],
  ['a part of an identifier', 'query', 'call parseQuery() twice', ['parseQuery']],
  ['an accent', 'prufung', 'die Prüfung läuft', ['Prüfung']],
  ['a possessive', 'ann', 'Ann’s parser', ['Ann’s']],
  ['Chinese', '数据库', '连接数据库失败', ['数据库']],
  ['nothing', 'lexer', 'the parser', []],
])('%s is where the text has it', (_, asked, text, found) => {
  const spans = matchingSpans(text, new Set(termsOf(asked)))
  expect(spans.map(({ at, length }) => text.slice(at, at + length))).toEqual(found)
})
