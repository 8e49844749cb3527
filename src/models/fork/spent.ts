import type { Usage } from '../../core/session.ts'
import type { ForkMessage, MessageUsage } from './messages.ts'

/** What a run has used up, also one that failed. */
export interface Spent {
  turns: number
  tokens: { input: number; cacheRead: number; cacheWrite: number; output: number }
  /** How much of what the model read came out of the cache, 0 to 1. */
  cacheReadShare: number
  costUsd: number
  ms: number
}

export interface Meter {
  hear(message: ForkMessage): void
  read(priceOf: (usage: Usage) => number | null, maxUsd: number, ms: number): Spent
}

type Counts = Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite' | 'cacheWrite1h' | 'output'>

/**
 * Counts by the messages themselves and by the total in the end, whichever is more: the first know their output only in part,
 * the second is missing when a run is cut off. The money in the result has that of the session before in it, so it is not used.
 */
export function newMeter(): Meter {
  const messages = new Map<string, Counts>()
  let total = nothing
  let model: string | null = null
  let turns = 0
  return {
    hear(message) {
      if (message.type === 'assistant') {
        model ??= message.message.model
        messages.set(
          message.message.id,
          more(messages.get(message.message.id) ?? nothing, countsOf(message.message.usage)),
        )
      }
      if (message.type === 'result') {
        turns = message.num_turns
        total = message.usage ? countsOf(message.usage) : nothing
      }
    },
    read(priceOf, maxUsd, ms) {
      const counts = more(total, sum([...messages.values()]))
      const { input, cacheRead, cacheWrite, cacheWrite1h, output } = counts
      const isIdle = messages.size === 0
      const price = isIdle ? 0 : priceOf({ key: '', ts: null, model, reasoning: 0, ...counts })
      const seen = input + cacheRead + cacheWrite + cacheWrite1h
      return {
        turns: turns || messages.size,
        tokens: { input, cacheRead, cacheWrite: cacheWrite + cacheWrite1h, output },
        cacheReadShare: seen === 0 ? 0 : cacheRead / seen,
        // A model without a known price may have cost as much as it was allowed to.
        costUsd: price ?? maxUsd,
        ms,
      }
    },
  }
}

const nothing: Counts = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, output: 0 }

function countsOf(usage: MessageUsage): Counts {
  const cacheWrite1h = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0
  return {
    input: usage.input_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: Math.max(0, usage.cache_creation_input_tokens - cacheWrite1h),
    cacheWrite1h,
    output: usage.output_tokens,
  }
}

function sum(all: Counts[]): Counts {
  return all.reduce((a, b) => combine(a, b, (x, y) => x + y), nothing)
}

function more(a: Counts, b: Counts): Counts {
  return combine(a, b, Math.max)
}

function combine(a: Counts, b: Counts, by: (x: number, y: number) => number): Counts {
  return {
    input: by(a.input, b.input),
    cacheRead: by(a.cacheRead, b.cacheRead),
    cacheWrite: by(a.cacheWrite, b.cacheWrite),
    cacheWrite1h: by(a.cacheWrite1h, b.cacheWrite1h),
    output: by(a.output, b.output),
  }
}
