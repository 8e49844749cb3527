// Reads `rate_limits` of a `token_count` (Codex 0.36 to 0.147): two windows, usually five hours and a
// week. In September 2025 the fields were flat; until October 2025 the reset was told in seconds.
import { isoTime } from '../../core/clock.ts'
import type { UsageLimit } from '../../core/session.ts'
import { asCount, asObject, type JsonObject, optionalString } from '../json-values.ts'

/** A window is named by its length: `primary` is five hours in most versions, but the week in 0.147. */
export function rateLimitsIn(limits: JsonObject, at: string): UsageLimit[] {
  const limit = optionalString(limits.limit_name) ?? optionalString(limits.limit_id) ?? 'codex'
  return ['primary', 'secondary'].flatMap((name) => windowIn(windowFields(limits, name), { limit, at }) ?? [])
}

function windowFields(limits: JsonObject, name: string): JsonObject {
  if (limits[name] !== undefined) return asObject(limits[name])
  return { used_percent: limits[`${name}_used_percent`], window_minutes: limits[`${name}_window_minutes`] }
}

function windowIn(fields: JsonObject, base: { limit: string; at: string }): UsageLimit | undefined {
  const { used_percent: usedPercent } = fields
  const minutes = asCount(fields.window_minutes)
  if (typeof usedPercent !== 'number' || !(usedPercent >= 0) || minutes === 0) return undefined
  return { ...base, usedPercent, minutes, resetsAt: resetOf(fields, base.at) }
}

const maxTimeMs = 8.64e15

function resetOf(fields: JsonObject, at: string): string | null {
  const seconds = asCount(fields.resets_in_seconds)
  const ms = asCount(fields.resets_at) * 1000 || (seconds > 0 ? Date.parse(at) + seconds * 1000 : 0)
  return ms > 0 && ms <= maxTimeMs ? isoTime(ms) : null
}
