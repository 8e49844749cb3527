// What the tables of the command `cost` share.
import type { App } from '../../app.ts'
import { plural } from '../../core/units.ts'
import { type CostRow, noUsage } from '../../store/cost/counts.ts'
import { groupUsage, modelKey, type SessionUsage } from '../../store/cost/groups.ts'
import type { Ledger } from '../../store/ledger.ts'
import type { UsageFilter } from '../../store/sessions/usage.ts'
import type { Column } from '../column-widths.ts'
import type { Terminal } from '../terminal.ts'

export interface CostOptions {
  json?: boolean
  csv?: boolean
  judge?: boolean
  by: string
  since?: string
  until?: string
  agent?: string
  project?: string
}

export interface CostOutput {
  terminal: Terminal
  app: App
  ledger: Ledger
  options: CostOptions
  filter: UsageFilter
}

export const costColumn: Column = { title: 'cost', align: 'right' }

export function totalOf(usage: readonly SessionUsage[]): CostRow {
  return groupUsage(usage, () => 'total')[0] ?? { name: 'total', sessions: 0, ...noUsage() }
}

/** Says why a cost is a lower bound. */
export function sayBounds(terminal: Terminal, usage: readonly SessionUsage[]): void {
  const { unpriced, lowerBounds } = totalOf(usage)
  if (unpriced > 0) {
    const models = groupUsage(
      usage.filter((row) => row.unpriced > 0),
      modelKey,
    ).map(({ name }) => name)
    const named = models.length > 3 ? `${models.slice(0, 3).join(', ')}, …` : models.join(', ')
    terminal.say(`≥: ${plural(unpriced, 'response')} without a known price (${named}) not included.`)
  }
  if (lowerBounds > 0)
    terminal.say(`≥: of ${plural(lowerBounds, 'response')} the agent recorded only a part of the tokens.`)
}
