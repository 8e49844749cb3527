import { describe, expect, it } from 'vitest'
import type { UsageBlock } from '../../store/cost/blocks.ts'
import { noUsage } from '../../store/cost/counts.ts'
import { parseStatusInput, type StatusFigures, statusText } from './statusline-text.ts'

const nowMs = Date.parse('2026-09-01T12:00:00Z')
const input = {
  session_id: '0a1b',
  model: { id: 'claude-opus-4-8', display_name: 'Opus 4.8' },
  cost: { total_cost_usd: 0.384 },
  context_window: { context_window_size: 200_000, used_percentage: 26.4 },
  rate_limits: { five_hour: { used_percentage: 42.1, resets_at: 1 }, seven_day: { used_percentage: 36 } },
}
const block: UsageBlock = {
  ...{ ...noUsage(), responses: 3, costUsd: 2.1, agent: 'claude-code', sessions: 1, gapMs: null },
  ...{ startMs: nowMs, endMs: nowMs + 3.2 * 3_600_000, firstMs: nowMs, lastMs: nowMs },
  burn: { costPerHour: 1.4, tokensPerMinute: 5, projectedUsd: 6, projectedTokens: 7 },
}
const codex = { agent: 'codex', limit: 'codex', at: '2026-09-01T11:00:00Z', usedPercent: 61, minutes: 300 }
const figures: StatusFigures = {
  today: { ...noUsage(), responses: 9, costUsd: 4.12, unpriced: 1 },
  block,
  limits: [
    { ...codex, resetsAt: null },
    { ...codex, limit: 'A-Model', resetsAt: null },
    { ...codex, minutes: 10_080, resetsAt: '2026-09-01T11:30:00Z' },
  ],
}

describe('statusText', () => {
  it.each([
    [
      'everything',
      input,
      figures,
      'Opus 4.8 | $0.38 session, ≥ $4.12 today | block $2.10, 3 h 12 min left, $1.40/h | context 26 % | 5 h 42 %, 7 d 36 % | codex 5 h 61 %',
    ],
    ['no ledger', input, { limits: [] }, 'Opus 4.8 | $0.38 session | context 26 % | 5 h 42 %, 7 d 36 %'],
    ['a first prompt', { model: { id: 'm' } }, { today: noUsage(), limits: [] }, 'm'],
    [
      'a version without the percentage',
      {
        model: { id: 'm' },
        context_window: {
          context_window_size: 200_000,
          current_usage: { input_tokens: 10_000, cache_read_input_tokens: 30_000, cache_creation_input_tokens: 10_000 },
        },
      },
      { limits: [] },
      'm | context 25 %',
    ],
    ['other types', { model: 'm', cost: [], context_window: 7, rate_limits: { five_hour: null } }, { limits: [] }, ''],
  ])('shows %s', (_, given, known, expected) => {
    expect(statusText(parseStatusInput(JSON.stringify(given), nowMs), known, nowMs)).toBe(expected)
  })

  it('is empty for what is no JSON', () => {
    expect(statusText(parseStatusInput('{"model":', nowMs), { limits: [] }, nowMs)).toBe('')
  })
})
