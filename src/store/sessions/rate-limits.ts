// The rate limits that an agent recorded last. They belong to the account, not to a session.

import type { Json, UsageLimit } from '../../core/session.ts'
import { isOver, newestLimits } from '../../core/usage/rate-limits.ts'
import { isObject, readChecked, writeValue } from '../key-values.ts'
import type { Ledger } from '../ledger.ts'

/** Transcripts are read in any order, so older limits do not replace newer ones. */
export function saveRateLimits(ledger: Ledger, agent: string, limits: readonly UsageLimit[]): void {
  const newest = newestLimits([...latestRateLimits(ledger, agent), ...limits])
  writeValue(
    ledger,
    keyOf(agent),
    newest.map((limit) => ({ ...limit })),
  )
}

export function latestRateLimits(ledger: Ledger, agent: string): UsageLimit[] {
  return readChecked<UsageLimit[]>(ledger, keyOf(agent), isRateLimits) ?? []
}

export interface AccountLimit extends UsageLimit {
  agent: string
  /** Whether the window was reset since it was recorded. */
  isOver: boolean
}

/** Of all agents that record some. */
export function accountLimits(ledger: Ledger, nowMs: number): AccountLimit[] {
  return ledger
    .sql('SELECT name FROM notes WHERE substr(name, 1, ?) = ? ORDER BY name')
    .all(prefix.length, prefix)
    .map(({ name }) => String(name).slice(prefix.length))
    .flatMap((agent) =>
      latestRateLimits(ledger, agent).map((limit) => ({ agent, ...limit, isOver: isOver(limit, nowMs) })),
    )
}

const prefix = 'limits of '

function keyOf(agent: string): string {
  return `${prefix}${agent}`
}

function isRateLimits(value: Json): boolean {
  return Array.isArray(value) && value.every(isRateLimit)
}

function isRateLimit(value: Json): boolean {
  if (!isObject(value)) return false
  const { limit, at, usedPercent, minutes, resetsAt } = value
  const isNamed = typeof limit === 'string' && isTime(at)
  return (
    isNamed && typeof usedPercent === 'number' && typeof minutes === 'number' && (resetsAt === null || isTime(resetsAt))
  )
}

function isTime(value: Json | undefined): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}
