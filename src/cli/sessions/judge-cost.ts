// `cost --judge`: the model calls of Recollect itself, what they cost and what came of them.
import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { formatCount, formatUsd, plural } from '../../core/units.ts'
import type { Ledger } from '../../store/ledger.ts'
import { callsSince, type ModelCall } from '../../store/memories/model-calls.ts'
import { type CommandContext, sinceOption } from '../command.ts'
import { table } from '../terminal.ts'

export function printJudgeCost(
  { terminal, exit }: Pick<CommandContext, 'terminal' | 'exit'>,
  app: App,
  ledger: Ledger,
  options: { since?: string; json?: boolean },
): void {
  const calls = callsSince(ledger, sinceOption(options.since ?? '7d', app)!)
  const { dailyUsd, dailyCalls } = app.config.models
  const days = spendPerDay(calls, app)
  const purposes = sumCalls(calls)
  if (calls.length === 0) exit(1)
  if (options.json) {
    const rows = calls.map(({ id: _, at, ...call }) => ({ at: isoTime(at), ...call }))
    return terminal.json({ purposes, calls: rows, days, limits: { usd: dailyUsd, calls: dailyCalls } })
  }
  if (calls.length === 0) return terminal.say('No model was called.')
  terminal.print(`${purposeTable(purposes, terminal.columns)}\n`)
  terminal.print(callTable(calls, app, terminal.columns))
  const forked = forkText(calls)
  if (forked) terminal.print(forked)
  for (const { day, usd, calls } of days)
    terminal.print(`${day}  ${formatUsd(usd)} of ${formatUsd(dailyUsd)}, ${calls} of ${dailyCalls} paid calls`)
}

/** What the calls for one purpose to one model came to. */
export interface PurposeCost {
  purpose: string
  model: string
  calls: number
  inputTokens: number
  outputTokens: number
  costUsd: number
  memoriesSaved: number
  dropped: number
  /** How often each reason was given for a dropped element, and each result for a call. */
  dropReasons: Record<string, number>
  results: Record<string, number>
  /** Part of the questions that a person wrote; null if no question says. */
  personShare: number | null
}

export function sumCalls(calls: readonly ModelCall[]): PurposeCost[] {
  const groups = Map.groupBy(calls, ({ purpose, model }) => `${purpose}\n${model.replace(/-\d{8}$/, '')}`)
  return [...groups].map(([key, members]) => {
    const [purpose, model] = key.split('\n') as [string, string]
    const total = (pick: (call: ModelCall) => number | null) =>
      members.reduce((sum, call) => sum + (pick(call) ?? 0), 0)
    const known = members.filter(({ personChars }) => personChars !== null)
    const inputChars = known.reduce((sum, call) => sum + (call.inputChars ?? 0), 0)
    return {
      ...{ purpose, model, calls: members.length },
      inputTokens: total((call) => call.inputTokens),
      outputTokens: total((call) => call.outputTokens),
      costUsd: total((call) => call.costUsd),
      memoriesSaved: total((call) => call.memoriesSaved),
      dropped: total((call) => call.dropped),
      dropReasons: countEach(members.flatMap(({ drops }) => drops.map(({ reason }) => reason))),
      results: countEach(members.map(({ result }) => result)),
      personShare: inputChars > 0 ? total((call) => call.personChars) / inputChars : null,
    }
  })
}

/** The most frequent first. */
function countEach(names: readonly string[]): Record<string, number> {
  const counts = [...Map.groupBy(names, (name) => name)].map(([name, all]) => [name, all.length] as const)
  return Object.fromEntries(counts.sort((a, b) => b[1] - a[1]))
}

function purposeTable(purposes: readonly PurposeCost[], width: number): string {
  const numbers = ['calls', 'input', 'output', 'cost', 'kept', 'dropped', 'your words']
  const ranks = [3, 4, 5, undefined, 1, 2, 6]
  const rows = purposes.map((row) => [
    row.purpose,
    row.model,
    formatCount(row.calls),
    formatCount(row.inputTokens),
    formatCount(row.outputTokens),
    formatUsd(row.costUsd),
    formatCount(row.memoriesSaved),
    formatCount(row.dropped),
    row.personShare === null ? '' : `${Math.round(100 * row.personShare)} %`,
  ])
  const columns = [
    { title: 'why' },
    { title: 'model', isFlexible: true },
    ...numbers.map((title, index) => ({
      title,
      align: 'right' as const,
      ...(ranks[index] === undefined ? {} : { rank: ranks[index] }),
    })),
  ]
  const [titles, ...lines] = table(columns, rows, width).split('\n')
  return [titles, ...lines.flatMap((line, index) => [line, ...outcomeLines(purposes[index]!)])].join('\n')
}

function outcomeLines({ dropped, dropReasons, results }: PurposeCost): string[] {
  const list = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')
  const areAllGood = Object.keys(results).every((result) => result === 'ok')
  return [
    ...(Object.keys(dropReasons).length > 0 ? [`  dropped ${dropped}: ${list(dropReasons)}`] : []),
    ...(areAllGood ? [] : [`  results: ${list(results)}`]),
  ]
}

/** What forked sessions did, in two lines; undefined if there were none. */
function forkText(calls: ModelCall[]): string | undefined {
  const forked = calls.flatMap(({ fork, ...call }) => (fork ? [{ ...call, ...fork }] : []))
  if (forked.length === 0) return undefined
  const total = (pick: (call: (typeof forked)[number]) => number) => forked.reduce((sum, call) => sum + pick(call), 0)
  const turns = total((call) => call.turns)
  const files = total((call) => call.filesWritten)
  const saved = total((call) => call.memoriesSaved ?? 0)
  const refused = total((call) => call.refused.length)
  const share = total((call) => call.cacheReadTokens) / (total((call) => call.inputTokens) || 1)
  return [
    `${plural(forked.length, 'fork')}: ${plural(turns, 'turn')}, ${Math.round(100 * share)} % of the input from the cache,`,
    `  ${plural(files, 'file')} written, ${plural(saved, 'memory', 'memories')} saved, ${plural(refused, 'tool call')} refused`,
  ].join('\n')
}

interface DailySpend {
  day: string
  usd: number
  /** Calls that cost money; only these count against the limit. */
  calls: number
}

function spendPerDay(calls: ModelCall[], { zone }: App): DailySpend[] {
  const days = Map.groupBy(calls, ({ at }) => zone.day(isoTime(at)))
  return [...days].map(([day, members]) => ({
    day,
    usd: members.reduce((sum, { costUsd }) => sum + costUsd, 0),
    calls: members.filter(({ costUsd }) => costUsd > 0).length,
  }))
}

function callTable(calls: ModelCall[], { zone }: App, width: number): string {
  return table(
    [
      { title: 'when' },
      { title: 'why' },
      { title: 'session', isFlexible: true },
      { title: 'provider', rank: 4 },
      { title: 'model', rank: 1 },
      { title: 'input', align: 'right', rank: 2 },
      { title: 'output', align: 'right', rank: 3 },
      { title: 'time', align: 'right', rank: 5 },
      { title: 'cost', align: 'right' },
      { title: 'result' },
    ],
    calls.map((call) => [
      zone.minute(isoTime(call.at)),
      call.purpose,
      call.session ?? '',
      call.provider,
      call.model,
      formatCount(call.inputTokens),
      formatCount(call.outputTokens),
      `${(call.ms / 1000).toFixed(1)} s`,
      formatUsd(call.costUsd),
      call.result,
    ]),
    width,
  )
}
