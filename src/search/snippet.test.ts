import { describe, expect, it } from 'vitest'
import { parseQuery } from './query.ts'
import { markMatches, snippetOf } from './snippet.ts'

const filler = 'words that say nothing here '.repeat(40)

describe('a snippet', () => {
  it('of a short text is the text on one line', () =>
    expect(snippetOf('why does\n\tthe lighthouse blink', parseQuery('blink'))).toBe('why does the lighthouse blink'))

  it('is cut around the match, between words', () => {
    const snippet = snippetOf(`${filler}the lighthouse blinks ${filler}`, parseQuery('lighthouse'), 100)
    expect(snippet).toMatch(/^…[a-z ]+ the lighthouse blinks [a-z ]+…$/)
    expect(snippet.length).toBeLessThanOrEqual(102)
  })

  it('shows the place with most of the words', () =>
    expect(
      snippetOf(`lighthouse ${filler} capacitor of the lighthouse ${filler}`, parseQuery('lighthouse capacitor'), 120),
    ).toContain('capacitor of the lighthouse'))

  it('is the beginning where the match is elsewhere', () =>
    expect(snippetOf(filler, parseQuery('lighthouse'), 40)).toBe('words that say nothing here words that…'))

  it('cuts what has no spaces', () =>
    expect(snippetOf('x'.repeat(1000), parseQuery('lighthouse'), 100)).toBe(`${'x'.repeat(100)}…`))
})

it('marks every match once', () =>
  expect(markMatches('Lock the "database lock" now', parseQuery('lock "database lock"'), (match) => `[${match}]`)).toBe(
    '[Lock] the "[database] [lock]" now',
  ))
