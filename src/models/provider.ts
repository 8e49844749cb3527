// The contract of a provider: how to find out whether it can be asked, and how to ask it once. Everything else (consent,
// budget, attempts, repair, the ledger of spend) is the same for all of them and lies in ask.ts.
import type { ModelContext, ProviderName } from './model.ts'

export interface Provider {
  name: ProviderName
  /** How long one answer may take. */
  timeoutMs: number
  find(context: ModelContext): Promise<Found>
  /** One request, one reply; what goes wrong is a reply too. */
  ask(context: ModelContext, request: Request): Promise<Reply>
}

/** The models that can be asked now, first to last, or why there is none. */
export type Found = { kind: 'found'; models: string[] } | { kind: 'missing'; reason: string }

export interface Request {
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

export type JsonSchema = Record<string, unknown>

export type Reply =
  /** Without `spent` where nothing was told of it. */
  | { kind: 'said'; text: string; spent: Spent | null }
  | {
      kind: 'failed'
      /** In two or three words, for the ledger: `timeout`, `http 500`. */
      result: string
      /** What the other side says about it. */
      detail: string
      /** Whether it may go better in a moment. */
      isPassing: boolean
      /** Null where nobody can tell: then it counts as what it may have cost. */
      spent: Spent | null
    }

export interface Spent {
  /** The model that really answered. */
  model: string
  inputTokens: number
  outputTokens: number
  /** As the provider itself tells it; null to have the tokens priced. */
  costUsd: number | null
}

export function failed(
  result: string,
  options: { detail?: string; isPassing?: boolean; spent?: Spent | null } = {},
): Reply {
  const { detail = '', isPassing = true, spent = nothing } = options
  return { kind: 'failed', result, detail, isPassing, spent }
}

const nothing: Spent = { model: '', inputTokens: 0, outputTokens: 0, costUsd: 0 }

/** The largest answer that is read, in bytes. */
export const maxAnswerBytes = 1024 * 1024

/** What a server says it has counted; where it says nothing, the estimate holds. */
export function spentOf(model: string, input: number | undefined, output: number | undefined): Spent | null {
  if (!input && !output) return null
  return { model, inputTokens: input ?? 0, outputTokens: output ?? 0, costUsd: null }
}
