// Money for tokens, from the maintained list of genai-prices. What the list does not know has no price, never a guess.
import { calcPrice } from '@pydantic/genai-prices'
import type { Usage } from './session.ts'

/** The price of a response in USD; null when the model is unknown. The agent's own record of money wins. */
export function priceOf(usage: Usage): number | null {
  if (usage.costUsd !== undefined) return usage.costUsd
  if (usage.model === null) return null
  const cached = usage.cacheRead + usage.cacheWrite + usage.cacheWrite1h
  try {
    const price = calcPrice(
      {
        input_tokens: usage.input + cached,
        cache_read_tokens: usage.cacheRead,
        cache_write_tokens: usage.cacheWrite + usage.cacheWrite1h,
        cache_write_1h_tokens: usage.cacheWrite1h,
        output_tokens: usage.output,
      },
      listName(usage.model),
      usage.ts ? { timestamp: new Date(usage.ts) } : {},
    )
    return price ? price.total_price : null
  } catch {
    return null // a price that needs counts which this agent does not keep
  }
}

/** Agents write a model with their own prefixes and window marks: `anthropic/claude-x`, `claude-x[1m]`. */
function listName(model: string): string {
  return model.replace(/^.*\//, '').replace(/\[.*\]$/, '')
}
