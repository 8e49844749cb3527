// Counts tokens of Copilot CLI. Answers only report output tokens; the totals of a session are
// written at its shutdown. Both are counted: answers as they come, and at the shutdown the rest of
// the totals. So a killed session keeps its output, and a closed one adds up to its totals.
import type { Json, Usage } from '../../core/session.ts'
import { asCount, asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'

export interface UsageTally {
  answer(record: JsonObject, model: string | undefined): Usage | undefined
  shutdown(record: JsonObject): Usage[]
  state(): Json
}

type Tokens = Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'reasoning'>

interface ModelTally {
  /** Output of the answers since the last shutdown, and since the start of the log. */
  run: number
  all: number
  /** Totals of the last shutdown. */
  totals: Tokens
}

const noTokens: Tokens = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, reasoning: 0 }

export function createUsageTally(state: Json | undefined): UsageTally {
  const saved = asObject(state)
  const tallies = new Map(
    Object.entries(asObject(saved.tallies)).map(([model, tally]) => [model, tallyOf(asObject(tally))]),
  )
  let last = { key: asString(saved.key), output: asCount(saved.output) }

  return {
    answer(record, model) {
      const data = asObject(record.data)
      const output = asCount(data.outputTokens)
      const key = optionalString(data.messageId) ?? asString(record.id)
      if (output === 0 || !key) return undefined
      // A long answer has several records, each with the output tokens of the whole.
      const more = key === last.key ? Math.max(0, output - last.output) : output
      last = { key, output }
      const tally = tallies.get(model ?? '') ?? { run: 0, all: 0, totals: noTokens }
      tallies.set(model ?? '', { ...tally, run: tally.run + more, all: tally.all + more })
      return usage(record, key, model, { ...noTokens, output })
    },
    shutdown(record) {
      const usages: Usage[] = []
      for (const [model, metric] of metricsOf(asObject(record.data))) {
        const tally = tallies.get(model) ?? { run: 0, all: 0, totals: noTokens }
        const totals = totalsOf(metric)
        const spent = isRunningTotal(totals, tally) ? subtractTokens(totals, tally.totals) : totals
        const rest = { ...spent, output: Math.max(0, spent.output - tally.run) }
        if (Object.values(rest).some((tokens) => tokens > 0))
          usages.push(usage(record, `${asString(record.id)}/${model}`, model, rest))
        tallies.set(model, { ...tally, totals })
      }
      for (const [model, tally] of tallies) tallies.set(model, { ...tally, run: 0 })
      return usages
    },
    state: () => ({
      ...last,
      tallies: Object.fromEntries(
        [...tallies].map(([model, { totals, ...tally }]) => [model, { ...tally, ...totals }]),
      ),
    }),
  }
}

function tallyOf(saved: JsonObject): ModelTally {
  const { input, cacheRead, cacheWrite, output, reasoning } = saved
  return {
    run: asCount(saved.run),
    all: asCount(saved.all),
    totals: {
      input: asCount(input),
      cacheRead: asCount(cacheRead),
      cacheWrite: asCount(cacheWrite),
      output: asCount(output),
      reasoning: asCount(reasoning),
    },
  }
}

/** By model; if that part is empty, the sum of the session. */
function metricsOf({ modelMetrics, tokenDetails, currentModel }: JsonObject): [model: string, metric: JsonObject][] {
  const metrics = Object.entries(asObject(modelMetrics)).map(([model, metric]): [string, JsonObject] => [
    model,
    asObject(metric),
  ])
  const isTold = metrics.some(([, metric]) => metric.usage !== undefined || metric.tokenDetails !== undefined)
  return isTold ? metrics : [[asString(currentModel), { tokenDetails }]]
}

/** `inputTokens` includes both kinds of cached tokens; the newer `tokenDetails` does not. */
function totalsOf(metric: JsonObject): Tokens {
  const usage = asObject(metric.usage)
  const details = asObject(metric.tokenDetails)
  const detail = (name: string) => asCount(asObject(details[name]).tokenCount)
  const cacheRead = asCount(usage.cacheReadTokens) || detail('cache_read')
  const cacheWrite = asCount(usage.cacheWriteTokens) || detail('cache_write')
  return {
    input: detail('input') || Math.max(0, asCount(usage.inputTokens) - cacheRead - cacheWrite),
    cacheRead,
    cacheWrite,
    output: asCount(usage.outputTokens) || detail('output'),
    reasoning: asCount(usage.reasoningTokens),
  }
}

/**
 * After a resume some versions count from zero, others continue. The output of the answers tells
 * which: it is close to the total of this run or of the whole log.
 */
function isRunningTotal(totals: Tokens, { run, all, totals: before }: ModelTally): boolean {
  const hasGrown = (Object.keys(noTokens) as (keyof Tokens)[]).every((name) => totals[name] >= before[name])
  return before.output > 0 && hasGrown && Math.abs(totals.output - all) < Math.abs(totals.output - run)
}

function subtractTokens(a: Tokens, b: Tokens): Tokens {
  return {
    input: a.input - b.input,
    cacheRead: a.cacheRead - b.cacheRead,
    cacheWrite: a.cacheWrite - b.cacheWrite,
    output: a.output - b.output,
    reasoning: a.reasoning - b.reasoning,
  }
}

function usage(record: JsonObject, key: string, model: string | undefined, tokens: Tokens): Usage {
  return { key, ts: asIsoTime(record.timestamp), model: model || null, ...tokens, cacheWrite1h: 0 }
}
