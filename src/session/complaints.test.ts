import { describe, expect, it } from 'vitest'
import { complaintsIn, suppressionsIn } from './complaints.ts'

describe('what checkers print', () => {
  it.each([
    ['core/tide.go:9:2: Error return value is not checked (errcheck)', 'errcheck', 'Error return value is not checked'],
    [
      "  12:3  error  'x' is assigned but never used  no-unused-vars",
      'no-unused-vars',
      "'x' is assigned but never used",
    ],
    ['src/tide.py:1:8: F401 [*] `os` imported but unused', 'F401', ''],
    ['tide.py:3: error: Missing return statement  [return]', 'return', 'Missing return statement'],
    ['   = note: `#[warn(clippy::needless_return)]` on by default', 'clippy::needless_return', ''],
    ['src/tide.ts:4:1 lint/style/useConst ━━━', 'lint/style/useConst', ''],
  ])('%s', (line, rule, text) => {
    expect(complaintsIn(`first\n${line}\nlast`)).toEqual([{ rule, by: 'program', text }])
    expect(complaintsIn(`first\r\n${line}\r\nlast`)[0]?.rule).toBe(rule)
  })

  it('is nothing in prose', () => {
    expect(complaintsIn('The tide is high (see below).\nIt is 10:30 now (noon)')).toEqual([])
  })
})

describe('what agents silence', () => {
  it.each([
    ['x() //nolint:errcheck // closed twice on purpose', [['errcheck', 'closed twice on purpose']]],
    [
      'x() //nolint:errcheck,gosec',
      [
        ['errcheck', ''],
        ['gosec', ''],
      ],
    ],
    ['// eslint-disable-next-line no-console -- the CLI prints', [['no-console', 'the CLI prints']]],
    ['// biome-ignore lint/style/noVar: old engine', [['lint/style/noVar', 'old engine']]],
    ['import os  # noqa: F401', [['F401', '']]],
    ['x = y  # type: ignore[arg-type]', [['arg-type', '']]],
    ['#[allow(clippy::unwrap_used)]', [['clippy::unwrap_used', '']]],
  ])('%s', (line, expected) => {
    expect(suppressionsIn(line)).toEqual(expected.map(([rule, text]) => ({ rule, by: 'agent', text })))
  })
})

describe('hostile output', () => {
  it('gives few and short complaints', () => {
    const line = `a.go:1:1: ${'潮'.repeat(250)} (gosec)\n`
    const found = complaintsIn(line.repeat(300))
    expect(found).toHaveLength(20)
    for (const { text } of found) expect(text.length).toBeLessThanOrEqual(160)
    for (const text of ['\n', '\r\n', 'a.', ' (', ':1', '\u0000', '= note: ', '//nolint:', 'a.a:1:1: x)'])
      expect([...complaintsIn(text.repeat(64_000)), ...suppressionsIn(text.repeat(64_000))].length).toBeLessThan(41)
  })
})
