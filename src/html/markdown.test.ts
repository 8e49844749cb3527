import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown.ts'

const html = (text: string) =>
  renderMarkdown(text, (target) => (target === 'wiki/concepts/a' ? '../a.html' : undefined)).trim()

describe('renderMarkdown', () => {
  it.each([
    ['a link to a page', '[[wiki/concepts/a|A & B]]', '<p><a href="../a.html">A &amp; B</a></p>'],
    ['a link that leads nowhere', '[[lost|Lost]]', '<p>Lost</p>'],
    ['a link in code', '`[[wiki/concepts/a]]`', '<p><code>[[wiki/concepts/a]]</code></p>'],
    ['an escaped link', '\\[[wiki/concepts/a]]', '<p>[[wiki/concepts/a]]</p>'],
    ['a usual link to a file of the vault', '[A](wiki/concepts/a.md)', '<p><a href="../a.html">A</a></p>'],
    ['a link elsewhere', '[x](https://example.org/a?b=1&c)', '<p><a href="https://example.org/a?b=1&amp;c">x</a></p>'],
    ['a heading', '## Two words', '<h2 id="h-two-words">Two words</h2>'],
    [
      'code that looks like HTML',
      '```html\n<b>"x"</b>\n```',
      '<pre tabindex="0"><code>&lt;b&gt;&quot;x&quot;&lt;/b&gt;\n</code></pre>',
    ],
    ['our marks', '<!-- recollect:section rules 0123456789ab -->\ntext\n<!-- /recollect:section -->', '<p>text</p>'],
    ['signs that turn words round', 'a\u202eb\u2066c\u0007 `d\u202ee`', '<p>abc <code>de</code></p>'],
    ['a task', '- [x] done', '<ul>\n<li>☑ done</li>\n</ul>'],
  ])('%s', (_, text, expected) => expect(html(text)).toBe(expected))

  it('gives each heading a unique id', () =>
    expect(html('## A\n\n## A')).toBe('<h2 id="h-a">A</h2>\n<h2 id="h-a-2">A</h2>'))

  it.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<div onclick="x()">\n\ntext\n</div>',
    '<!-- <script>alert(1)</script> -->',
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](java\nscript:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '<javascript:alert(1)>',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:x)',
    '[x](file:///etc/passwd)',
    '[x](//evil.example/x)',
    '![x](http://evil.example/x.png)',
    '![x" onerror="alert(1)](x)',
    '[x](https://example.org/"onmouseover="alert(1))',
    '[x](https://example.org "title\\" onmouseover=\\"alert(1)")',
    '[[wiki/concepts/a|<img src=x onerror=alert(1)>]]',
    '`<script>`\n\n    <script>indented</script>',
    '| <script> |\n|---|\n| <b onclick=x> |',
    '# <script>alert(1)</script>',
    '[a]: javascript:alert(1)\n\n[a]',
  ])('lets nothing run or load: %s', (text) => {
    const tags = html(text).match(/<[^>]*>/g) ?? []
    const known =
      /^<\/?(?:p|a|code|pre|em|strong|h[1-6]|ul|ol|li|table|thead|tbody|tr|th|td|span|div|blockquote|br|hr)(?: (?:href="https:\/\/example\.org[^"<>]*"|href="\.\.\/a\.html"|id="h-[^"<>]*"|class="(?:picture|wide)"|scope="col"|tabindex="0"|role="group"|aria-label="Table"))*>$/
    expect(tags.filter((tag) => !known.test(tag))).toEqual([])
  })

  it.each([
    ['a code span that names something', '`s-1`', '<p><a href="/s?a&amp;b"><code>s-1</code></a></p>'],
    ['another code span', '`<b>`', '<p><code>&lt;b&gt;</code></p>'],
    ['one within a link', '[`s-1`](https://example.org)', '<p><a href="https://example.org"><code>s-1</code></a></p>'],
  ])('links %s', (_, text, expected) => {
    const resolveCode = (code: string) => (code === 's-1' ? '/s?a&b' : undefined)
    expect(renderMarkdown(text, () => undefined, resolveCode).trim()).toBe(expected)
  })
})
