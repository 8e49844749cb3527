// Five-hour blocks, as subscriptions limit usage, and as ccusage defines them: a block begins with the hour of the
// first response and lasts five hours; the next response after that begins another. Each agent has its own.
import type { UsageRow } from '../sessions/usage.ts'
import { addUsage, csvFields, noUsage, tokensOf, type UsageCounts } from './counts.ts'

export interface UsageBlock extends UsageCounts {
  agent: string
  startMs: number
  endMs: number
  /** The first and the last response. */
  firstMs: number
  lastMs: number
  sessions: number
  /** Time without responses before the block; null before the first one, or if it follows the last one directly. */
  gapMs: number | null
  /** Only for the block that is not over. */
  burn?: BurnRate
}

export interface BurnRate {
  costPerHour: number
  tokensPerMinute: number
  /** At the end of the block, if it goes on like this. */
  projectedUsd: number
  projectedTokens: number
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const blockMs = 5 * hourMs

/** The latest first. Rows without a time are left out. */
export function blocksOf(rows: readonly UsageRow[], nowMs: number): UsageBlock[] {
  const timed = rows.filter((row) => row.firstMs !== null)
  return [...Map.groupBy(timed, (row) => row.agent)]
    .flatMap(([agent, own]) => blocksOfAgent(agent, own, nowMs))
    .sort((a, b) => b.startMs - a.startMs || (a.agent < b.agent ? -1 : 1))
}

function blocksOfAgent(agent: string, rows: UsageRow[], nowMs: number): UsageBlock[] {
  const blocks: (UsageBlock & { members: Set<number> })[] = []
  for (const row of rows.sort((a, b) => a.firstMs! - b.firstMs!)) {
    const atMs = row.firstMs!
    let block = blocks.at(-1)
    if (!block || atMs >= block.endMs) {
      const startMs = Math.floor(atMs / hourMs) * hourMs
      const gapMs = block && atMs - block.lastMs > blockMs ? atMs - block.lastMs : null
      block = {
        ...{ ...noUsage(), agent, startMs, endMs: startMs + blockMs, firstMs: atMs, lastMs: atMs, gapMs },
        ...{ sessions: 0, members: new Set() },
      }
      blocks.push(block)
    }
    addUsage(block, row)
    block.lastMs = Math.max(block.lastMs, row.lastMs ?? atMs)
    block.members.add(row.session)
  }
  return blocks
    .map(({ members, ...block }) => ({ ...block, sessions: members.size }))
    .map((block) => (block.startMs <= nowMs && nowMs < block.endMs ? { ...block, burn: burnOf(block, nowMs) } : block))
}

/** Over the time from the first to the last response, at least a minute: a rate over seconds says nothing. */
function burnOf(block: UsageBlock, nowMs: number): BurnRate {
  const minutes = Math.max(minuteMs, block.lastMs - block.firstMs) / minuteMs
  const leftMinutes = (block.endMs - nowMs) / minuteMs
  const costPerMinute = block.costUsd / minutes
  const tokensPerMinute = tokensOf(block) / minutes
  return {
    costPerHour: costPerMinute * 60,
    tokensPerMinute,
    projectedUsd: block.costUsd + costPerMinute * leftMinutes,
    projectedTokens: tokensOf(block) + tokensPerMinute * leftMinutes,
  }
}

/** Whether rows begin a new chain of blocks: what came before a gap has no influence on those after it. */
export function hasGap(rows: readonly UsageRow[], sinceMs: number): boolean {
  let lastMs = sinceMs
  for (const row of rows.filter(({ firstMs }) => firstMs !== null).sort((a, b) => a.firstMs! - b.firstMs!)) {
    if (row.firstMs! - lastMs > blockMs) return true
    lastMs = Math.max(lastMs, row.lastMs ?? row.firstMs!)
  }
  return false
}

export function blockCsv(block: UsageBlock, isoTime: (ms: number) => string): Record<string, string | number | null> {
  return {
    start: isoTime(block.startMs),
    end: isoTime(block.endMs),
    sessions: block.sessions,
    ...csvFields(block),
    cost_per_hour_usd: block.burn?.costPerHour ?? null,
    projected_usd: block.burn?.projectedUsd ?? null,
    agent: block.agent,
    tokens_per_minute: block.burn?.tokensPerMinute ?? null,
  }
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
