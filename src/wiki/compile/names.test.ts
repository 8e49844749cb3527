import { describe, expect, it } from 'vitest'
import { namesIn } from './names.ts'

describe('namesIn', () => {
  it('finds paths with line numbers and tests, but no URLs and products', () => {
    const { paths } = namesIn(
      'See `retryx/retry.py`, src/a.ts:12 and tests/test_retry.py::test_max; not https://example.com/b.js or Node.js.',
    )
    expect([...paths.keys()]).toEqual(['retryx/retry.py', 'src/a.ts', 'tests/test_retry.py'])
  })

  it('finds dotted names, except standard libraries', () => {
    expect(namesIn('`boltons.urlutils.URL.navigate()` and os.path.join and store::ledger::open').dotted).toEqual([
      ['boltons', 'urlutils', 'URL', 'navigate'],
      ['store', 'ledger', 'open'],
    ])
  })

  it('finds symbols, except errors, quoted examples and people', () => {
    const { symbols } = namesIn(
      "@dev_b: apply_discounts and `IndexedSet` and under2camel raise a TypeError for 'HttpResponse', says dev_b in snake_case",
    )
    expect([...symbols.keys()]).toEqual(['apply_discounts', 'IndexedSet', 'under2camel'])
  })

  it('finds abbreviations, except words in capitals', () => {
    expect([...namesIn('The ERP must NEVER get JSON; the ERP wants CSV').abbreviations]).toEqual([['ERP', 2]])
  })
})
