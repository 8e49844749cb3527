// How the items of one kind leave this machine and come into it. The engine knows batches, cursors and failures; a traveller
// knows what an item means here.
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import type { ItemDocument, ItemKind, SyncItem } from './protocol.ts'

export interface SyncContext {
  ledger: Ledger
  clock: Clock
  config: Config
  /** The name of this machine. */
  origin: string
  /** The home folder here: elsewhere it is another. */
  home?: string
  redact(texts: readonly string[]): { texts: string[]; counts: Record<string, number> }
  /** The change for all that is new here in this transaction, begun when it is first asked for. */
  arrival?(): number
  /** Memories of others that came, changed or went in this transaction, and in which change. */
  arrived?: { memory: Memory; change: number }[]
}

/** What was last known to be on the server. */
export interface ServerState {
  version: number
  hash: string
  /** Of the words alone. */
  statement: string
}

export type DesiredState =
  | { kind: 'document'; document: ItemDocument }
  /** It is not to be there: forgotten, gone, or private. */
  | { kind: 'nothing' }
  /** Whatever the server has in this space is right: it lies elsewhere here, or is known to be the same. */
  | { kind: 'theirs' }
  /** It must not leave as it is. */
  | { kind: 'refused'; refusal: SyncRefusal }

export interface SyncRefusal {
  reason: 'secret' | 'invalid' | 'too large' | 'not allowed'
  message: string
  /** Rules that caught a secret; never its text. */
  rules?: string[]
}

export interface SyncedKind {
  kind: ItemKind
  /** Every item of this kind here that belongs to a space, in pieces: for reconciling. */
  idsIn(context: SyncContext, space: string): Iterable<string>
  /** Puts into the outbox some of what has changed while nobody said so; whether there was anything. Called inside a transaction. */
  enqueueChanged?(context: SyncContext, space: string): boolean
  /** How the server is to have it. */
  desiredState(context: SyncContext, space: string, id: string): DesiredState
  /** A hash of what must not be lost when two people change it at once. */
  statementHash(document: ItemDocument | null): string
  /**
   * What the server has meets what is here; `base` is what both had before, if anything. Writes what has to be written here. Whether
   * something is left to send is found by the engine: it asks `wanted` again and compares. Called inside a transaction.
   */
  mergeRemote(context: SyncContext, space: string, item: SyncItem, base: ServerState | undefined): MergeResult
  /** What was known already came again: who wrote it is told by the server. Whether that is new here. Called inside a transaction. */
  updateAuthor?(context: SyncContext, space: string, item: SyncItem): boolean
  /**
   * The server has the same under another id: what is here becomes that, unless it is known here that the other holds no longer.
   * Called inside a transaction, after the two have met.
   */
  adoptDuplicate?(context: SyncContext, space: string, id: string, of: SyncItem): boolean
  /**
   * It will not be sent, because a person says so: what is here becomes what the server has. Without it, or where it is one's own, it
   * stays as it is. Called inside a transaction.
   */
  discardLocal?(context: SyncContext, space: string, id: string): DiscardResult
  /** It can no longer be seen there: what others gave goes. Called inside a transaction. */
  removeUnshared?(context: SyncContext, space: string, id: string): void
  /** This machine has left the space: what lay in it goes. Called inside a transaction. */
  removeSpace?(context: SyncContext, space: string): void
}

/** `back`: as the server has it. `gone`: the server has none. `stays`: as it is here. */
export type DiscardResult = 'back' | 'gone' | 'stays'

/**
 * `both` where two people changed it at once, and both versions were kept; `not understood` where it has a form that this version
 * of the program does not know, and nothing was written.
 */
export type MergeResult = 'same' | 'taken' | 'merged' | 'both' | 'not understood'
