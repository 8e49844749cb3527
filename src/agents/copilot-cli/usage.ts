// Counts tokens of Copilot CLI. From 1.0.10x a record after every call has its tokens; in earlier
// versions answers only report output tokens. The totals of a session are written at its shutdown.
// All are counted: calls and answers as they come, and at the shutdown the rest of the totals. So a
// killed session keeps what it has spent, and a closed one adds up to its totals. Until then the input
// of answers is not known: a response without tokens says so, which the shutdown replaces.
import type { Json, Usage } from '../../core/session.ts'
import { asCount, asIsoTime, asObject, asString, type JsonObject, optionalString } from '../json-values.ts'

export interface UsageTally {
  /** A `session.usage_record`: the tokens of one call. */
  call(record: JsonObject): Usage | undefined
  answer(record: JsonObject, model: string | undefined): Usage[]
  /** A `session.compaction_complete`: the tokens of the call that wrote the summary. */
  compaction(record: JsonObject, model: string | undefined): Usage | undefined
  shutdown(record: JsonObject): Usage[]
  state(): Json
}

type Tokens = Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite' | 'output' | 'reasoning'>

interface ModelTally {
  /** Counted since the last shutdown, and since the start of the log. */
  run: Tokens
  all: Tokens
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
  let hasCalls = saved.hasCalls === true
  const unknown = asObject(saved.unknownInput)
  let unknownInput = { key: asString(unknown.key), model: optionalString(unknown.model) }
  const tallyFor = (model: string) => tallies.get(model) ?? { run: noTokens, all: noTokens, totals: noTokens }
  const count = (model: string, tokens: Tokens) => {
    const tally = tallyFor(model)
    tallies.set(model, { ...tally, run: addTokens(tally.run, tokens), all: addTokens(tally.all, tokens) })
  }

  return {
    call(record) {
      const spent = asObject(asObject(record.data).usage)
      const model = asString(spent.model)
      const key = optionalString(spent.apiCallId) ?? asString(record.id)
      if (!key) return undefined
      hasCalls = true
      const tokens = totalsOf({ usage: spent })
      count(model, tokens)
      return usage(record, key, model, tokens)
    },
    answer(record, model) {
      const data = asObject(record.data)
      const output = asCount(data.outputTokens)
      const key = optionalString(data.messageId) ?? asString(record.id)
      if (output === 0 || !key || hasCalls) return []
      // A long answer has several records, each with the output tokens of the whole.
      const more = key === last.key ? Math.max(0, output - last.output) : output
      last = { key, output }
      count(model ?? '', { ...noTokens, output: more })
      const own = usage(record, key, model, { ...noTokens, output })
      if (unknownInput.key) return [own]
      unknownInput = { key: `${key}/input`, model }
      return [own, { ...usage(record, unknownInput.key, model, noTokens), isLowerBound: true }]
    },
    compaction(record, model) {
      const spent = asObject(asObject(record.data).compactionTokensUsed)
      const own = optionalString(spent.model) ?? model
      const tokens = totalsOf({ usage: spent })
      const key = asString(record.id)
      if (hasCalls || !key || Object.values(tokens).every((count) => count === 0)) return undefined
      count(own ?? '', tokens)
      return usage(record, key, own, tokens)
    },
    shutdown(record) {
      const usages: Usage[] = []
      let isTold = false
      for (const [model, metric] of metricsOf(asObject(record.data))) {
        const tally = tallyFor(model)
        const totals = totalsOf(metric)
        isTold ||= totals.input > 0 || totals.output > 0
        const spent = isRunningTotal(totals, tally) ? subtractTokens(totals, tally.totals) : totals
        const rest = subtractTokens(spent, tally.run)
        if (Object.values(rest).some((tokens) => tokens > 0))
          usages.push(usage(record, `${asString(record.id)}/${model}`, model, rest))
        tallies.set(model, { ...tally, totals })
      }
      for (const [model, tally] of tallies) tallies.set(model, { ...tally, run: noTokens })
      if (isTold && unknownInput.key) {
        usages.push(usage(record, unknownInput.key, unknownInput.model, noTokens))
        unknownInput = { key: '', model: undefined }
      }
      return usages
    },
    state: () => ({
      ...last,
      hasCalls,
      ...(unknownInput.key ? { unknownInput } : {}),
      tallies: Object.fromEntries([...tallies].map(([model, t]) => [model, { ...t }])),
    }),
  }
}

/** Saved by an earlier version, `run` and `all` are numbers and the totals stand beside them. */
function tallyOf(saved: JsonObject): ModelTally {
  const outputOf = (value: Json | undefined) =>
    typeof value === 'number' ? { ...noTokens, output: asCount(value) } : tokensOf(asObject(value))
  return {
    run: outputOf(saved.run),
    all: outputOf(saved.all),
    totals: tokensOf(saved.totals === undefined ? saved : asObject(saved.totals)),
  }
}

function tokensOf({ input, cacheRead, cacheWrite, output, reasoning }: JsonObject): Tokens {
  return {
    input: asCount(input),
    cacheRead: asCount(cacheRead),
    cacheWrite: asCount(cacheWrite),
    output: asCount(output),
    reasoning: asCount(reasoning),
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

/**
 * `inputTokens` includes both kinds of cached tokens; the newer `tokenDetails` does not. Only the
 * latter has the calls that wrote summaries (seen with 1.0.78), so it is the larger one.
 */
function totalsOf(metric: JsonObject): Tokens {
  const usage = asObject(metric.usage)
  const details = asObject(metric.tokenDetails)
  const larger = (name: string, told: number) => Math.max(asCount(asObject(details[name]).tokenCount), told)
  const [cacheRead, cacheWrite] = [asCount(usage.cacheReadTokens), asCount(usage.cacheWriteTokens)]
  return {
    input: larger('input', Math.max(0, asCount(usage.inputTokens) - cacheRead - cacheWrite)),
    cacheRead: larger('cache_read', cacheRead),
    cacheWrite: larger('cache_write', cacheWrite),
    output: larger('output', asCount(usage.outputTokens)),
    reasoning: asCount(usage.reasoningTokens),
  }
}

/**
 * After a resume some versions count from zero, others continue. The output of the answers tells
 * which: it is close to the total of this run or of the whole log.
 */
function isRunningTotal(totals: Tokens, { run, all, totals: before }: ModelTally): boolean {
  const hasGrown = (Object.keys(noTokens) as (keyof Tokens)[]).every((name) => totals[name] >= before[name])
  return before.output > 0 && hasGrown && Math.abs(totals.output - all.output) < Math.abs(totals.output - run.output)
}

function addTokens(a: Tokens, b: Tokens): Tokens {
  return combineTokens(a, b, (one, other) => one + other)
}

/** Never below zero: totals may lack what was counted. */
function subtractTokens(a: Tokens, b: Tokens): Tokens {
  return combineTokens(a, b, (one, other) => Math.max(0, one - other))
}

function combineTokens(a: Tokens, b: Tokens, combine: (one: number, other: number) => number): Tokens {
  return {
    input: combine(a.input, b.input),
    cacheRead: combine(a.cacheRead, b.cacheRead),
    cacheWrite: combine(a.cacheWrite, b.cacheWrite),
    output: combine(a.output, b.output),
    reasoning: combine(a.reasoning, b.reasoning),
  }
}

function usage(record: JsonObject, key: string, model: string | undefined, tokens: Tokens): Usage {
  return { key, ts: asIsoTime(record.timestamp), model: model || null, ...tokens, cacheWrite1h: 0 }
}
