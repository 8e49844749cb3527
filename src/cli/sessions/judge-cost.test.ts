import { expect, it } from 'vitest'
import type { ModelCall } from '../../store/memories/model-calls.ts'
import { sumCalls } from './judge-cost.ts'

const call: ModelCall = {
  ...{ id: 1, at: 0, purpose: 'memories', session: 'claude-code:s', provider: 'claude', model: 'claude-haiku-4-5' },
  ...{ inputTokens: 6000, outputTokens: 500, costUsd: 0.01, ms: 1000, result: 'ok' },
  ...{ memoriesSaved: 2, dropped: 0, drops: [], inputChars: 20_000, personChars: 5000, fork: null },
}
const drop = (reason: string) => ({ reason, text: 'The queue is drained first.' })

it('sumCalls adds up calls of a purpose and a model, with the reasons for what was dropped', () => {
  const calls: ModelCall[] = [
    call,
    { ...call, model: 'claude-haiku-4-5-20251001', dropped: 2, drops: [drop('no such quote'), drop('too long')] },
    { ...call, dropped: 1, drops: [drop('no such quote')], memoriesSaved: null, result: 'timeout' },
    // Without the words of a person the share is that of the other calls.
    { ...call, personChars: null },
    { ...call, purpose: 'wiki', model: 'sonnet', personChars: null },
  ]
  expect(sumCalls(calls)).toEqual([
    {
      ...{ purpose: 'memories', model: 'claude-haiku-4-5', calls: 4, inputTokens: 24_000, outputTokens: 2000 },
      ...{ costUsd: 0.04, memoriesSaved: 6, dropped: 3, personShare: 0.25 },
      dropReasons: { 'no such quote': 2, 'too long': 1 },
      results: { ok: 3, timeout: 1 },
    },
    expect.objectContaining({ purpose: 'wiki', model: 'sonnet', calls: 1, personShare: null }),
  ])
})
