import { describe, expect, it } from 'vitest'
import { usageOf } from './reader.ts'

describe('usageOf', () => {
  const base = { key: 'k', ts: '2026-09-01T10:00:00.000Z', model: null }

  it.each([
    ['Cline: the rest beside the cache', { tokensIn: 10, cacheReads: 900, cacheWrites: 50 }, {}, 10],
    ['Cline: more new than cached', { tokensIn: 5000, cacheReads: 900 }, { providerId: 'anthropic' }, 5000],
    [
      'Cline with a provider that counts the cache',
      { tokensIn: 5000, cacheReads: 900 },
      { providerId: 'litellm' },
      4100,
    ],
    ['Roo Code: the whole prompt', { tokensIn: 1200, cacheReads: 900, apiProtocol: 'anthropic' }, {}, 300],
    ['Roo Code before it counted the whole', { tokensIn: 10, cacheReads: 900, apiProtocol: 'anthropic' }, {}, 10],
    ['no cache', { tokensIn: 70, tokensOut: 3 }, {}, 70],
  ])('%s', (_, request, modelInfo, input) => {
    expect(usageOf(request, { modelInfo }, base)?.input).toBe(input)
  })

  it('returns undefined for a request that is still running', () => {
    expect(usageOf({ request: '<task>' }, {}, base)).toBeUndefined()
  })

  it('does not subtract the cache for Roo Code before November 2025', () => {
    const request = { tokensIn: 1200, cacheReads: 900, apiProtocol: 'anthropic' }
    expect(usageOf(request, {}, { ...base, ts: '2025-10-01T10:00:00.000Z' })?.input).toBe(1200)
  })
})
