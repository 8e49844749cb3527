// What was refused is given up, because a person says so. What others gave is again as they gave it; what is one's own stays as it
// is here and is not sent. What was said stays in the history in either case.
import { UserError } from '../../core/errors.ts'
import { dismissRefusal, markSynced, type RefusedItem, refusedItems } from '../../store/sync/outbox.ts'
import { listSpaces } from '../../store/sync/spaces.ts'
import type { DiscardResult, SyncContext, SyncRefusal } from '../item-kind.ts'
import { syncedKind } from '../item-kinds.ts'
import { inSyncTransaction, refreshOutbox } from './engine.ts'

export interface DismissedItem {
  space: string
  id: string
  kind: string
  /** Why it was refused. */
  message: string
  became: DiscardResult
}

/** One by its id, or all of them. */
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
