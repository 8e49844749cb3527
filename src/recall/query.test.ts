import { describe, expect, it } from 'vitest'
import { coverage, isEmptyQuery, matchExpression, matchesIn, parseQuery } from './query.ts'

describe('what is typed', () => {
  it.each([
    ['a question', 'why does the login test fail?', '("login" OR "test" OR "fail")'],
    ['only stop words', 'what is it', '("what" OR "is" OR "it")'],
    ['a phrase', 'lock "database is locked"', '"database is locked" AND ("database is locked" OR "lock")'],
    ['a word to leave out', 'lock -flaky -"on windows"', '(("lock")) NOT ("flaky" OR "on windows")'],
    ['a path', 'src/harbour.ts', '("src harbour ts")'],
    ['a flag', 'lint --max-warnings', '("lint" OR "max warnings")'],
    ['a word twice', 'Lock lock LOCK', '("lock")'],
    ['a quote that is never closed', 'said "hello', '("said" OR "hello")'],
    ['operators of the index', 'prompt: a* AND NEAR(b c) ^d', '("prompt" OR "near b" OR "c")'],
    ['accents', 'déjà-vu', '("déjà vu")'],
  ])('%s', (_, typed, expression) => expect(matchExpression(parseQuery(typed))).toBe(expression))

  it.each(['', '?!', '-word', '""', '-'])('%j holds nothing to look for', (typed) =>
    expect(isEmptyQuery(parseQuery(typed))).toBe(true),
  )

  it('counts up to 64 words', () => {
    const log = Array.from({ length: 1000 }, (_, index) => `word${index}`).join(' ')
    expect(parseQuery(log).any).toHaveLength(64)
  })
})

describe('the words in a text', () => {
  it.each([
    ['whole words', 'test', 'a test, no contest', ['test']],
    ['in any case', 'enoent', 'ENOENT: no such file', ['ENOENT']],
    ['with and without accents', 'cafe müller', 'Café, Muller', ['Café', 'Muller']],
    ['signs between the words of a path', 'src/app.ts', 'in src\\app.ts', ['src\\app.ts']],
    ['an accent that follows its letter', 'cafe', 'cafe\u0301 noir', ['cafe']],
  ])('are found: %s', (_, typed, text, words) =>
    expect(matchesIn(text, parseQuery(typed)).map(({ at, length }) => text.slice(at, at + length))).toEqual(words),
  )

  it.each([
    ['one of two', 'lighthouse keeper', 0.5],
    ['all', 'lighthouse blinks', 1],
    ['a phrase that is not there', 'lighthouse "it blinks"', 0],
    ['one that must not be there', 'lighthouse -blinks', 0],
  ])('give a share: %s', (_, typed, share) => expect(coverage('The lighthouse blinks.', parseQuery(typed))).toBe(share))
})
