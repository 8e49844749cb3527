// Counts the tokens of compactions. Claude Code writes no record for the call that summarises; only
// the totals of the session (`cost-state`, seen in 2.1.325, at the end of a run) include it. Until
// they come, or if subagents share in them, the tokens of the session are a lower bound.
import type { Json, Usage } from '../../core/session.ts'
import { asCount, asObject, asString, type JsonObject } from '../json-values.ts'

type Tokens = Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite' | 'cacheWrite1h' | 'output'>

export interface CompactionUsage {
  /** Adds the tokens of a response; `before` is what was added for the same response. */
  addResponse(usage: Usage, before: { key: string; output: number }): void
  addSubagent(): void
  /** The usage of a compaction, which is not known yet. */
  compaction(key: string, ts: string | null): Usage
  /** What a `cost-state` record adds. */
  totals(record: JsonObject): Usage | undefined
  state(): Json
}

const noTokens: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, output: 0 }

export function createCompactionUsage(state: Json | undefined): CompactionUsage {
  const saved = asObject(state)
  let counted = tokensOf(asObject(saved.counted))
  let hasSubagents = saved.hasSubagents === true
  let model = asString(saved.model)
  let open = { key: asString(saved.key), ts: asString(saved.ts) }
  return {
    addResponse(usage, before) {
      const isSame = usage.key === before.key
      counted = addTokens(counted, isSame ? { ...noTokens, output: usage.output - before.output } : usage)
      model = usage.model ?? model
    },
    addSubagent() {
      hasSubagents = true
    },
    compaction(key, ts) {
      open = { key, ts: ts ?? '' }
      return { ...usageOf(open, model, noTokens), isLowerBound: true }
    },
    totals(record) {
      if (open.key === '' || hasSubagents) return undefined
      const spent = Object.values(asObject(record.modelUsage)).map((one) => totalsOf(asObject(one)))
      const rest = subtractTokens(spent.reduce(addTokens, noTokens), counted)
      const usage = usageOf(open, model, rest)
      counted = addTokens(counted, rest)
      open = { key: '', ts: '' }
      return usage
    },
    state: () => ({ counted, hasSubagents, model, ...open }),
  }
}

function usageOf({ key, ts }: { key: string; ts: string }, model: string, tokens: Tokens): Usage {
  return { key, ts: ts || null, model: model || null, ...tokens, reasoning: 0 }
}

function totalsOf(one: JsonObject): Tokens {
  const cacheWrite1h = asCount(one.cacheCreationEphemeral1hInputTokens)
  return {
    input: asCount(one.inputTokens),
    cacheRead: asCount(one.cacheReadInputTokens),
    cacheWrite: Math.max(0, asCount(one.cacheCreationInputTokens) - cacheWrite1h),
    cacheWrite1h,
    output: asCount(one.outputTokens),
  }
}

function tokensOf({ input, cacheRead, cacheWrite, cacheWrite1h, output }: JsonObject): Tokens {
  return {
    input: asCount(input),
    cacheRead: asCount(cacheRead),
    cacheWrite: asCount(cacheWrite),
    cacheWrite1h: asCount(cacheWrite1h),
    output: asCount(output),
  }
}

function addTokens(a: Tokens, b: Tokens): Tokens {
  return combine(a, b, (one, other) => one + other)
}

function subtractTokens(a: Tokens, b: Tokens): Tokens {
  return combine(a, b, (one, other) => Math.max(0, one - other))
}

function combine(a: Tokens, b: Tokens, each: (one: number, other: number) => number): Tokens {
  return {
    input: each(a.input, b.input),
    cacheRead: each(a.cacheRead, b.cacheRead),
    cacheWrite: each(a.cacheWrite, b.cacheWrite),
    cacheWrite1h: each(a.cacheWrite1h, b.cacheWrite1h),
    output: each(a.output, b.output),
  }
}
