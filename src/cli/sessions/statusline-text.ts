// The line that Claude Code shows below its prompt, from what it writes to the command (seen in 2.1.325; the limits are
// there for subscriptions only) and from what the ledger knows.

import { isoTime } from '../../core/clock.ts'
import type { Json, UsageLimit } from '../../core/session.ts'
import { formatDuration, formatUsd } from '../../core/units.ts'
import { isOver } from '../../core/usage/rate-limits.ts'
import type { UsageBlock } from '../../store/cost/blocks.ts'
import { costText, type UsageCounts } from '../../store/cost/counts.ts'

/** What Claude Code says; any part may be missing. */
export interface StatusInput {
  session?: string
  model?: string
  costUsd?: number
  /** Share of the context window that is used, in percent. */
  contextPercent?: number
  limits: UsageLimit[]
}

/** What the ledger says; missing if it cannot be read now. */
export interface StatusFigures {
  today?: UsageCounts
  block?: UsageBlock
  limits: readonly (UsageLimit & { agent: string })[]
}

export function parseStatusInput(text: string, nowMs: number): StatusInput {
  const input = objectOf(parsed(text))
  const model = objectOf(input.model)
  const windows = objectOf(input.rate_limits)
  return {
    session: stringOf(input.session_id),
    model: stringOf(model.display_name) ?? stringOf(model.id),
    costUsd: numberOf(objectOf(input.cost).total_cost_usd),
    contextPercent: contextPercent(objectOf(input.context_window)),
    limits: Object.entries(windowMinutes).flatMap(([name, minutes]) =>
      limitIn(objectOf(windows[name]), minutes, isoTime(nowMs)),
    ),
  }
}

export function statusText(input: StatusInput, { today, block, limits }: StatusFigures, nowMs: number): string {
  const spent = [
    input.costUsd !== undefined && `${formatUsd(input.costUsd)} session`,
    today && today.responses > 0 && `${costText(today)} today`,
  ]
  const own = input.limits.map((limit) => limitText(limit))
  const others = limits
    .filter((limit) => !isOver(limit, nowMs) && limit.limit === limit.agent)
    .map((limit) => `${limit.agent} ${limitText(limit)}`)
  return [
    input.model,
    joined(spent),
    block && blockText(block, nowMs),
    input.contextPercent !== undefined && `context ${Math.round(input.contextPercent)} %`,
    joined(own),
    joined(others),
  ]
    .filter(Boolean)
    .join(' | ')
}

function joined(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(', ')
}

function blockText(block: UsageBlock, nowMs: number): string {
  const left = formatDuration(Math.floor((block.endMs - nowMs) / 60_000) * 60_000).replace(/ 0 s$/, '')
  const rate = costText({ ...block, costUsd: block.burn?.costPerHour ?? 0 })
  return `block ${costText(block)}, ${left} left, ${rate}/h`
}

function limitText({ minutes, usedPercent }: UsageLimit): string {
  const hours = Math.round(minutes / 60)
  return `${hours % 24 === 0 ? `${hours / 24} d` : `${hours} h`} ${Math.round(usedPercent)} %`
}

const windowMinutes = { five_hour: 300, seven_day: 10_080 }

function limitIn(window: Fields, minutes: number, at: string): UsageLimit[] {
  const usedPercent = numberOf(window.used_percentage)
  if (usedPercent === undefined) return []
  return [{ limit: 'claude-code', at, usedPercent, minutes, resetsAt: null }]
}

/** Versions before the field have the tokens of the last response. */
function contextPercent(window: Fields): number | undefined {
  const size = numberOf(window.context_window_size)
  const usage = objectOf(window.current_usage)
  const counts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map(
    (name) => numberOf(usage[name]) ?? 0,
  )
  const used = counts.reduce((sum, count) => sum + count, 0)
  return numberOf(window.used_percentage) ?? (size && used > 0 ? (used / size) * 100 : undefined)
}

type Fields = { [name: string]: Json | undefined }

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

function objectOf(value: Json | undefined): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

function stringOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined
}
