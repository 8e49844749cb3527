// The contract of a provider: whether it can be asked, and how to ask it once. Consent, budget,
// retries, repair and the ledger of spend are the same for all providers.
import type { EmbeddingProviderName } from '../../core/config/settings.ts'
import type { ModelContext, ModelObstacle, ProviderName } from '../context.ts'

export interface Provider {
  name: ProviderName
  /** Timeout of one answer. */
  timeoutMs: number
  find(context: ModelContext): Promise<ProviderAvailability>
  /** One request, one reply; errors are replies, too. */
  ask(context: ModelContext, request: ProviderRequest): Promise<ProviderReply>
}

/** The models that can be asked now, in order, or why there are none. */
export type ProviderAvailability =
  | { kind: 'found'; models: string[] }
  /** `access` unless something else is the obstacle. */
  | { kind: 'missing'; reason: string; obstacle?: ModelObstacle }

export interface ProviderRequest {
  model: string
  system: string
  text: string
  /** JSON schema of the answer. */
  schema: JsonSchema
  maxOutputTokens: number
  timeoutMs: number
  /** Cost limit, for providers that support one. */
  maxUsd: number
}

/** How to ask a provider for vectors; consent, budget and booking are the same for all. */
export interface EmbeddingProvider {
  name: EmbeddingProviderName
  /** Where to send requests, or why that is not known. */
  find(context: ModelContext): { kind: 'found'; url: string } | { kind: 'missing'; reason: string }
  headers(context: ModelContext): Record<string, string>
  /** Undefined if the answer does not have the expected shape. */
  read(answer: unknown): { vectors: number[][]; tokens: number | undefined } | undefined
}

export type JsonSchema = Record<string, unknown>

export type ProviderReply =
  /** `spent` is null if the provider reports no usage. */
  | { kind: 'said'; text: string; spent: TokenSpend | null }
  | {
      kind: 'failed'
      /** In two or three words, for the ledger: `timeout`, `http 500`. */
      result: string
      /** The provider's own message. */
      detail: string
      remedy: FailureRemedy
      /** Null if unknown: then the estimate counts. */
      spent: TokenSpend | null
    }

/** What may help after a failure. */
export type FailureRemedy =
  /** Asking again at once. */
  | 'retry'
  /** Asking again later, or asking something else: the question or its answer was at fault. */
  | 'later'
  /** The user, who has to correct a key, a login, the name of a model or an installation. */
  | 'user'

export interface TokenSpend {
  /** The model that answered. */
  model: string
  inputTokens: number
  outputTokens: number
  /** As reported by the provider; null to compute it from the tokens. */
  costUsd: number | null
}

export function failed(
  result: string,
  options: { detail?: string; remedy?: FailureRemedy; spent?: TokenSpend | null } = {},
): ProviderReply {
  const { detail = '', remedy = 'retry', spent = noSpend } = options
  return { kind: 'failed', result, detail, remedy, spent }
}

/** Busy and broken servers may recover; a wrong key or model stays wrong until it is changed. */
export function remedyOf(status: number): FailureRemedy {
  if (status >= 500 || [408, 409, 425, 429].includes(status)) return 'retry'
  return [400, 413, 422].includes(status) ? 'later' : 'user'
}

const noSpend: TokenSpend = { model: '', inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** Larger answers are not read. */
export const maxAnswerBytes = 1024 * 1024

/** Null if the server reports nothing: then the estimate counts. */
export function tokenSpend(model: string, input: number | undefined, output: number | undefined): TokenSpend | null {
  if (!input && !output) return null
  return { model, inputTokens: input ?? 0, outputTokens: output ?? 0, costUsd: null }
}
