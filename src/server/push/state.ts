// The state of a push: locked spaces, headers of the items, and pending writes. Items are applied
// to it one by one and see the effects of earlier ones; it is saved once at the end.
import { deletedHash } from '../../sync/item-hash.ts'
import type { ItemDocument } from '../../sync/protocol.ts'
import type { IndexFields } from '../search/index-fields.ts'
import type { ItemHeader, LockedSpace } from '../store/item-headers.ts'
import type { ShareRule, ShareTarget } from '../store/shares.ts'

export interface PushState {
  spaces: readonly LockedSpace[]
  /** Keyed by space and id. */
  headers: Map<string, ItemHeader>
  /** Ids of memories by space and text hash. */
  idsByText: Map<string, Set<string>>
  rules: ShareRule[]
  /** Set when this push changes the rules: all affected memories are projected at the end. */
  hasRuleChanges: boolean
  /** The targets of the pushed shares by name. */
  targets: ReadonlyMap<string, ShareTarget>
  /** In the order of their sequence numbers. */
  pending: Map<string, PendingWrite>
  /** Every write, also those that a later one of the same item replaced. */
  writes: PendingWrite[]
}

export interface PendingWrite {
  header: ItemHeader
  /** Undefined: the document of the space that it is shared from. */
  document: ItemDocument | null | undefined
  /** Set if already computed. */
  indexed?: IndexFields
}

export function createState(found: {
  spaces: readonly LockedSpace[]
  headers: readonly ItemHeader[]
  rules: ShareRule[]
  targets: ReadonlyMap<string, ShareTarget>
}): PushState {
  const state: PushState = {
    ...found,
    hasRuleChanges: false,
    headers: new Map(),
    idsByText: new Map(),
    pending: new Map(),
    writes: [],
  }
  for (const header of found.headers) indexHeader(state, header)
  return state
}

export function headerOf(state: PushState, spaceId: string, id: string): ItemHeader | undefined {
  return state.headers.get(keyOf(spaceId, id))
}

/** The pending write of an item, if any. */
export function pendingWriteOf(state: PushState, { spaceId, id }: ItemHeader): PendingWrite | undefined {
  return state.pending.get(keyOf(spaceId, id))
}

/** Another memory of the space with the same text. */
export function duplicateOf(
  state: PushState,
  spaceId: string,
  textHash: string | null,
  id: string,
): string | undefined {
  if (textHash === null) return undefined
  return [...(state.idsByText.get(keyOf(spaceId, textHash)) ?? [])].find((other) => other !== id)
}

export function addWrite(state: PushState, pending: PendingWrite): void {
  const key = keyOf(pending.header.spaceId, pending.header.id)
  // A second write moves the item to the end of the order.
  state.pending.delete(key)
  state.pending.set(key, pending)
  state.writes.push(pending)
  indexHeader(state, pending.header)
}

/**
 * Keeps the project, which decides who may see the tombstone, and the source of a shared copy, so
 * that only its owner can bring it back.
 */
export function tombstoneFor(header: ItemHeader, authorId: number): PendingWrite {
  const version = header.version + 1
  const gone = {
    hash: deletedHash,
    tags: [],
    textHash: null,
    isLive: false,
    isKept: false,
    permission: null,
  }
  return { header: { ...header, ...gone, version, authorId }, document: null }
}

function indexHeader(state: PushState, header: ItemHeader): void {
  const key = keyOf(header.spaceId, header.id)
  const before = state.headers.get(key)?.textHash
  if (before) state.idsByText.get(keyOf(header.spaceId, before))?.delete(header.id)
  // Projected items vanish with their share, so they do not count as duplicates.
  if (header.textHash && header.sourceId === null) {
    const said = keyOf(header.spaceId, header.textHash)
    state.idsByText.set(said, (state.idsByText.get(said) ?? new Set()).add(header.id))
  }
  state.headers.set(key, header)
}

function keyOf(spaceId: string, rest: string): string {
  return `${spaceId} ${rest}`
}
