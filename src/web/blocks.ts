// Five-hour blocks, as subscriptions limit usage: a block begins with the hour of the first response and lasts five
// hours; the next response after that begins another.
import type { UsageRow } from '../store/sessions/usage.ts'
import { addUsage, noUsage, type UsageCounts } from './activity.ts'

export interface UsageBlock extends UsageCounts {
  startMs: number
  endMs: number
  /** Begin of the first quarter of an hour with a response. */
  firstMs: number
  sessions: number
  /** Only for the block that is not over. */
  burn?: BurnRate
}

export interface BurnRate {
  costPerHour: number
  tokensPerHour: number
  /** Cost at the end of the block if it goes on like this. */
  projectedUsd: number
}

const quarterMs = 900_000
const hourMs = 3_600_000
export const blockMs = 5 * hourMs

/** The latest first. Rows without a time are left out. */
export function blocksOf(rows: readonly UsageRow[], nowMs: number): UsageBlock[] {
  const timed = rows.filter((row) => row.quarter !== null).sort((a, b) => a.quarter! - b.quarter!)
  const blocks: (UsageBlock & { members: Set<number> })[] = []
  for (const row of timed) {
    const atMs = row.quarter! * quarterMs
    let block = blocks.at(-1)
    if (!block || atMs >= block.endMs) {
      const startMs = Math.floor(atMs / hourMs) * hourMs
      block = { ...noUsage(), startMs, endMs: startMs + blockMs, firstMs: atMs, sessions: 0, members: new Set() }
      blocks.push(block)
    }
    addUsage(block, row)
    block.members.add(row.session)
  }
  return blocks
    .map(({ members, ...block }) => ({ ...block, sessions: members.size }))
    .map((block) => (block.startMs <= nowMs && nowMs < block.endMs ? { ...block, burn: burnOf(block, nowMs) } : block))
    .reverse()
}

/** At least a quarter of an hour, because usage is not known more exactly. */
function burnOf(block: UsageBlock, nowMs: number): BurnRate {
  const hours = Math.max(quarterMs, nowMs - block.firstMs) / hourMs
  const costPerHour = block.costUsd / hours
  const leftHours = (block.endMs - nowMs) / hourMs
  return {
    costPerHour,
    tokensPerHour: tokensOf(block) / hours,
    projectedUsd: block.costUsd + costPerHour * leftHours,
  }
}

export function tokensOf({ input, cacheRead, cacheWrite, output }: UsageCounts): number {
  return input + cacheRead + cacheWrite + output
}

/** Time with responses, to a quarter of an hour, by session. */
export function activeHours(rows: readonly UsageRow[], keyOf: (session: number) => string): Map<string, number> {
  const quarters = new Map<string, Set<number>>()
  for (const { session, quarter } of rows) {
    if (quarter === null) continue
    const key = keyOf(session)
    const own = quarters.get(key)
    if (own) own.add(quarter)
    else quarters.set(key, new Set([quarter]))
  }
  return new Map([...quarters].map(([key, own]) => [key, own.size / 4]))
}
