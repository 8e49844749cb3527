// What the journal needs from its caller.
import type { Clock } from '../core/clock.ts'
import type { Zone } from '../core/units.ts'
import type { ModelQuestion, ModelResponse } from '../models/context.ts'
import type { Ledger } from '../store/ledger.ts'
import type { SegmentContents } from './segment-contents.ts'

export interface JournalContext {
  ledger: Ledger
  clock: Clock
  zone: Zone
  /** Undefined if no model may be asked. */
  ask?: AskModel
  /** Sessions whose text another stage has read before. */
  readBefore?: Map<string, SegmentContents>
  /** A model is asked only about sessions of the last days; default 3. */
  freshDays?: number
}

export type AskModel = <T>(question: ModelQuestion<T>) => Promise<ModelResponse<T>>
