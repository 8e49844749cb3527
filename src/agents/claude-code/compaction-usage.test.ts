import { describe, expect, it } from 'vitest'
import type { Json, Usage } from '../../core/session.ts'
import { openTranscript } from './reader.ts'

const answer = (id: string, output = 10, content: object = { type: 'text', text: 'Yes.' }) => ({
  type: 'assistant',
  uuid: `u-${id}-${output}`,
  timestamp: '2026-11-01T10:00:00.000Z',
  version: '2.1.325',
  requestId: `r-${id}`,
  message: {
    id,
    model: 'claude-opus-5-5',
    stop_reason: 'end_turn',
    content: [content],
    usage: { input_tokens: 100, output_tokens: output },
  },
})
const boundary = (uuid: string) => ({
  type: 'system',
  subtype: 'compact_boundary',
  uuid,
  timestamp: '2026-11-01T10:01:00.000Z',
  content: 'Conversation compacted',
})
const totals = (input: number, output: number) => ({
  type: 'cost-state',
  modelUsage: { 'claude-opus-5-5[1m]': { inputTokens: input, outputTokens: output, cacheReadInputTokens: 0 } },
})
const subagent = { type: 'tool_use', id: 't1', name: 'Agent', input: {} }

describe('tokens of a compaction', () => {
  it.each<[string, object[], object]>([
    ['without one', [answer('a'), totals(100, 10)], { input: 100, output: 10, isLowerBound: false }],
    [
      'counted by the totals of the session',
      [answer('a'), answer('b'), boundary('c'), answer('d'), totals(400, 40)],
      { input: 400, output: 40, isLowerBound: false },
    ],
    [
      'an answer in two records is counted once',
      [answer('a', 5), answer('a', 10), boundary('c'), totals(200, 20)],
      { input: 200, output: 20, isLowerBound: false },
    ],
    [
      'two compactions in two runs',
      [answer('a'), boundary('c'), totals(200, 20), boundary('d'), answer('e'), totals(400, 40)],
      { input: 400, output: 40, isLowerBound: false },
    ],
    ['no totals yet: at least', [answer('a'), boundary('c')], { input: 100, output: 10, isLowerBound: true }],
    [
      'subagents share in the totals: at least',
      [answer('a', 10, subagent), boundary('c'), totals(900, 90)],
      { input: 100, output: 10, isLowerBound: true },
    ],
    [
      'totals that began again',
      [answer('a'), answer('b'), boundary('c'), totals(50, 5)],
      { input: 200, output: 20, isLowerBound: false },
    ],
  ])('%s', (_, records, expected) => {
    const usages = new Map<string, Usage>()
    const session = { about: () => {}, event: () => {}, usage: (usage: Usage) => usages.set(usage.key, usage) }
    const out = {
      session: () => session,
      isFull: () => false,
      problem: () => {},
      unknownType: () => {},
      rateLimits: () => {},
    }
    let state: Json | undefined
    const path = '/home/dev/.claude/projects/-app/s1.jsonl'
    for (const record of records) {
      const reader = openTranscript({ path, dialect: {}, out }, state)
      reader.record(record as Record<string, Json>, 0)
      state = JSON.parse(JSON.stringify(reader.state())) as Json
    }
    const all = [...usages.values()]
    expect({
      input: all.reduce((sum, { input }) => sum + input, 0),
      output: all.reduce((sum, { output }) => sum + output, 0),
      isLowerBound: all.some(({ isLowerBound }) => isLowerBound === true),
    }).toEqual(expected)
  })
})
