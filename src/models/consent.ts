// Consent to providers. Those that cost money, send text to another machine or were not chosen in
// config.toml need a yes; the others are allowed until the user says no.
import { type Clock, isoTime } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import type { JudgeName } from '../core/config/settings.ts'
import { isObject, readChecked, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { markAllBriefsStale } from '../store/sessions/projects.ts'
import type { ModelContext, ProviderName } from './context.ts'
import { needsConsent } from './pricing-class.ts'

export type ModelConsent = 'allowed' | 'refused' | 'not asked'

export function consentOf(ledger: Ledger, name: JudgeName): ModelConsent {
  const note = readChecked<{ consent: ModelConsent }>(
    ledger,
    noteName(name),
    (value) => isObject(value) && (value.consent === 'allowed' || value.consent === 'refused'),
  )
  return note?.consent ?? 'not asked'
}

export function setConsent(ledger: Ledger, clock: Clock, name: JudgeName, consent: 'allowed' | 'refused'): void {
  writeValue(ledger, noteName(name), { consent, at: isoTime(clock.nowMs()) })
  // Briefs quote candidates only where no model judges.
  markAllBriefsStale(ledger)
}

export function mayBeAsked(
  { ledger, config, machine }: Pick<ModelContext, 'ledger' | 'config' | 'machine'>,
  name: JudgeName,
): boolean {
  const consent = consentOf(ledger, name)
  return consent === 'allowed' || (consent === 'not asked' && !needsConsent(name, config, machine))
}

/** Whether a model in the configured order may be asked, so that rules do not judge alone. */
export function isAnyModelAllowed(context: Pick<ModelContext, 'ledger' | 'config' | 'machine'>): boolean {
  const { order } = context.config.models
  const end = order.indexOf('heuristic')
  return order.slice(0, end < 0 ? order.length : end).some((name) => mayBeAsked(context, name))
}

/** The provider that is asked first; undefined if none is allowed. */
export function firstAllowedProvider(
  context: Pick<ModelContext, 'ledger' | 'config' | 'machine'>,
): ProviderName | undefined {
  return reachableProviders(context.config.models.order).find((name) => mayBeAsked(context, name))
}

/** The model that it judges with; Ollama tries several. */
export function modelNameOf(name: ProviderName, { models }: Config): string {
  return name === 'ollama' ? (models.ollama[0] ?? '') : models[name]
}

/**
 * The models in an order of judges. Those behind the heuristic judge are never reached, since it
 * always answers.
 */
export function reachableProviders(order: readonly JudgeName[]): ProviderName[] {
  const end = order.indexOf('heuristic')
  const names = new Set(end < 0 ? order : order.slice(0, end))
  return [...names].filter((name): name is ProviderName => name !== 'heuristic' && name !== 'claude-fork')
}

function noteName(name: JudgeName): string {
  return `consent to ${name}`
}
