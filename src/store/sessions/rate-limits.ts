// The rate limits that an agent recorded last. They belong to the account, not to a session.
import type { Json, RateLimits } from '../../core/session.ts'
import { isObject, readChecked, writeValue } from '../key-values.ts'
import type { Ledger } from '../ledger.ts'

/** Transcripts are read in any order, so older limits do not replace newer ones. */
export function saveRateLimits(ledger: Ledger, agent: string, limits: RateLimits): void {
  const known = latestRateLimits(ledger, agent)
  if (known && known.at > limits.at) return
  const windows = limits.windows.map((window) => ({ ...window }))
  writeValue(ledger, keyOf(agent), { at: limits.at, windows })
}

export function latestRateLimits(ledger: Ledger, agent: string): RateLimits | undefined {
  return readChecked<RateLimits>(ledger, keyOf(agent), isRateLimits)
}

function keyOf(agent: string): string {
  return `rate limits of ${agent}`
}

function isRateLimits(value: Json): boolean {
  return isObject(value) && isTime(value.at) && Array.isArray(value.windows) && value.windows.every(isWindow)
}

function isWindow(value: Json): boolean {
  if (!isObject(value)) return false
  const { usedPercent, minutes, resetsAt } = value
  return typeof usedPercent === 'number' && typeof minutes === 'number' && (resetsAt === null || isTime(resetsAt))
}

function isTime(value: Json | undefined): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}
