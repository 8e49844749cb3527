// The contract of a provider: how to find out whether it can be asked, and how to ask it once. Everything else (consent,
// budget, attempts, repair, the ledger of spend) is the same for all of them and lies in ask.ts.
import type { EmbeddingProviderName } from '../../core/settings.ts'
import type { ModelContext, ProviderName } from '../context.ts'

export interface Provider {
  name: ProviderName
  /** How long one answer may take. */
  timeoutMs: number
  find(context: ModelContext): Promise<ProviderAvailability>
  /** One request, one reply; what goes wrong is a reply too. */
  ask(context: ModelContext, request: ProviderRequest): Promise<ProviderReply>
}

/** The models that can be asked now, first to last, or why there is none. */
export type ProviderAvailability = { kind: 'found'; models: string[] } | { kind: 'missing'; reason: string }

export interface ProviderRequest {
  model: string
  system: string
  text: string
  /** What the answer has to look like, as JSON schema. */
  schema: JsonSchema
  maxOutputTokens: number
  timeoutMs: number
  /** What the answer may cost, for a provider that can be told. */
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
  /** Without `spent` where nothing was told of it. */
  | { kind: 'said'; text: string; spent: TokenSpend | null }
  | {
      kind: 'failed'
      /** In two or three words, for the ledger: `timeout`, `http 500`. */
      result: string
      /** What the other side says about it. */
      detail: string
      /** Whether it may go better in a moment. */
      isPassing: boolean
      /** Null where nobody can tell: then it counts as what it may have cost. */
      spent: TokenSpend | null
    }

export interface TokenSpend {
  /** The model that really answered. */
  model: string
  inputTokens: number
  outputTokens: number
  /** As the provider itself tells it; null to have the tokens priced. */
  costUsd: number | null
}

export function failed(
  result: string,
  options: { detail?: string; isPassing?: boolean; spent?: TokenSpend | null } = {},
): ProviderReply {
  const { detail = '', isPassing = true, spent = noSpend } = options
  return { kind: 'failed', result, detail, isPassing, spent }
}

const noSpend: TokenSpend = { model: '', inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** The largest answer that is read, in bytes. */
export const maxAnswerBytes = 1024 * 1024

/** What a server says it has counted; where it says nothing, the estimate holds. */
export function tokenSpend(model: string, input: number | undefined, output: number | undefined): TokenSpend | null {
  if (!input && !output) return null
  return { model, inputTokens: input ?? 0, outputTokens: output ?? 0, costUsd: null }
}
