import { describe, expect, it } from 'vitest'
import type { UsageRow } from '../sessions/usage.ts'
import { activeHours, blocksOf, hasGap } from './blocks.ts'

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

  it('says how long nothing was used before a block, if that was more than five hours', () => {
    const rows = [row('01T09:30', 1), row('01T14:15', 2), row('01T23:30', 3)]
    const blocks = blocksOf(rows, hour('05T00:00'))
    expect(blocks.map(({ gapMs }) => gapMs)).toEqual([9.25 * 3_600_000, null, null])
  })

  it('projects the block that is not over from the time between its responses', () => {
    const [block] = blocksOf([row('01T09:30', 2), row('01T10:30', 4)], hour('01T11:30'))
    expect(block).toMatchObject({
      costUsd: 6,
      sessions: 1,
      burn: { costPerHour: 6, tokensPerMinute: 220 / 60, projectedUsd: 21, projectedTokens: 770 },
    })
  })

  it('counts at least a minute', () => {
    const [block] = blocksOf([row('01T09:30', 2)], hour('01T09:31'))
    expect(block!.burn!.costPerHour).toBe(120)
  })

  it('keeps agents apart', () => {
    const rows = [row('01T09:30', 1), { ...row('01T12:00', 2), agent: 'claude-code' }]
    const blocks = blocksOf(rows, hour('05T00:00'))
    expect(blocks.map(({ agent, startMs }) => [agent, startMs])).toEqual([
      ['claude-code', hour('01T12:00')],
      ['codex', hour('01T09:00')],
    ])
  })

  it('leaves out rows without a time', () => {
    const untimed = { ...row('01T09:30', 2), quarter: null, firstMs: null, lastMs: null }
    expect(blocksOf([untimed], hour('01T10:00'))).toEqual([])
  })
})

it.each([
  ['a response long after the begin', ['01T15:00'], true],
  ['two responses far apart', ['01T09:00', '01T15:00'], true],
  ['responses all the time', ['01T09:00', '01T14:00', '01T19:00'], false],
])('the chain of blocks begins anew: %s', (_, times, expected) => {
  const rows = times.map((time) => row(time, 1))
  expect(hasGap(rows, hour('01T09:00'))).toBe(expected)
})

it('hours with responses are counted once, also if subagents ran at the same time', () => {
  const rows = [row('01T09:30', 1), row('01T09:30', 1, 2), row('01T10:00', 1)]
  expect(activeHours(rows, () => 'root')).toEqual(new Map([['root', 0.5]]))
})

function row(time: string, costUsd: number, session = 1): UsageRow {
  const ms = hour(time)
  return {
    ...{ quarter: ms / 900_000, firstMs: ms, lastMs: ms, model: 'm', agent: 'codex', project: null, session },
    ...{ responses: 1, input: 10, cacheRead: 90, cacheWrite: 5, output: 5, costUsd, unpriced: 0, lowerBounds: 0 },
  }
}
