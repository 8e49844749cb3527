import { expect, it } from 'vitest'
import { csvOf } from './csv.ts'

it('quotes what needs it, and disarms formulas', () => {
  const rows = [
    { name: 'a "b", c', cost_usd: 0.1 + 0.2, share: null },
    { name: '=HYPERLINK("x")', cost_usd: 12, share: 0.5 },
  ]
  expect(csvOf(rows)).toBe('name,cost_usd,share\r\n"a ""b"", c",0.3,\r\n"\'=HYPERLINK(""x"")",12,0.5\r\n')
  expect(csvOf([])).toBe('\r\n')
})
