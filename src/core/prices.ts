// Prices of tokens from genai-prices. Models that are not listed have no price; nothing is guessed.
import { calcPrice } from '@pydantic/genai-prices'
import type { Usage } from './session.ts'
import { listName, modelName, modelOfFast } from './usage/model-names.ts'

/** Price of a response in USD; null for an unknown model. A cost that the agent recorded wins. */
export function priceOf(usage: Usage): number | null {
  if (usage.costUsd !== undefined) return usage.costUsd
  if (usage.model === null) return null
  const listed = listName(usage.model)
  const slow = modelOfFast(listed)
  const factor = slow === undefined ? 1 : fastFactors[modelName(slow)]
  const tiers = factor === undefined ? null : tiersOf(slow ?? listed, usage.ts?.slice(0, 10) ?? '')
  if (factor === undefined || tiers === null) return null
  const size = usage.input + usage.cacheRead + usage.cacheWrite + usage.cacheWrite1h
  const { rates } = tiers.findLast((tier) => size > tier.above)!
  return (
    factor *
    (usage.input * rates.input +
      usage.cacheRead * rates.cacheRead +
      usage.cacheWrite * rates.cacheWrite +
      usage.cacheWrite1h * rates.cacheWrite1h +
      usage.output * rates.output)
  )
}

/**
 * Fast mode of Claude and priority processing of OpenAI multiply every rate, which the list does not
 * have. From the vendors' price pages of 2026.
 */
const fastFactors: Readonly<Record<string, number | undefined>> = {
  'claude-opus-4-6': 6,
  'claude-opus-4-7': 6,
  'claude-opus-4-8': 2,
  'claude-opus-5': 2,
  'gpt-5.3-codex': 2,
  'gpt-5.4': 2,
  'gpt-5.5': 2.5,
}

/** Some models charge more per token for large requests: one row of rates per step. */
interface Tier {
  /** Applies to requests with more input tokens than this. */
  above: number
  rates: Record<'input' | 'cacheRead' | 'cacheWrite' | 'cacheWrite1h' | 'output', number>
}

const cachedTiers = new Map<string, Tier[] | null>()

/** Cached by day, because looking up a model is the most expensive part. */
function tiersOf(model: string, day: string): Tier[] | null {
  const name = `${model} ${day}`
  let tiers = cachedTiers.get(name)
  if (tiers === undefined) {
    tiers = lookUp(model, day ? { timestamp: new Date(day) } : {})
    cachedTiers.set(name, tiers)
  }
  return tiers
}

type TokenCounts = Parameters<typeof calcPrice>[0]

function lookUp(model: string, options: { timestamp?: Date }): Tier[] | null {
  try {
    const found = calcPrice({ input_tokens: 1 }, model, options)
    if (!found) return null
    const price = (counts: TokenCounts) => calcPrice(counts, model, options)!.total_price
    const starts = Object.values(found.model_price).flatMap((rate) =>
      typeof rate === 'object' ? rate.tiers.map((tier) => tier.start) : [],
    )
    return [-1, ...new Set(starts.sort((a, b) => a - b))].map((above) => ({
      above,
      rates: ratesAt(above + 1001, price),
    }))
  } catch {
    return null // priced by units that agents do not record
  }
}

/** Rates per token for a request of this size, computed by the library. */
function ratesAt(size: number, price: (counts: TokenCounts) => number): Tier['rates'] {
  const whole = price({ input_tokens: size })
  const all = (counts: TokenCounts) => price({ input_tokens: size, ...counts }) / size
  return {
    input: whole / size,
    cacheRead: all({ cache_read_tokens: size }),
    cacheWrite: all({ cache_write_tokens: size }),
    cacheWrite1h: all({ cache_write_tokens: size, cache_write_1h_tokens: size }),
    output: (price({ input_tokens: size, output_tokens: 1000 }) - whole) / 1000,
  }
}
