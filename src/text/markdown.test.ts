import fc from 'fast-check'
import { marked } from 'marked'
import { describe, expect, it } from 'vitest'
import { escapeMarkdown, escapeMarkdownText, unescapeMarkdownText, withoutEmphasis } from './markdown.ts'

const hostile: [string, string][] = [
  ['an image', 'see ![x](https://evil.example/pixel.png) now'],
  ['an embedded note', 'see ![[secret]] and [[note|name]]'],
  ['HTML', '<img src=https://evil.example/p.png><script>alert(1)</script><iframe src="x">'],
  ['HTML behind an address', 'https://evil.example/<img src=x>'],
  ['an autolink', '<https://evil.example>'],
  ['a link', '[click](javascript:alert(1)) and [a][b]\n\n[b]: https://evil.example'],
  ['escaped signs', '\\![x](u) \\\\![x](u) \\<img src=x> &lt;img src=x>'],
  ['a comment of Obsidian', '%%hidden%% and $$\\href{x}{y}$$'],
  ['a fence with a query', '```dataviewjs\nalert(1)\n```\n~~~js\nx\n~~~'],
  ['escaped code', '\\`![x](u)\\` and ``![x](u)`'],
  ['a tag', '#urgent and (#todo'],
]

/** The tokens that load, run or lead to something. */
function activeIn(markdown: string): string[] {
  const found: string[] = []
  marked.walkTokens(marked.lexer(markdown), (token) => {
    const isAddress = token.type === 'link' && token.raw === token.text
    if (['image', 'html', 'link', 'def', 'code'].includes(token.type) && !isAddress) found.push(token.raw)
  })
  return found
}

describe('escapeMarkdownText', () => {
  it.each(hostile)('M8: makes nothing active of %s', (_, text) => {
    const escaped = escapeMarkdownText(text)
    expect(activeIn(escaped)).toEqual([])
    expect(escaped).not.toMatch(/(?<!\\)(?:!\[|\[\[|%%|\$\$)/)
    expect(unescapeMarkdownText(escaped)).toBe(text)
  })

  it.each([
    'Use `List<String>` and `a[i](x)` here',
    'a < b, 3 > 2, [agent: yes], 50 %, $5, C#, #12, a_b * c',
    'Run `npm test`\nthen `npm run build`',
  ])('leaves plain text as it is: %s', (text) => expect(escapeMarkdownText(text)).toBe(text))

  it('returns any text unchanged after both, with nothing active between', () => {
    const pieces = fc.constantFrom(
      ...[
        '\\',
        '!',
        '[',
        ']',
        '(',
        ')',
        '<',
        '>',
        'a',
        '/',
        '#',
        '%',
        '$',
        '`',
        '```',
        '~~~',
        '\n',
        ' ',
        'http://e.x/i',
      ],
      ...['img src=x', '[[', '![', '](', ']: ', '%%', '$$', '&lt;', '&amp;'],
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 14 }), (parts) => {
        const text = parts.join('').trim()
        const escaped = escapeMarkdownText(text)
        expect(unescapeMarkdownText(escaped)).toBe(text)
        expect(activeIn(escaped).filter((raw) => !/^\s/.test(raw))).toEqual([])
      }),
      { numRuns: 3000 },
    )
  })
})

describe('escapeMarkdown', () => {
  it.each(hostile)('M8: makes nothing active of %s', (_, text) => {
    expect(activeIn(escapeMarkdown(text, 400))).toEqual([])
  })

  it('M8: removes control characters, direction marks and invisible characters', () => {
    expect(escapeMarkdown('a\u202eb\u2066c\u200bd\u001b]0;t\u0007e', 100)).toBe('abcde')
  })
})

describe('withoutEmphasis', () => {
  it.each([
    ['**Bold** and *italic* and __strong words__', 'Bold and italic and strong words'],
    ['`__dirname` and __dirname and __init__.py', '`__dirname` and __dirname and __init__.py'],
    ['/home/dev/app__worktrees/one', '/home/dev/app__worktrees/one'],
    ['globs: src/**/*.ts and `**/*.md`', 'globs: src/**/*.ts and `**/*.md`'],
    ['see [the docs](https://example.org/a)', 'see the docs'],
  ])('%s', (text, plain) => expect(withoutEmphasis(text)).toBe(plain))
})
