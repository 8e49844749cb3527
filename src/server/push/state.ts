// What a push holds under lock: the spaces, what is in them, and what it is going to write. Decisions are made on this, item by item, and
// see what the items before them have changed; the database is written once, at the end.
import { deletedHash } from '../../sync/item-hash.ts'
import type { ItemDocument } from '../../sync/protocol.ts'
import type { IndexFields } from '../search/index-fields.ts'
import type { ItemHeader, LockedSpace } from '../store/item-headers.ts'
import type { ShareRule, ShareTarget } from '../store/shares.ts'

export interface PushState {
  spaces: readonly LockedSpace[]
  /** By space and id. */
  headers: Map<string, ItemHeader>
  /** By space and what they say: ids of memories. */
  idsByText: Map<string, Set<string>>
  rules: ShareRule[]
  /** Whether this push has changed them: what they concern is then brought where they want it, at its end. */
  hasRuleChanges: boolean
  /** What the shares of this push name. */
  targets: ReadonlyMap<string, ShareTarget>
  /** In the order in which they get their numbers. */
  pending: Map<string, PendingWrite>
}

export interface PendingWrite {
  header: ItemHeader
  /** Undefined: as the space that it is shared from has it. */
  document: ItemDocument | null | undefined
  /** Where it is known already. */
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
  }
  for (const header of found.headers) indexHeader(state, header)
  return state
}

export function headerOf(state: PushState, spaceId: string, id: string): ItemHeader | undefined {
  return state.headers.get(keyOf(spaceId, id))
}

/** What it is going to be, where this push changes it. */
export function pendingWriteOf(state: PushState, { spaceId, id }: ItemHeader): PendingWrite | undefined {
  return state.pending.get(keyOf(spaceId, id))
}

/** Another memory of the space that says the same. */
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
  // Written again, it takes its place behind what was written meanwhile.
  state.pending.delete(key)
  state.pending.set(key, pending)
  indexHeader(state, pending.header)
}

/** What is left of an item: who may know of it is still told by its project. */
export function tombstoneFor(header: ItemHeader, authorId: number): PendingWrite {
  const version = header.version + 1
  const gone = {
    hash: deletedHash,
    tags: [],
    textHash: null,
    isLive: false,
    isKept: false,
    sourceId: null,
    permission: null,
  }
  return { header: { ...header, ...gone, version, authorId }, document: null }
}

function indexHeader(state: PushState, header: ItemHeader): void {
  const key = keyOf(header.spaceId, header.id)
  const before = state.headers.get(key)?.textHash
  if (before) state.idsByText.get(keyOf(header.spaceId, before))?.delete(header.id)
  // What is only shown in a space goes with its share: nothing can become that.
  if (header.textHash && header.sourceId === null) {
    const said = keyOf(header.spaceId, header.textHash)
    state.idsByText.set(said, (state.idsByText.get(said) ?? new Set()).add(header.id))
  }
  state.headers.set(key, header)
}

function keyOf(spaceId: string, rest: string): string {
  return `${spaceId} ${rest}`
}
