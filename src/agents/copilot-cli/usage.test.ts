import { describe, expect, it } from 'vitest'
import type { Json } from '../../core/session.ts'
import { createUsageTally } from './usage.ts'

describe('createUsageTally', () => {
  const answer = (messageId: string, outputTokens: number) => ({ id: messageId, data: { messageId, outputTokens } })

  const shutdown = (id: string, input: number, output: number) => ({
    id,
    data: { modelMetrics: { m: { usage: { inputTokens: input, outputTokens: output } } } },
  })

  // A resumed session: two answers and a shutdown, one more answer and another shutdown.
  it.each([
    ['the second run counts from zero', shutdown('b', 40, 25), { input: 140, output: 125 }],
    ['the second run goes on counting', shutdown('b', 140, 125), { input: 140, output: 125 }],
    ['the second run was killed', undefined, { input: 100, output: 125 }],
  ])('adds up to what was spent: %s', (_, second, expected) => {
    const records = [answer('1', 60), answer('2', 30), shutdown('a', 100, 100), answer('3', 25), second]
    let book = createUsageTally(undefined)
    const spent = { input: 0, output: 0 }
    for (const record of records) {
      const usages = !record ? [] : 'outputTokens' in record.data ? book.answer(record, 'm') : book.shutdown(record)
      for (const usage of usages) {
        spent.input += usage?.input ?? 0
        spent.output += usage?.output ?? 0
      }
      book = createUsageTally(JSON.parse(JSON.stringify(book.state())) as Json)
    }
    expect(spent).toEqual(expected)
  })

  const call = (id: string, model = 'm') => {
    const usage = { model, inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, apiCallId: id }
    return { id: `r${id}`, type: 'session.usage_record', data: { usage } }
  }

  // As Copilot CLI 1.0.102 writes it: a record after each call, answers without tokens, running totals.
  it.each([
    ['fresh', [call('1'), answer('a', 0), call('2'), shutdown('s', 200, 20)], { input: 200, output: 20 }],
    [
      'resumed, the totals go on',
      [call('1'), call('2'), shutdown('s', 200, 20), call('3'), shutdown('t', 300, 30)],
      { input: 300, output: 30 },
    ],
    [
      'resumed, the totals begin again',
      [call('1'), call('2'), shutdown('s', 200, 20), call('3'), shutdown('t', 100, 10)],
      { input: 300, output: 30 },
    ],
    ['killed', [call('1')], { input: 100, output: 10 }],
    ['killed and resumed', [call('1'), call('2'), shutdown('s', 200, 20)], { input: 200, output: 20 }],
    ['totals with a call of which there is no record', [call('1'), shutdown('s', 150, 15)], { input: 150, output: 15 }],
    ['answers with tokens too', [call('1'), answer('a', 10), shutdown('s', 100, 10)], { input: 100, output: 10 }],
  ])('counts each call once: %s', (_, records, expected) => {
    let book = createUsageTally(undefined)
    const spent = { input: 0, output: 0 }
    for (const record of records) {
      const usages =
        'modelMetrics' in record.data
          ? book.shutdown(record)
          : 'usage' in record.data
            ? [book.call(record)]
            : book.answer(record, 'm')
      for (const usage of usages) {
        spent.input += usage?.input ?? 0
        spent.output += usage?.output ?? 0
      }
      book = createUsageTally(JSON.parse(JSON.stringify(book.state())) as Json)
    }
    expect(spent).toEqual(expected)
  })

  // As Copilot CLI 1.0.78 writes it: `usage` lacks the call that wrote the summary, `tokenDetails` has it.
  const compaction = {
    id: 'c',
    data: { compactionTokensUsed: { inputTokens: 500, outputTokens: 40, cacheReadTokens: 300, model: 'm' } },
  }
  const details = { input: { tokenCount: 350 }, cache_read: { tokenCount: 900 }, output: { tokenCount: 65 } }
  const usage = { inputTokens: 750, outputTokens: 25, cacheReadTokens: 600 }

  it.each([
    ['ended', { modelMetrics: { m: { usage, tokenDetails: details } } }, { input: 350, cacheRead: 900, output: 65 }],
    ['killed', undefined, { input: 200, cacheRead: 300, output: 65 }],
  ])('counts the call that wrote a summary: %s', (_, data, expected) => {
    const book = createUsageTally(undefined)
    const spent = { input: 0, cacheRead: 0, output: 0 }
    const usages = [
      ...book.answer(answer('1', 25), 'm'),
      book.compaction(compaction, undefined),
      ...(data ? book.shutdown({ id: 's', data }) : []),
    ]
    for (const part of usages) {
      spent.input += part?.input ?? 0
      spent.cacheRead += part?.cacheRead ?? 0
      spent.output += part?.output ?? 0
    }
    expect(spent).toEqual(expected)
  })

  it.each([
    ['is known after a shutdown', [answer('1', 60), answer('2', 30), shutdown('s', 100, 100)], false],
    ['is known if the shutdown adds nothing', [answer('1', 60), shutdown('s', 0, 60)], false],
    ['is not known of a killed session', [answer('1', 60), answer('2', 30)], true],
    ['is not known of a run after the shutdown', [answer('1', 60), shutdown('s', 100, 60), answer('2', 30)], true],
  ])('tells that the input %s', (_, records, expected) => {
    const book = createUsageTally(undefined)
    const usages = records.flatMap((record) =>
      'outputTokens' in record.data ? book.answer(record, 'm') : book.shutdown(record),
    )
    // The last one of a key counts.
    const counted = [...new Map(usages.map((usage) => [usage.key, usage])).values()]
    expect(counted.some(({ isLowerBound }) => isLowerBound)).toBe(expected)
  })

  it('goes on with a state of an earlier version', () => {
    const state = { key: '2', output: 30, tallies: { m: { run: 0, all: 90, input: 100, output: 100 } } }
    const [rest] = createUsageTally(state).shutdown(shutdown('b', 140, 125))
    expect(rest).toMatchObject({ input: 40, output: 25 })
  })

  it('subtracts both kinds of cached tokens from the input', () => {
    const usage = { inputTokens: 1000, cacheReadTokens: 700, cacheWriteTokens: 200, outputTokens: 5 }
    const [total] = createUsageTally(undefined).shutdown({ id: 'a', data: { modelMetrics: { m: { usage } } } })
    expect(total).toMatchObject({ input: 100, cacheRead: 700, cacheWrite: 200, output: 5 })
  })
})
