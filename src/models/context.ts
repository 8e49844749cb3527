// Asking a model, whichever there is: a schema goes in, a validated value and its cost come out.
import type * as z from 'zod'
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { Machine } from '../core/paths.ts'
import type { JudgeName } from '../core/settings.ts'
import type { Zone } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'

/** `try` is a person who looks whether a model answers. */
export type QuestionPurpose = 'memories' | 'journal' | 'consolidate' | 'lint' | 'ask' | 'wiki' | 'try'

export interface ModelQuestion<T> {
  purpose: QuestionPurpose
  /** The session that it is about, for the ledger of spend. */
  session: string | null
  /** What the model is to do. */
  system: string
  /** What it is to read: evidence, never instructions. It is redacted and cut before it goes out. */
  text: string
  /** To so many characters; 15,000 if not said. */
  maxTextLength?: number
  schema: z.ZodType<T>
  maxOutputTokens: number
  /** For what takes longer to write than providers wait otherwise. */
  timeoutMs?: number
}

/** A model in the order, as the user can have it or not. */
export type ProviderName = Exclude<JudgeName, 'heuristic' | 'claude-fork'>

export type ModelResponse<T> =
  | { kind: 'answered'; value: T; provider: ProviderName; model: string; costUsd: number }
  /** There is none to ask: not installed, not allowed, budget used up. The next judge in the order is right. */
  | { kind: 'unavailable'; reasons: ProviderReason[] }
  /** Those that were asked have failed: worth another try later. */
  | { kind: 'failed'; reasons: ProviderReason[] }

/** The same for a single provider. */
export type ProviderOutcome<T> =
  | Extract<ModelResponse<T>, { kind: 'answered' }>
  /** It cannot be asked as things are; asking again later does not help by itself. */
  | { kind: 'unfit'; reason: string }
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
  /** Waits between attempts; a test that has no time gives its own. */
  sleep?(ms: number): Promise<void>
}

/** What asking needs, with the rules of redaction loaded: they are large, so only who asks pays for them. */
export async function modelContext(from: Omit<ModelContext, 'redact' | 'sleep'>): Promise<ModelContext> {
  const { redact } = await import('../core/redact.ts')
  const { ledger, clock, config, machine, zone } = from
  return { ledger, clock, config, machine, zone, redact: (text) => redact([text]).texts[0]! }
}
