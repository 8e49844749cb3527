// Dismisses refused items on the user's command. Items of other users are restored to the server's
// state; the user's own stay on this machine and are not sent. The history keeps both.
import { UserError } from '../../core/errors.ts'
import { dismissRefusal, markSynced, type RefusedItem, refusedItems } from '../../store/sync/outbox.ts'
import { listSpaces } from '../../store/sync/spaces.ts'
import type { DiscardResult, SyncContext, SyncRefusal } from '../item-kind.ts'
import { syncedKind } from '../item-kinds.ts'
import { inSyncTransaction, refreshOutbox } from './engine.ts'

interface DismissedItem {
  space: string
  id: string
  kind: string
  /** The reason of the refusal. */
  message: string
  became: DiscardResult
}

/** Dismisses the item with this id, or all refused items. */
export function dismissRefusals(context: SyncContext, id?: string): DismissedItem[] {
  const refused = refusedItems(context.ledger).filter((item) => id === undefined || item.id === id)
  if (refused.length === 0)
    throw new UserError(
      id === undefined ? 'Nothing was refused' : `${id} was not refused`,
      'See: recollect sync --status',
      1,
    )
  return inSyncTransaction(context, (step) => refused.map((item) => dismissOne(step, item)))
}

function dismissOne(step: SyncContext, { space, id, kind, refusal }: RefusedItem): DismissedItem {
  const { ledger } = step
  const { message } = refusal as unknown as SyncRefusal
  const isJoined = listSpaces(ledger).some(({ name }) => name === space)
  const became = isJoined ? (syncedKind(kind)?.discardLocal?.(step, space, id) ?? 'stays') : 'gone'
  if (!isJoined) markSynced(ledger, space, id)
  else if (became === 'stays') dismissRefusal(ledger, space, id)
  else refreshOutbox(step, space, kind, id)
  return { space, id, kind, message, became }
}
