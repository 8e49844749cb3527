// Lists the judges in their order with availability, consent and cost, and tries a single one.

import * as z from 'zod'
import type { JudgeName } from '../core/config/settings.ts'
import type { Spending } from '../store/memories/model-calls.ts'
import { ask } from './ask.ts'
import { consentOf, type ModelConsent, mayBeAsked } from './consent.ts'
import type { ModelContext, ModelResponse, ProviderName } from './context.ts'
import { findProgram } from './find-program.ts'
import { spentToday } from './governor.ts'
import { isPaid } from './pricing-class.ts'
import type { ProviderAvailability } from './providers/provider.ts'
import { providers } from './registry.ts'

export interface ListedModel {
  name: JudgeName
  isThere: boolean
  /** The models that would be asked, or why there are none. */
  detail: string
  isPaid: boolean
  consent: ModelConsent
  /** Whether it is used, or would be if it were available. */
  isAllowed: boolean
  /** False for judges behind the heuristic judge. */
  isReached: boolean
  today: Spending
}

export function listModels(context: ModelContext): Promise<ListedModel[]> {
  const { ledger, clock, config, zone } = context
  const { order } = config.models
  const last = order.indexOf('heuristic')
  return Promise.all(
    order.map(async (name, index) => {
      const found = await findJudge(context, name)
      return {
        name,
        isThere: found.kind === 'found',
        detail: found.kind === 'found' ? found.models.join(', ') : found.reason,
        isPaid: isPaid(name, config),
        consent: consentOf(ledger, name),
        isAllowed: mayBeAsked(context, name),
        isReached: last < 0 || index <= last,
        today: spentToday(ledger, clock, zone, name),
      }
    }),
  )
}

async function findJudge(context: ModelContext, name: JudgeName): Promise<ProviderAvailability> {
  if (name === 'heuristic') return { kind: 'found', models: ['rules, no model'] }
  if (name !== 'claude-fork') return providers[name].find(context)
  if (findProgram('claude', context.machine)) return { kind: 'found', models: ['the model of the session'] }
  return { kind: 'missing', reason: 'the claude program is not installed' }
}

export interface Trial {
  answer: ModelResponse<{ sum: number }>
  ms: number
}

export async function tryModel(context: ModelContext, name: ProviderName): Promise<Trial> {
  const { config } = context
  const alone = { ...context, config: { ...config, models: { ...config.models, order: [name] } } }
  const beganAt = performance.now()
  const answer = await ask(alone, {
    purpose: 'try',
    session: null,
    system: 'You add up.',
    text: 'What is 2 + 3?',
    schema: z.object({ sum: z.number() }),
    maxOutputTokens: 100,
  })
  return { answer, ms: Math.round(performance.now() - beganAt) }
}
