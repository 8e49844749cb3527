// The one rule of the engine: what is known of the server is written down, and then an item waits in the outbox exactly if it is to
// be there otherwise. Whatever was interrupted is put right by asking again.
import { markContradictions } from '../../learn/admission/team-conflicts.ts'
import { ensureQueued, markRefused, markSynced } from '../../store/sync/outbox.ts'
import { type ServerItem, saveServerItem, serverItem } from '../../store/sync/spaces.ts'
import { bucketOf, deletedHash, hashOfDocument, markOf } from '../item-hash.ts'
import type { MergeResult, SyncContext, SyncRefusal } from '../item-kind.ts'
import { syncedKind } from '../item-kinds.ts'
import { beginSyncChange } from '../kinds/merge-memory.ts'
import type { ItemDocument, SyncItem } from '../protocol.ts'
import { forgetSent, wasSent } from './item-notes.ts'

/** One transaction, and what belongs at its end. */
export function inSyncTransaction<T>(context: SyncContext, work: (context: SyncContext) => T): T {
  const { ledger } = context
  return ledger.transaction(() => {
    let arrival: number | undefined
    const arrived: NonNullable<SyncContext['arrived']> = []
    const result = work({
      ...context,
      arrived,
      arrival() {
        arrival ??= beginSyncChange(context, 'from the server')
        return arrival
      },
    })
    const last = arrived.at(-1)
    if (last)
      markContradictions(
        ledger,
        arrived.map(({ memory }) => memory),
        last.change,
      )
    return result
  })
}

/** An item that others shared, and one that is shared with others from here: both are known, the latter is not looked at. */
export const sharedKind = 'memory shared'
const projectionKind = 'projection'

export function itemKindOf({ kind }: Pick<ServerItem, 'kind'>): string {
  return kind === sharedKind ? 'memory' : kind
}

/** What the server has of an item comes in. Inside a step. */
export function applyRemote(context: SyncContext, space: string, item: SyncItem): MergeResult {
  const { ledger } = context
  const base = serverItem(ledger, space, item.id)
  const isKnown = base?.version === item.version && base.hash === item.hash
  const traveller = syncedKind(item.kind)
  if (!traveller || item.sharedBy?.isMine) {
    if (isKnown) return 'same'
    const kind = item.sharedBy?.isMine ? projectionKind : item.kind
    saveServerState(context, { space, id: item.id, kind, version: item.version, hash: item.hash, statement: '' })
    markSynced(ledger, space, item.id)
    return 'same'
  }
  const isAnswer = item.version === (base?.version ?? 0) + 1 && wasSent(ledger, space, item.id, item.hash)
  const isNew = !isKnown && !isAnswer
  const isCredited = !isNew && (traveller.updateAuthor?.(context, space, item) ?? false)
  if (isKnown && !isCredited) return 'same'
  const meeting = isNew
    ? traveller.mergeRemote(context, space, item, base && itemKindOf(base) === item.kind ? base : undefined)
    : 'same'
  // Nothing is known of it then, so nothing here can change or delete it there.
  if (meeting === 'not understood') return meeting
  const statement = item.document === null ? deletedHash : traveller.statementHash(item.document)
  const kind = item.sharedBy ? sharedKind : item.kind
  saveServerState(context, { space, id: item.id, kind, version: item.version, hash: item.hash, statement })
  refreshOutbox(context, space, item.kind, item.id)
  return meeting
}

/** The server has an older version than it had, or another one under the same number. */
export function isOlderThanKnown({ ledger }: SyncContext, space: string, { id, version, hash }: SyncItem): boolean {
  const base = serverItem(ledger, space, id)
  return base !== undefined && (version < base.version || (version === base.version && hash !== base.hash))
}

export function saveServerState({ ledger }: SyncContext, item: ServerItem): void {
  forgetSent(ledger, item.space, item.id)
  saveServerItem(ledger, { ...item, bucket: bucketOf(item.id), mark: markOf(item.id, item.hash) })
}

/** Whether it waits is found out anew. Inside a step. */
export function refreshOutbox(context: SyncContext, space: string, kind: string, id: string): void {
  const { ledger } = context
  // What this version cannot send waits for one that can.
  if (!syncedKind(kind)) return
  const wish = pendingChange(context, space, kind, id)
  if (wish.kind === 'refused') markRefused(ledger, { space, id, kind, refusal: { ...wish.refusal } })
  else if (wish.kind === 'as it is') markSynced(ledger, space, id)
  else ensureQueued(ledger, space, kind, id)
}

export type PendingChange =
  | { kind: 'as it is' }
  | { kind: 'refused'; refusal: SyncRefusal }
  | { kind: 'send'; document: ItemDocument | null; hash: string; base: ServerItem | undefined }

export function pendingChange(context: SyncContext, space: string, kind: string, id: string): PendingChange {
  const base = serverItem(context.ledger, space, id)
  const wanted = base?.kind === projectionKind ? undefined : syncedKind(kind)?.desiredState(context, space, id)
  if (!wanted || wanted.kind === 'theirs') return { kind: 'as it is' }
  if (wanted.kind === 'refused') return wanted
  const document = wanted.kind === 'document' ? wanted.document : null
  const hash = hashOfDocument(document)
  return hash === (base?.hash ?? deletedHash) ? { kind: 'as it is' } : { kind: 'send', document, hash, base }
}
