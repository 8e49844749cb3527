// The contract between the sync engine and the kinds of items (memories, practices, shares …). The
// engine handles batches, cursors and failures; a kind knows what an item means on this machine.
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import type { Memory } from '../memory/memory.ts'
import type { Ledger } from '../store/ledger.ts'
import type { ItemDocument, ItemKind, SyncItem } from './protocol.ts'

export interface SyncContext {
  ledger: Ledger
  clock: Clock
  config: Config
  /** The name of this machine. */
  origin: string
  /** This machine's home folder. Documents contain `~` instead, since it differs elsewhere. */
  home?: string
  redact(texts: readonly string[]): { texts: string[]; counts: Record<string, number> }
  /** Set while a sync transaction is open. */
  transaction?: SyncTransaction
}

/** State that kinds share within one transaction of the engine. */
interface SyncTransaction {
  /** The change that records all memories added by this transaction; begun on first use. */
  receivedChange?: number
  /** Memories of other users that were added, changed or removed, each with its change. */
  receivedMemories: { memory: Memory; change: number }[]
}

/** The last known state of an item on the server. */
export interface ServerState {
  version: number
  hash: string
  /** Hash of the statement alone; see `SyncedKind.statementHash`. */
  statement: string
}

/** The state that the server should have, as seen from this machine. */
export type DesiredState =
  | { kind: 'document'; document: ItemDocument }
  /** The item should be deleted: it was forgotten, does not exist, or is private. */
  | { kind: 'absent' }
  /** Leave the server's state alone: the item is in another space here, or known to be equal. */
  | { kind: 'unmanaged' }
  /** The item must not be sent in its current form. */
  | { kind: 'refused'; refusal: SyncRefusal }

export interface SyncRefusal {
  reason: 'secret' | 'invalid' | 'too large' | 'not allowed'
  message: string
  /** Names of the redaction rules that matched; never the text. */
  rules?: string[]
}

/** All methods but `statementHash` run inside a sync transaction. */
export interface SyncedKind {
  kind: ItemKind
  /**
   * Ids of all local items of this kind in a space, for a full comparison. May run outside a
   * transaction.
   */
  idsIn(context: SyncContext, space: string): Iterable<string>
  /**
   * Enqueues some of the items that changed without being enqueued. Returns whether there were any.
   */
  enqueueChanged?(context: SyncContext, space: string): boolean
  desiredState(context: SyncContext, space: string, id: string): DesiredState
  /** Hash of the part that must survive concurrent edits. */
  statementHash(document: ItemDocument | null): string
  /**
   * Three-way merge of the server's state into the local one; `base` is the last common state.
   * Writes the result locally. The engine then compares `desiredState` again to decide whether
   * something has to be sent.
   */
  mergeRemote(context: SyncContext, space: string, item: SyncItem, base: ServerState | undefined): MergeResult
  /** Takes over the author that the server names for known content. Returns whether it differed. */
  updateAuthor?(context: SyncContext, space: string, item: SyncItem): boolean
  /**
   * The server has the same content under another id: replaces the local item by that one.
   * Returns false if the other is known not to hold any more. Called after it was merged.
   */
  adoptDuplicate?(context: SyncContext, space: string, id: string, duplicateOf: SyncItem): boolean
  /**
   * The user dismissed a refused item: restores the server's state. Without it the item is kept.
   */
  discardLocal?(context: SyncContext, space: string, id: string): DiscardResult
  /** The item is no longer visible on the server: removes it if it belongs to other users. */
  removeUnshared?(context: SyncContext, space: string, id: string): void
  /** This machine lost access to the space: removes its items. */
  removeSpace?(context: SyncContext, space: string): void
  /** The project of a local item; null if it has none. Without it the kind has no projects. */
  projectOf?(context: SyncContext, id: string): string | null
  /** Runs at the end of every sync transaction. */
  beforeCommit?(context: SyncContext): void
}

/** `back`: restored from the server. `gone`: the server has none. `stays`: unchanged. */
export type DiscardResult = 'back' | 'gone' | 'stays'

/**
 * `conflict`: two users changed the item at once, and both versions were kept.
 * `unsupported`: this version of the program cannot read the document; nothing was written.
 */
export type MergeResult = 'unchanged' | 'applied' | 'merged' | 'conflict' | 'unsupported'
