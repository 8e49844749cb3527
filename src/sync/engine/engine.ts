// Applies server state to this machine and keeps the outbox correct. One rule: record what the
// server has, then queue the item if and only if its desired state differs. An interrupted run is
// repaired by evaluating the rule again.
import { ensureQueued, markRefused, markSynced } from '../../store/sync/outbox.ts'
import { type ServerItem, saveServerItem, serverItem, sharedKind } from '../../store/sync/spaces.ts'
import { bucketOf, deletedHash, hashOfDocument, markOf } from '../item-hash.ts'
import type { MergeResult, SyncContext, SyncRefusal } from '../item-kind.ts'
import { syncedKind, syncedKinds } from '../item-kinds.ts'
import type { ItemDocument, SyncItem } from '../protocol.ts'
import { forgetSent, wasSent } from './item-notes.ts'

/** Runs `work` in one transaction that ends with the `beforeCommit` steps of all kinds. */
export function inSyncTransaction<T>(context: SyncContext, work: (context: SyncContext) => T): T {
  return context.ledger.transaction(() => {
    const step: SyncContext = { ...context, transaction: { receivedMemories: [] } }
    const result = work(step)
    for (const kind of syncedKinds) kind.beforeCommit?.(step)
    return result
  })
}

/**
 * Stored kinds of shared items: `sharedKind` for memories that other users share, `projectionKind`
 * for the copies of our own memories in other spaces, which are recorded but never compared.
 */
const projectionKind = 'projection'

export function itemKindOf({ kind }: Pick<ServerItem, 'kind'>): string {
  return kind === sharedKind ? 'memory' : kind
}

/** Merges the server's state of an item. Call inside a sync transaction. */
export function applyRemote(context: SyncContext, space: string, item: SyncItem): MergeResult {
  const { ledger } = context
  const base = serverItem(ledger, space, item.id)
  const isKnown = base?.version === item.version && base.hash === item.hash
  const synced = syncedKind(item.kind)
  if (!synced || item.sharedBy?.isMine) {
    if (isKnown) return 'unchanged'
    const kind = item.sharedBy?.isMine ? projectionKind : item.kind
    saveServerState(context, { space, id: item.id, kind, version: item.version, hash: item.hash, statement: '' })
    markSynced(ledger, space, item.id)
    return 'unchanged'
  }
  const isAnswer = item.version === (base?.version ?? 0) + 1 && wasSent(ledger, space, item.id, item.hash)
  const isNew = !isKnown && !isAnswer
  const isAuthorUpdated = !isNew && (synced.updateAuthor?.(context, space, item) ?? false)
  if (isKnown && !isAuthorUpdated) return 'unchanged'
  const result = isNew
    ? synced.mergeRemote(context, space, item, base && itemKindOf(base) === item.kind ? base : undefined)
    : 'unchanged'
  // Without a recorded state this machine can neither change nor delete the item on the server.
  if (result === 'unsupported') return result
  const statement = item.document === null ? deletedHash : synced.statementHash(item.document)
  const kind = item.sharedBy ? sharedKind : item.kind
  saveServerState(context, { space, id: item.id, kind, version: item.version, hash: item.hash, statement })
  refreshOutbox(context, space, item.kind, item.id)
  return result
}

/** The server returned an older version than before, or another content under the same version. */
export function isOlderThanKnown({ ledger }: SyncContext, space: string, { id, version, hash }: SyncItem): boolean {
  const base = serverItem(ledger, space, id)
  return base !== undefined && (version < base.version || (version === base.version && hash !== base.hash))
}

export function saveServerState({ ledger }: SyncContext, item: ServerItem): void {
  forgetSent(ledger, item.space, item.id)
  saveServerItem(ledger, { ...item, bucket: bucketOf(item.id), mark: markOf(item.id, item.hash) })
}

/**
 * Queues, refuses or dequeues an item by comparing its desired state. Call inside a transaction.
 */
export function refreshOutbox(context: SyncContext, space: string, kind: string, id: string): void {
  const { ledger } = context
  // Items of unknown kinds stay queued for a newer version of the program.
  if (!syncedKind(kind)) return
  const change = pendingChange(context, space, kind, id)
  if (change.kind === 'refused') markRefused(ledger, { space, id, kind, refusal: { ...change.refusal } })
  else if (change.kind === 'none') markSynced(ledger, space, id)
  else ensureQueued(ledger, space, kind, id)
}

type PendingChange =
  | { kind: 'none' }
  | { kind: 'refused'; refusal: SyncRefusal }
  | { kind: 'send'; document: ItemDocument | null; hash: string; base: ServerItem | undefined }

export function pendingChange(context: SyncContext, space: string, kind: string, id: string): PendingChange {
  const base = serverItem(context.ledger, space, id)
  const desired = base?.kind === projectionKind ? undefined : syncedKind(kind)?.desiredState(context, space, id)
  if (!desired || desired.kind === 'unmanaged') return { kind: 'none' }
  if (desired.kind === 'refused') return desired
  const document = desired.kind === 'document' ? desired.document : null
  const hash = hashOfDocument(document)
  return hash === (base?.hash ?? deletedHash) ? { kind: 'none' } : { kind: 'send', document, hash, base }
}
