import { describe, expect, it } from 'vitest'
import { linkTargets, resolveLink, safePath, wikilink, wikilinksIn } from './links.ts'

describe('wikilinksIn', () => {
  const targets = (text: string) => wikilinksIn(text).map(({ target }) => target)

  it('finds links with text, heading and line', () => {
    const text = 'One [[wiki/concepts/a|A]] and\n[[journal/2026-09-01#14:00 Fix|that day]], [[b.md]].'
    expect(wikilinksIn(text)).toEqual([
      { target: 'wiki/concepts/a', shown: 'A', line: 1, from: 4, to: 25 },
      { target: 'journal/2026-09-01', shown: 'that day', line: 2, from: 30, to: 71 },
      { target: 'b', shown: null, line: 2, from: 73, to: 81 },
    ])
  })

  it('finds links in a table, where the bar is escaped', () => {
    expect(wikilinksIn('| [[wiki/concepts/a\\|A]] | x |')[0]).toMatchObject({ target: 'wiki/concepts/a', shown: 'A' })
  })

  it('ignores code and escaped links', () => {
    expect(targets('`[[a]]` and ``[[b]] ` `` and \\[[c]]\n```\n[[d]]\n```\n[[e]]')).toEqual(['e'])
  })
})

describe('wikilink', () => {
  it('cannot be closed by its text', () => {
    expect(wikilinksIn(wikilink('wiki/concepts/a', 'x]] [[evil|y'))).toEqual([
      expect.objectContaining({ target: 'wiki/concepts/a', shown: 'x evil y' }),
    ])
  })
})

describe('link targets', () => {
  it('that lead out of the vault are rejected', () => {
    for (const target of [
      '',
      '/etc/passwd',
      '../x',
      'a/../b',
      'a//b',
      './a',
      'C:\\x',
      'a\\b',
      'a\0b',
      'a/.git/config',
      ' a',
      'a:b',
    ])
      expect(safePath(target), JSON.stringify(target)).toBeUndefined()
    expect(safePath('wiki/concepts/a b')).toBe('wiki/concepts/a b')
  })

  it('are resolved by path, by path below wiki/ and by name, ignoring case and normalisation', () => {
    const targets = linkTargets(['wiki/concepts/café', 'journal/2026-09-01', 'memory/app/a'])
    expect(resolveLink('wiki/concepts/CAFE\u0301', targets)).toBe('wiki/concepts/café')
    expect(resolveLink('concepts/café', targets)).toBe('wiki/concepts/café')
    expect(resolveLink('2026-09-01', targets)).toBe('journal/2026-09-01')
    expect(resolveLink('concepts/none', targets)).toBeUndefined()
    expect(resolveLink('../memory/app/a', targets)).toBeUndefined()
  })
})
