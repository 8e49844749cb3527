// Asks the providers in the configured order until one gives a valid answer.

import { consentOf, mayBeAsked, reachableProviders } from './consent.ts'
import type {
  ModelContext,
  ModelObstacle,
  ModelQuestion,
  ModelResponse,
  ProviderName,
  ProviderOutcome,
} from './context.ts'
import type { Provider } from './providers/provider.ts'

export async function ask<T>(context: ModelContext, question: ModelQuestion<T>): Promise<ModelResponse<T>> {
  const names = reachableProviders(context.config.models.order)
  if (names.length === 0) return { kind: 'unavailable', reasons: [] }
  const { providers } = await import('./registry.ts')
  const asking = compiles(question) ? withCompileModels(context) : context
  const reasons = []
  let isWorthAnotherTry = false
  let obstacle: ModelObstacle | undefined
  for (const name of names) {
    const tried = await tryProvider(asking, providers[name], question)
    if (tried.kind === 'answered') return tried
    reasons.push({ provider: name, reason: tried.reason })
    if (tried.kind === 'failed') isWorthAnotherTry = true
    else obstacle ??= tried.obstacle
  }
  if (isWorthAnotherTry) return { kind: 'failed', reasons }
  return { kind: 'unavailable', reasons, ...(obstacle ? { obstacle } : {}) }
}

/** Journal and wiki are written; everything else is a judgement. */
function compiles({ purpose }: ModelQuestion<unknown>): boolean {
  return purpose === 'journal' || purpose === 'wiki' || purpose === 'lint' || purpose === 'ask'
}

function withCompileModels(context: ModelContext): ModelContext {
  const { models } = context.config
  const { ollama, ...others } = models.compile
  const compile = { ...others, ...(ollama ? { ollama: [ollama] } : {}) }
  return { ...context, config: { ...context.config, models: { ...models, ...compile } } }
}

async function tryProvider<T>(
  context: ModelContext,
  provider: Provider,
  question: ModelQuestion<T>,
): Promise<ProviderOutcome<T>> {
  const found = await provider.find(context)
  const isAllowed = mayBeAsked(context, provider.name)
  if (found.kind === 'missing') {
    const { reason, obstacle = 'access' } = found
    return { kind: 'unfit', reason, ...(isAllowed ? { obstacle } : {}) }
  }
  if (!isAllowed) return { kind: 'unfit', reason: notAllowed(context, provider.name) }
  const { askWithRetries: askModel } = await import('./retry.ts')
  let last: ProviderOutcome<T> = { kind: 'unfit', reason: 'it has no model' }
  for (const model of found.models) {
    const tried = await askModel(context, provider, model, question)
    if (tried.kind === 'answered') return tried
    // A failure that may pass is reported rather than a later model that cannot be asked.
    if (last.kind !== 'failed' || tried.kind === 'failed') last = tried
  }
  return last
}

function notAllowed({ ledger }: ModelContext, name: ProviderName): string {
  const answer = consentOf(ledger, name) === 'refused' ? 'you said no' : 'not allowed yet'
  return `${answer}: recollect models allow ${name}`
}
