// Types for asking a model: a schema goes in, a validated value and its cost come out.
import type * as z from 'zod'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import type { JudgeName } from '../core/config/settings.ts'
import type { Machine } from '../core/paths.ts'
import type { Zone } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'

/** `memories` judges a session, or a part of one; `try` is a test by the user. */
export type QuestionPurpose = 'memories' | 'journal' | 'consolidate' | 'lint' | 'ask' | 'wiki' | 'try'

/** Everything that models are paid for. */
export type SpendPurpose = QuestionPurpose | 'vectors'

export interface ModelQuestion<T> {
  purpose: QuestionPurpose
  /** For the ledger of spend. */
  session: string | null
  /** The task. */
  system: string
  /** Evidence to read, never instructions. Redacted and truncated before it is sent. */
  text: string
  /** Part of `text` that a person wrote, from 0 to 1; for the ledger of spend. */
  personShare?: number
  /** In characters; 15,000 by default. */
  maxTextLength?: number
  schema: z.ZodType<T>
  maxOutputTokens: number
  /** For answers that take longer than the timeout of the provider. */
  timeoutMs?: number
}

/** A judge that is a model. */
export type ProviderName = Exclude<JudgeName, 'heuristic' | 'claude-fork'>

export type ModelResponse<T> =
  /** `call` is its row in the ledger of spend. */
  | { kind: 'answered'; value: T; provider: ProviderName; model: string; costUsd: number; call?: number }
  /**
   * No provider can be asked. The next judge in the order takes over. `obstacle` is missing if no
   * provider is allowed: then no answer was expected.
   */
  | { kind: 'unavailable'; reasons: ProviderReason[]; obstacle?: ModelObstacle }
  /** Providers were asked and failed; worth another try later. */
  | { kind: 'failed'; reasons: ProviderReason[] }

/** What keeps the allowed providers from answering. */
export type ModelObstacle =
  /** They fail, or nothing answers. */
  | 'outage'
  /** A key, login, program or model is missing or refused: the user has to act. */
  | 'access'
  /** The limits of the day are reached. */
  | 'budget'

/** The same for a single provider. */
export type ProviderOutcome<T> =
  | Extract<ModelResponse<T>, { kind: 'answered' }>
  /** It cannot be asked as things are. Without an obstacle the user has not allowed it. */
  | { kind: 'unfit'; reason: string; obstacle?: ModelObstacle }
  | { kind: 'failed'; reason: string }

export interface ProviderReason {
  provider: ProviderName
  reason: string
}

export interface ModelContext {
  ledger: Ledger
  clock: Clock
  config: Config
  machine: Machine
  zone: Zone
  redact(text: string): string
  /** Waits between attempts, and the timeout of an answer; tests pass their own. */
  sleep?(ms: number): Promise<void>
  timeoutMs?: number
}

/** Loads the redaction rules, which are large, only when a model is asked. */
export async function modelContext(from: Omit<ModelContext, 'redact' | 'sleep' | 'timeoutMs'>): Promise<ModelContext> {
  const { redact } = await import('../core/redact/redact.ts')
  const { ledger, clock, config, machine, zone } = from
  return { ledger, clock, config, machine, zone, redact: (text) => redact([text]).texts[0]! }
}
