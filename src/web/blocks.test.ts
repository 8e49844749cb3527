import { describe, expect, it } from 'vitest'
import type { UsageRow } from '../store/sessions/usage.ts'
import { activeHours, blocksOf } from './blocks.ts'

const hour = (iso: string) => Date.parse(`2026-09-${iso}:00Z`)

describe('blocksOf', () => {
  it('begins a block with the hour of its first response, and another after five hours', () => {
    const rows = [row('01T09:30', 1), row('01T13:45', 2), row('01T14:00', 3), row('03T08:15', 4)]
    const blocks = blocksOf(rows, hour('05T00:00'))
    expect(blocks.map(({ startMs, endMs, costUsd }) => [startMs, endMs, costUsd])).toEqual([
      [hour('03T08:00'), hour('03T13:00'), 4],
      [hour('01T14:00'), hour('01T19:00'), 3],
      [hour('01T09:00'), hour('01T14:00'), 3],
    ])
    expect(blocks.every(({ burn }) => burn === undefined)).toBe(true)
  })

  it('projects the block that is not over', () => {
    const [block] = blocksOf([row('01T09:30', 2), row('01T10:00', 4)], hour('01T11:30'))
    expect(block).toMatchObject({
      costUsd: 6,
      sessions: 1,
      burn: { costPerHour: 3, tokensPerHour: 110, projectedUsd: 13.5 },
    })
  })

  it('counts at least a quarter of an hour', () => {
    const [block] = blocksOf([row('01T09:30', 2)], hour('01T09:31'))
    expect(block!.burn!.costPerHour).toBe(8)
  })

  it('leaves out rows without a time', () => {
    expect(blocksOf([{ ...row('01T09:30', 2), quarter: null }], hour('01T10:00'))).toEqual([])
  })
})

it('hours with responses are counted once, also if subagents ran at the same time', () => {
  const rows = [row('01T09:30', 1), row('01T09:30', 1, 2), row('01T10:00', 1)]
  expect(activeHours(rows, () => 'root')).toEqual(new Map([['root', 0.5]]))
})

function row(time: string, costUsd: number, session = 1): UsageRow {
  const counts = { responses: 1, input: 10, cacheRead: 90, cacheWrite: 5, output: 5, costUsd, unpriced: 0 }
  return { quarter: hour(time) / 900_000, model: 'm', agent: 'codex', project: null, session, ...counts }
}
