// What sessions cost, and what is usual: the ninth of ten of the same agent in the same project, where there are enough of them.
import type { Ledger } from '../../store/ledger.ts'
import { type SessionCost, sessionCosts } from '../../store/patterns/patterns.ts'

export interface Costs {
  usdOf(id: number): number
  /** Null where too few have a price. */
  usualOf(id: number): number | null
}

/** Below that, a ninth of ten is one session. */
const enough = 20

export function costsOf(ledger: Ledger, fewestCalls: number): Costs {
  const costs = sessionCosts(ledger, fewestCalls)
  const groups = new Map<string, number[]>()
  for (const cost of costs) {
    for (const name of groupsOf(cost)) {
      const group = groups.get(name)
      if (group) group.push(cost.costUsd)
      else groups.set(name, [cost.costUsd])
    }
  }
  const usual = new Map(
    [...groups].filter(([, group]) => group.length >= enough).map(([name, group]) => [name, ninthOfTen(group)]),
  )
  const spent = new Map<number, number>()
  const usualOf = new Map<number, number | null>()
  for (const cost of costs) {
    const name = groupsOf(cost).find((group) => usual.has(group))
    spent.set(cost.id, cost.costUsd)
    usualOf.set(cost.id, name === undefined ? null : usual.get(name)!)
  }
  return { usdOf: (id) => spent.get(id) ?? 0, usualOf: (id) => usualOf.get(id) ?? null }
}

/** The narrowest first. */
function groupsOf({ agent, project }: SessionCost): string[] {
  return [`${agent} ${project}`, agent, '']
}

function ninthOfTen(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.ceil(0.9 * values.length) - 1]!
}
