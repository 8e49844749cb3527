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
      const usages = !record ? [] : 'outputTokens' in record.data ? [book.answer(record, 'm')] : book.shutdown(record)
      for (const usage of usages) {
        spent.input += usage?.input ?? 0
        spent.output += usage?.output ?? 0
      }
      book = createUsageTally(JSON.parse(JSON.stringify(book.state())) as Json)
    }
    expect(spent).toEqual(expected)
  })

  it('subtracts both kinds of cached tokens from the input', () => {
    const usage = { inputTokens: 1000, cacheReadTokens: 700, cacheWriteTokens: 200, outputTokens: 5 }
    const [total] = createUsageTally(undefined).shutdown({ id: 'a', data: { modelMetrics: { m: { usage } } } })
    expect(total).toMatchObject({ input: 100, cacheRead: 700, cacheWrite: 200, output: 5 })
  })
})
