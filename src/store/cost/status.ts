// What a status line shows of the ledger: the cost of today and the block that is not over. Only sessions that were
// active of late are read, because it runs after every message.
import type { Ledger } from '../ledger.ts'
import { type UsageRow, usageRows } from '../sessions/usage.ts'
import { blocksOf, hasGap, type UsageBlock } from './blocks.ts'
import { addUsage, noUsage, type UsageCounts } from './counts.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Usage of all agents since a time. */
export function usageSince(ledger: Ledger, sinceMs: number): UsageCounts {
  const sum = noUsage()
  for (const row of recentRows(ledger, sinceMs)) addUsage(sum, row)
  return sum
}

/** Undefined if the agent was not used in the last five hours. */
export function activeBlock(ledger: Ledger, agent: string, nowMs: number): UsageBlock | undefined {
  // A block depends on those before it, back to a gap: people sleep, so a day or two are enough.
  for (let days = 1; ; days *= 4) {
    const sinceMs = nowMs - days * dayMs
    const rows = recentRows(ledger, sinceMs, agent)
    if (days < maxDays && !hasGap(rows, sinceMs)) continue
    return blocksOf(rows, nowMs).find(({ burn }) => burn !== undefined)
  }
}

const maxDays = 64

/** What a session and its subagents cost, as far as prices are known; undefined if nothing is recorded. */
export function sessionCostUsd(ledger: Ledger, id: string): number | undefined {
  const row = ledger
    .sql(
      `WITH RECURSIVE tree (id, uid) AS (
         SELECT id, uid FROM sessions WHERE uid = ?
         UNION
         SELECT s.id, s.uid FROM tree JOIN sessions s ON s.parent = tree.uid AND s.kind = 'subagent')
       SELECT sum(u.cost_usd) AS cost FROM tree JOIN usage u ON u.session = tree.id`,
    )
    .get(id)
  return typeof row?.cost === 'number' ? row.cost : undefined
}

function recentRows(ledger: Ledger, sinceMs: number, agent?: string): UsageRow[] {
  const sessions = ledger
    .sql('SELECT id FROM sessions WHERE ended >= ?')
    .all(sinceMs)
    .map(({ id }) => Number(id))
  return [...usageRows(ledger, { sessions, sinceMs, ...(agent === undefined ? {} : { agent }) })]
}
