// Limits of an account that agents record: of each, only the latest state of each window counts.
import type { UsageLimit } from '../session.ts'

/** The latest of each limit and window, in the order of windows. */
export function newestLimits(limits: readonly UsageLimit[]): UsageLimit[] {
  const newest = new Map<string, UsageLimit>()
  for (const limit of limits) {
    const key = `${limit.limit}\n${windowText(limit)}`
    const known = newest.get(key)
    if (!known || limit.at >= known.at) newest.set(key, limit)
  }
  return [...newest.values()].sort((a, b) => (a.limit < b.limit ? -1 : a.limit > b.limit ? 1 : a.minutes - b.minutes))
}

/** Whether the window has been reset since. */
export function isOver({ at, minutes, resetsAt }: UsageLimit, nowMs: number): boolean {
  return (resetsAt === null ? Date.parse(at) + minutes * 60_000 : Date.parse(resetsAt)) <= nowMs
}

/** `5 hours`, `7 days`. Codex also records 299 minutes. */
export function windowText({ minutes }: Pick<UsageLimit, 'minutes'>): string {
  const hours = Math.round(minutes / 60)
  if (hours === 0) return `${minutes} minutes`
  return hours % 24 === 0 ? `${hours / 24} days` : `${hours} hours`
}
