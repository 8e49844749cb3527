// What the choice of a judge means, for `status`: who decides, what it may cost, or how to choose one.
import type { App } from '../../app.ts'
import { formatUsd, plural } from '../../core/units.ts'
import { firstAllowedProvider, isAnyModelAllowed, modelNameOf } from '../../models/consent.ts'
import type { ProviderName } from '../../models/context.ts'
import { findProgram } from '../../models/find-program.ts'
import type { BudgetState } from '../../models/governor.ts'
import { isPaid } from '../../models/pricing-class.ts'
import type { Ledger } from '../../store/ledger.ts'

export interface JudgeStatus {
  /** `none` if rules propose and people decide. */
  judge: ProviderName | 'claude-fork' | 'none'
  lines: string[]
}

export async function judgeStatus(app: App, ledger: Ledger, budget: BudgetState): Promise<JudgeStatus> {
  const { config } = app
  if (!config.learn.isOn) return { judge: 'none', lines: ['Judge: none, because learn.on is false'] }
  const name = firstAllowedProvider({ ...app, ledger })
  if (!name) return withoutProvider(app, ledger)
  const { usd, calls, limits, isUsedUp } = budget.shares.memories
  const often = config.learn.when === 'turn' ? 'one call per turn' : 'one call per session at rest'
  const judge = `Judge: ${name} (${modelNameOf(name, config)}), ${often}`
  if (!isPaid(name, config)) return { judge: name, lines: [`${judge}, free`] }
  const spent = `${calls} of ${plural(limits.calls, 'call')}, ${formatUsd(usd)} of ${formatUsd(limits.usd)}`
  return { judge: name, lines: [judge, `  Today ${spent}${isUsedUp ? ': used up until midnight' : ''}`] }
}

async function withoutProvider(app: App, ledger: Ledger): Promise<JudgeStatus> {
  const { config, machine, zone } = app
  if (isAnyModelAllowed({ ...app, ledger }))
    return { judge: 'claude-fork', lines: ['Judge: claude-fork, a fork of each session of Claude Code'] }
  const none = 'Judge: none. Rules propose candidates; you keep them: recollect memories review'
  if (!findProgram('claude', machine)) return { judge: 'none', lines: [none, 'A model can decide: recollect models'] }
  const { dailyCostText, dailyLoad } = await import('../../learn/model/forecast.ts')
  const cost = await dailyCostText(dailyLoad(ledger, zone, config), 'claude', config)
  return { judge: 'none', lines: [none, `A model can decide: recollect models allow claude (${cost})`] }
}
