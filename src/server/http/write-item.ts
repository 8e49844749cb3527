// Writes single items for users and agents without a local copy: the item is read, and changed only
// if it is still the same.

import type { ShareDocument } from '../../sync/documents.ts'
import { shareIdOf } from '../../sync/item-hash.ts'
import type { ItemBase, ItemDocument, ItemKind, PushedItem, PushResult, SyncItem } from '../../sync/protocol.ts'
import type { Caller, Services, SpaceAccess } from '../context.ts'
import { RequestProblem } from '../request-problem.ts'
import { itemById } from '../store/items.ts'
import { count } from './metrics.ts'
import type { AppState } from './route.ts'

export interface WriteContext {
  services: Services
  state: AppState
  access: SpaceAccess
}

interface ItemWrite {
  id: string
  kind: ItemKind
  base: ItemBase | null
  document: ItemDocument | null
}

export type WriteResult =
  | { kind: 'stored'; item: SyncItem | undefined }
  /** Another write came first; this is the stored item. */
  | { kind: 'conflict'; current: SyncItem }
  /** Another item with the same text. */
  | { kind: 'duplicate'; of: SyncItem }

export async function writeItem({ services, state, access }: WriteContext, wish: ItemWrite): Promise<WriteResult> {
  const result = (await pushAndCount(state, access, [wish]))[0]!
  switch (result.status) {
    case 'stored':
      return { kind: 'stored', item: await itemById(services.database, access, wish.id) }
    case 'conflict':
      return { kind: 'conflict', current: result.current }
    case 'duplicate':
      return { kind: 'duplicate', of: result.of }
    case 'refused':
      throw refusalProblem(result)
    default:
      throw result satisfies never
  }
}

const statuses = { secret: 422, invalid: 422, 'too large': 413, 'not allowed': 403 } as const

function refusalProblem({ reason, message, rules }: PushResult & { status: 'refused' }): RequestProblem {
  const hint = rules?.length ? `Seen: ${rules.join(', ')}` : undefined
  return new RequestProblem(statuses[reason], reason.replace(' ', '_'), message, hint)
}

/** Includes deleted items; undefined for items of another kind. */
export async function findItem(
  { services, access }: Pick<WriteContext, 'services' | 'access'>,
  kind: ItemKind,
  id: string,
): Promise<SyncItem | undefined> {
  const item = await itemById(services.database, access, id)
  return item?.kind === kind ? item : undefined
}

/** Throws a problem if there is no such item or it is deleted. */
export async function requireItem(
  writing: Pick<WriteContext, 'services' | 'access'>,
  kind: ItemKind,
  id: string,
): Promise<SyncItem> {
  const item = await findItem(writing, kind, id)
  if (!item?.document) throw new RequestProblem(404, 'unknown_item', `There is no such ${kind}`)
  return item
}

/** All writes of the API go through here to be counted. */
export async function pushAndCount(
  { metrics, pushes, vectors }: AppState,
  access: SpaceAccess,
  items: readonly PushedItem[],
): Promise<PushResult[]> {
  const results = await pushes.apply(access, items)
  vectors.wake(access.spaceId)
  count(metrics, 'recollect_pushes_total')
  for (const { status } of results) count(metrics, 'recollect_pushed_items_total', { result: status })
  return results
}

export interface ShareContext extends WriteContext {
  caller: Caller
}

export async function writeShare(sharing: ShareContext, document: ShareDocument): Promise<SyncItem> {
  const { subject, with: target } = document
  if (target === `user:${sharing.caller.user}`) throw new RequestProblem(400, 'self', 'You cannot share with yourself')
  if (subject.kind === 'memory') await requireItem(sharing, 'memory', subject.id)
  const id = `share:${shareIdOf(document)}`
  const base = (await findItem(sharing, 'share', id)) ?? null
  const written = await writeItem(sharing, { id, kind: 'share', base, document })
  if (written.kind === 'stored' && written.item) return written.item
  throw new RequestProblem(409, 'conflict', 'Changed by another request', 'Try again.')
}

/** Succeeds if the share is already deleted. */
export async function deleteShare(writing: WriteContext, id: string): Promise<void> {
  const item = await findItem(writing, 'share', id)
  if (!item?.document) return
  const written = await writeItem(writing, { id, kind: 'share', base: item, document: null })
  if (written.kind === 'conflict') throw new RequestProblem(409, 'conflict', 'Changed by another request', 'Try again.')
}
