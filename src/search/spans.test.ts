import fc from 'fast-check'
import { expect, it } from 'vitest'
import { termsOf } from '../text/terms.ts'
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

/** Endings that the stemmer knows, behind any beginning: a word may only be passed over when it has none of the terms. */
const wordOf = fc
  .tuple(
    fc.stringMatching(/^[A-Za-z][a-z]{0,7}$/),
    fc.constantFrom('', 's', 'ies', 'ing', 'ings', 'ed', 'eed', 'y', 'ied', 'ational', 'iveness', 'ement', 'ion', 'e'),
  )
  .map((parts) => parts.join(''))

it('passes over no word that gives a wanted term', () => {
  fc.assert(
    fc.property(fc.array(wordOf, { minLength: 1, maxLength: 8 }), wordOf, (words, asked) => {
      const wanted = new Set(termsOf(`${asked} go building`))
      const giving = [...words, asked, 'went', 'built'].filter((word) => termsOf(word).some((term) => wanted.has(term)))
      const text = [...words, asked, 'went', 'built'].join(' ')
      const spans = matchingSpans(text, wanted)
      expect(spans.map(({ at, length }) => text.slice(at, at + length))).toEqual(giving)
    }),
  )
})
