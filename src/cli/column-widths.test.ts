import { describe, expect, it } from 'vitest'
import { type Column, columnWidths } from './column-widths.ts'
import { table } from './terminal.ts'

const columns: Column[] = [
  { title: 'ended' },
  { title: 'agent', rank: 1 },
  { title: 'project' },
  { title: 'title', isFlexible: true },
  { title: 'prompts', align: 'right' },
  { title: 'id' },
]
const rows = [
  ['2026-09-01 10:00', 'claude-code', 'a-project-with-a-long-name', 'x'.repeat(90), '12', '0a1b2c3d-1111'],
  ['', 'codex', 'shop', 'Short', '1', '0a1b2c3d-2222'],
]

describe('columnWidths', () => {
  it.each([
    ['everything fits', 200, [16, 11, 26, 90, 7, 13]],
    ['long text is shortened', 120, [16, 11, 26, 37, 7, 13]],
    ['a column with a rank is left out before long text gets too short', 100, [16, undefined, 26, 30, 7, 13]],
    ['then times become days, and other text is shortened', 80, [10, undefined, 18, 24, 7, 13]],
    ['then numbers are left out', 60, [10, undefined, 12, 19, undefined, 13]],
    ['then other text', 40, [10, undefined, undefined, 13, undefined, 13]],
    ['and at last the long text', 30, [10, undefined, undefined, undefined, undefined, 13]],
  ])('%s', (_, width, widths) => {
    expect(columnWidths(columns, rows, width)).toEqual(widths)
  })

  it('never shortens what is copied', () => {
    const keys: Column[] = [
      { title: 'name', isFlexible: true },
      { title: 'key', isWhole: true },
    ]
    expect(columnWidths(keys, [['x'.repeat(50), 'k'.repeat(40)]], 50)).toEqual([8, 40])
    expect(columnWidths(keys, [['x'.repeat(50), 'k'.repeat(40)]], 20)).toEqual([4, 40])
  })
})

describe('table', () => {
  it('aligns text of double width', () => {
    const columns: Column[] = [{ title: 'title', isFlexible: true }, { title: 'id' }]
    expect(
      table(
        columns,
        [
          ['修复登录测试', 'a1'],
          ['Fix', 'b2'],
        ],
        12,
      ),
    ).toBe(['title     id', '修复登…   a1', 'Fix       b2'].join('\n'))
  })

  it('shortens names at their end and shows the day of a time', () => {
    expect(table(columns, rows, 60)).toBe(
      [
        'ended       project       title                id',
        '2026-09-01  a-project-w…  xxxxxxxxxxxxxxxxxx…  0a1b2c3d-1111',
        '            shop          Short                0a1b2c3d-2222',
      ].join('\n'),
    )
  })
})
