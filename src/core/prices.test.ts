import { calcPrice } from '@pydantic/genai-prices'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { priceOf } from './prices.ts'

const usage = {
  key: 'k',
  ts: '2026-06-01T10:00:00.000Z',
  model: 'claude-opus-4-6',
  input: 1000,
  cacheRead: 50_000,
  cacheWrite: 300,
  cacheWrite1h: 200,
  output: 700,
  reasoning: 0,
}

describe('priceOf', () => {
  it('equals the price of the list for flat and tiered models', () => {
    const count = fc.nat(300_000)
    fc.assert(
      fc.property(
        fc.constantFrom('claude-opus-4-6', 'claude-sonnet-4-5', 'gpt-5.5', 'gemini-2.5-pro', 'grok-4'),
        fc.record({ input: count, cacheRead: count, cacheWrite: count, cacheWrite1h: count, output: count }),
        (model, counts) => {
          const cacheWrite = counts.cacheWrite + counts.cacheWrite1h
          const listed = calcPrice(
            {
              input_tokens: counts.input + counts.cacheRead + cacheWrite,
              cache_read_tokens: counts.cacheRead,
              cache_write_tokens: cacheWrite,
              cache_write_1h_tokens: counts.cacheWrite1h,
              output_tokens: counts.output,
            },
            model,
            { timestamp: new Date(usage.ts) },
          )
          expect(priceOf({ ...usage, ...counts, model })).toBeCloseTo(listed!.total_price, 6)
        },
      ),
    )
  })
  it('is null for a model that is not in the list', () =>
    expect(priceOf({ ...usage, model: 'house-model-1' })).toBeNull())
  it('prefers the cost that the agent recorded', () =>
    expect(priceOf({ ...usage, model: 'house-model-1', costUsd: 0.5 })).toBe(0.5))
  it('understands model names with prefixes and suffixes', () => {
    const names = ['anthropic/claude-opus-4.6[1m]', 'us.anthropic.claude-opus-4-6-v1:0', 'Claude Opus 4.6 (Thinking)']
    for (const model of names) expect(priceOf({ ...usage, model })).toBeCloseTo(priceOf(usage)!, 9)
  })
  it('multiplies the rates of fast responses, and does not guess a factor', () => {
    expect(priceOf({ ...usage, model: 'claude-opus-4-6-fast' })).toBeCloseTo(6 * priceOf(usage)!, 9)
    expect(priceOf({ ...usage, model: 'claude-sonnet-4-5-fast' })).toBeNull()
    expect(priceOf({ ...usage, model: 'grok-4-fast' })).not.toBeNull()
  })
})
