import { describe, expect, it } from 'vitest'
import { linkedArticles, pageText } from './page-text.ts'

const plain = (text: string) => text
const style = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain, blue: plain }
const nowMs = Date.parse('2026-09-11T12:00:00Z')
const shown = (markdown: string, columns = 80) => pageText(markdown, { columns, style, nowMs })

describe('pageText', () => {
  it.each([
    ['frontmatter', '---\ntitle: "A"\n---\n\n# A\n\nText.', 'A\n\nText.'],
    ['comments', '<!-- recollect:section rules 0123456789ab -->\n- One\n<!-- /recollect:section -->', '- One'],
    ['a link to an article', 'See [[wiki/concepts/tests|Tests]].', 'See Tests.'],
    ['an article with another name', '[[wiki/concepts/qa|Tests]]', 'Tests (qa)'],
    ['a link to another page', '[[memory/app-1/MEMORY|All memories]]', 'All memories'],
    ['a day with its age', '- Use pnpm ([[journal/2026-09-01|2026-09-01]])', '- Use pnpm (2026-09-01, 10 days ago)'],
    ['today', '[[journal/2026-09-11|2026-09-11]]', '2026-09-11'],
    ['escapes', 'A \\[[x]] and &lt;b>', 'A [[x]] and <b>'],
    ['emphasis', '**Open:** what _now_', 'Open: what now'],
    ['code', '`a_b_c [[x]]` stays', '`a_b_c [[x]]` stays'],
    ['quotes', '> person: yes', '| person: yes'],
  ])('%s', (_, markdown, expected) => {
    expect(shown(markdown)).toBe(expected)
  })

  it('wraps lists and quotes below their text, at 80 columns at most', () => {
    expect(shown(`- ${'word '.repeat(12)}`, 50)).toBe(`- ${'word '.repeat(9).trim()}\n  word word word`)
    expect(shown(`  - Why: ${'word '.repeat(10)}`, 50).split('\n')[1]).toMatch(/^ {4}word/)
    for (const line of shown('word '.repeat(100), 200).split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })
})

describe('linkedArticles', () => {
  it('names articles as the command takes them', () => {
    expect(linkedArticles('[[wiki/concepts/tests|T]] [[wiki/answers/why|W]] [[journal/2026-09-01]]')).toEqual([
      'tests',
      'why',
    ])
  })
})
