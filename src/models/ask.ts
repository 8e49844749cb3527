// Asking whichever model there is: through the order of the configuration until one gives a valid answer.

import { consentOf, mayBeAsked, reachedIn } from './consent.ts'
import type { Answer, ModelContext, ProviderName, Question } from './model.ts'
import type { Provider } from './provider.ts'

export async function ask<T>(context: ModelContext, question: Question<T>): Promise<Answer<T>> {
  const names = reachedIn(context.config.models.order)
  if (names.length === 0) return { kind: 'nobody', reasons: [] }
  const { providers } = await import('./registry.ts')
  const reasons = []
  let isWorthAnotherTry = false
  for (const name of names) {
    const tried = await tryProvider(context, providers[name], question)
    if (tried.kind === 'answered') return tried
    reasons.push({ provider: name, reason: tried.reason })
    isWorthAnotherTry ||= tried.kind === 'failed'
  }
  return { kind: isWorthAnotherTry ? 'failed' : 'nobody', reasons }
}

export type Tried<T> =
  | Extract<Answer<T>, { kind: 'answered' }>
  /** It cannot be asked as things are, and asking again later changes nothing by itself. */
  | { kind: 'unfit'; reason: string }
  | { kind: 'failed'; reason: string }

async function tryProvider<T>(context: ModelContext, provider: Provider, question: Question<T>): Promise<Tried<T>> {
  const found = await provider.find(context)
  if (found.kind === 'missing') return { kind: 'unfit', reason: found.reason }
  if (!mayBeAsked(context, provider.name)) return { kind: 'unfit', reason: notAllowed(context, provider.name) }
  const { askModel } = await import('./attempts.ts')
  let last: Tried<T> = { kind: 'unfit', reason: 'it has no model' }
  for (const model of found.models) {
    const tried = await askModel(context, provider, model, question)
    if (tried.kind === 'answered') return tried
    // A failure that may pass outweighs a later model that cannot be asked.
    if (last.kind !== 'failed' || tried.kind === 'failed') last = tried
  }
  return last
}

function notAllowed({ ledger }: ModelContext, name: ProviderName): string {
  const answer = consentOf(ledger, name) === 'refused' ? 'you said no' : 'not allowed yet'
  return `${answer}: recollect models allow ${name}`
}
