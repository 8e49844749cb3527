import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { termsOf } from '../text/terms.ts'
import { parseQuery } from './query.ts'
import { markMatches, matchingSpans, snippetOf } from './snippet.ts'

const filler = 'words that say nothing here '.repeat(40)

describe('snippetOf', () => {
  it('returns a short text on one line', () =>
    expect(snippetOf('why does\n\tthe lighthouse blink', parseQuery('blink'))).toBe('why does the lighthouse blink'))

  it('cuts around the match, between words', () => {
    const snippet = snippetOf(`${filler}the lighthouse blinks ${filler}`, parseQuery('lighthouse'), 100)
    expect(snippet).toMatch(/^…[a-z ]+ the lighthouse blinks [a-z ]+…$/)
    expect(snippet.length).toBeLessThanOrEqual(102)
  })

  it('shows the place with most of the words', () =>
    expect(
      snippetOf(`lighthouse ${filler} capacitor of the lighthouse ${filler}`, parseQuery('lighthouse capacitor'), 120),
    ).toContain('capacitor of the lighthouse'))

  it('returns the beginning where nothing matches', () =>
    expect(snippetOf(filler, parseQuery('lighthouse'), 40)).toBe('words that say nothing here words that…'))

  it('cuts a text without spaces', () =>
    expect(snippetOf('x'.repeat(1000), parseQuery('lighthouse'), 100)).toBe(`${'x'.repeat(100)}…`))
})

it('markMatches marks every match once', () =>
  expect(markMatches('Lock the "database lock" now', parseQuery('lock "database lock"'), (match) => `[${match}]`)).toBe(
    '[Lock] the "[database] [lock]" now',
  ))

describe('matchingSpans', () => {
  it.each([
    ['another form of the word', 'deciding', 'We decided it on Monday.', ['decided']],
    ['a part of an identifier', 'query', 'call parseQuery() twice', ['parseQuery']],
    ['an accent', 'prufung', 'die Prüfung läuft', ['Prüfung']],
    ['a possessive', 'ann', 'Ann’s parser', ['Ann’s']],
    ['Chinese', '数据库', '连接数据库失败', ['数据库']],
    ['nothing', 'lexer', 'the parser', []],
  ])('finds %s in the text', (_, asked, text, found) => {
    const spans = matchingSpans(text, new Set(termsOf(asked)))
    expect(spans.map(({ at, length }) => text.slice(at, at + length))).toEqual(found)
  })

  /** Any prefix with an ending that the stemmer knows. */
  const wordOf = fc
    .tuple(
      fc.stringMatching(/^[A-Za-z][a-z]{0,7}$/),
      fc.constantFrom(
        '',
        's',
        'ies',
        'ing',
        'ings',
        'ed',
        'eed',
        'y',
        'ied',
        'ational',
        'iveness',
        'ement',
        'ion',
        'e',
      ),
    )
    .map((parts) => parts.join(''))

  it('skips no word that has a query term', () => {
    fc.assert(
      fc.property(fc.array(wordOf, { minLength: 1, maxLength: 8 }), wordOf, (words, asked) => {
        const wanted = new Set(termsOf(`${asked} go building`))
        const giving = [...words, asked, 'went', 'built'].filter((word) =>
          termsOf(word).some((term) => wanted.has(term)),
        )
        const text = [...words, asked, 'went', 'built'].join(' ')
        const spans = matchingSpans(text, wanted)
        expect(spans.map(({ at, length }) => text.slice(at, at + length))).toEqual(giving)
      }),
    )
  })
})
