// The ledger of spend: what models were asked for, and what it cost.
import type { App } from '../app.ts'
import { isoTime } from '../core/clock.ts'
import { formatCount, formatUsd } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { callsSince, type ModelCall } from '../store/memories/model-calls.ts'
import { type Door, sinceOption } from './command.ts'
import { table } from './terminal.ts'

export function printJudgeCost(
  { terminal, exit }: Pick<Door, 'terminal' | 'exit'>,
  app: App,
  ledger: Ledger,
  options: { since?: string; json?: boolean },
): void {
  const calls = callsSince(ledger, sinceOption(options.since ?? '7d', app)!)
  const { dailyUsd, dailyCalls } = app.config.models
  const days = daysOf(calls, app)
  if (calls.length === 0) exit(1)
  if (options.json) {
    const told = calls.map(({ id: _, at, ...call }) => ({ at: isoTime(at), ...call }))
    return terminal.json({ calls: told, days, limits: { usd: dailyUsd, calls: dailyCalls } })
  }
  if (calls.length === 0) return terminal.say('No model was asked.')
  terminal.print(callTable(calls, app, terminal.columns))
  for (const { day, usd, calls } of days)
    terminal.print(`${day}  ${formatUsd(usd)} of ${formatUsd(dailyUsd)}, ${calls} of ${dailyCalls} paid calls`)
}

interface Day {
  day: string
  usd: number
  /** Those that cost something: what the limit counts. */
  calls: number
}

function daysOf(calls: ModelCall[], { zone }: App): Day[] {
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
      { title: 'provider' },
      { title: 'model' },
      { title: 'input', align: 'right' },
      { title: 'output', align: 'right' },
      { title: 'time', align: 'right' },
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
