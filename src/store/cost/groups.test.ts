import { describe, expect, it } from 'vitest'
import { costText, noUsage } from './counts.ts'
import { groupUsage, keyFunction, rootFunction, type SessionUsage, sortRows, type TableGroup } from './groups.ts'

const usage: SessionUsage[] = [
  used(1, '2026-08-31', 'claude-opus-5', 4),
  used(1, '2026-09-01', 'claude-opus-5', 2),
  used(2, '2026-09-01', 'claude-haiku-4-5', 1),
  used(3, '2026-09-07', null, 3),
  used(4, '', 'gpt-5.5', 0.5),
]

const linked = [
  { number: 1, id: 'a:1', lineage: 'main' as const, parent: null },
  { number: 2, id: 'a:1/x', lineage: 'subagent' as const, parent: 'a:1' },
  { number: 3, id: 'a:1/x/y', lineage: 'subagent' as const, parent: 'a:1/x' },
  { number: 4, id: 'a:4', lineage: 'subagent' as const, parent: 'a:gone' },
]

describe('groupUsage', () => {
  it.each<[TableGroup, [string, number, number][]]>([
    [
      'day',
      [
        ['', 1, 0.5],
        ['2026-08-31', 1, 4],
        ['2026-09-01', 2, 3],
        ['2026-09-07', 1, 3],
      ],
    ],
    [
      'week',
      [
        ['', 1, 0.5],
        ['2026-08-31', 2, 7],
        ['2026-09-07', 1, 3],
      ],
    ],
    [
      'month',
      [
        ['', 1, 0.5],
        ['2026-08', 1, 4],
        ['2026-09', 3, 6],
      ],
    ],
    [
      'session',
      [
        ['1', 3, 10],
        ['4', 1, 0.5],
      ],
    ],
    [
      'model',
      [
        ['claude-opus-5', 1, 6],
        ['unknown', 1, 3],
        ['claude-haiku-4-5', 1, 1],
        ['gpt-5.5', 1, 0.5],
      ],
    ],
    ['agent', [['a', 4, 10.5]]],
    ['project', [['', 4, 10.5]]],
  ])('by %s', (by, expected) => {
    const rows = sortRows(groupUsage(usage, keyFunction(by, rootFunction(linked))), by)
    expect(rows.map(({ name, sessions, costUsd }) => [name, sessions, costUsd])).toEqual(expected)
  })
})

it('a circle of parents ends', () => {
  const rootOf = rootFunction([
    { number: 1, id: 'a', lineage: 'subagent', parent: 'b' },
    { number: 2, id: 'b', lineage: 'subagent', parent: 'a' },
  ])
  expect([1, 2, 3].map(rootOf)).toEqual([2, 1, 3])
})

it.each([
  [{ responses: 2, costUsd: 3.1, unpriced: 0, lowerBounds: 0 }, '$3.10'],
  [{ responses: 2, costUsd: 3.1, unpriced: 1, lowerBounds: 0 }, '≥ $3.10'],
  [{ responses: 2, costUsd: 3.1, unpriced: 0, lowerBounds: 1 }, '≥ $3.10'],
  [{ responses: 2, costUsd: 0, unpriced: 2, lowerBounds: 0 }, 'unknown'],
  [noUsage(), '$0.00'],
])('the cost of %j is %s', (counts, expected) => expect(costText(counts)).toBe(expected))

function used(number: number, day: string, model: string | null, costUsd: number): SessionUsage {
  return { ...noUsage(), session: { number, agent: 'a', project: null }, day, model, responses: 1, costUsd }
}
