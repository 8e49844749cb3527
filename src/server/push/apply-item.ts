// One item of a push, on what is state: who may, what is decided, and what is going to be written for it.

import { deletedHash } from '../../sync/item-hash.ts'
import type { ItemBase } from '../../sync/protocol.ts'
import { canSeeProject, type SpaceAccess } from '../caller.ts'
import type { ItemHeader } from '../store/item-headers.ts'
import { type CheckedItem, type PushRefusal, refuse } from './check-item.ts'
import { applyShare, permissionIn, projectItem } from './projection.ts'
import { addWrite, duplicateOf, headerOf, type PushState, tombstoneFor } from './state.ts'

export type ItemOutcome =
  | { kind: 'stored'; version: number }
  | { kind: 'refused'; refused: PushRefusal }
  /** What is there is the answer: the item itself, or another one that says the same. */
  | { kind: 'conflict' | 'duplicate'; with: string }

export function applyItem(state: PushState, access: SpaceAccess, item: CheckedItem): ItemOutcome {
  const { id } = item
  const there = headerOf(state, access.spaceId, id)
  const twin = duplicateOf(state, access.spaceId, item.indexed.textHash, id)
  const unseen = there && visibilityRefusal(access, there, item)
  if (unseen) return { kind: 'refused', refused: unseen }
  const decision = decideWrite(there, item, twin !== undefined)
  if (decision.kind === 'same') return { kind: 'stored', version: decision.version }
  const refused = writeRefusal(access, there, item)
  if (refused) return { kind: 'refused', refused }
  if (decision.kind === 'conflict') return { kind: 'conflict', with: id }
  if (decision.kind === 'duplicate') return { kind: 'duplicate', with: twin! }
  return write(state, access, item, decision.version)
}

function visibilityRefusal(access: SpaceAccess, there: ItemHeader, { id, kind }: CheckedItem): PushRefusal | undefined {
  if (!canSeeProject(access, there.project)) return refuse(id, 'not allowed', 'You have no access to its project.')
  return there.kind === kind ? undefined : refuse(id, 'invalid', 'Something else has this id.')
}

function writeRefusal(
  access: SpaceAccess,
  there: ItemHeader | undefined,
  { id, document }: CheckedItem,
): PushRefusal | undefined {
  const isProjection = there !== undefined && there.sourceId !== null
  if (access.kind === 'shared' && !isProjection) {
    return refuse(id, 'not allowed', 'Only what others share with you is here.')
  }
  if (!isProjection) return undefined
  if (there.permission !== 'write') return refuse(id, 'not allowed', 'It is shared for reading, not for writing.')
  return document === null ? refuse(id, 'not allowed', 'Only whose it is can delete it.') : undefined
}

function write(state: PushState, access: SpaceAccess, item: CheckedItem, version: number): ItemOutcome {
  const there = headerOf(state, access.spaceId, item.id)
  if (there?.sourceId) return writeToSource(state, access, item, there.sourceId)
  const refused = item.kind === 'share' ? applyShare(state, access, item) : undefined
  if (refused) return { kind: 'refused', refused }
  if (item.document === null) addWrite(state, tombstoneFor(there!, access.userId))
  else {
    const header = newHeader(item, access, { spaceId: access.spaceId, version })
    addWrite(state, { header, document: item.document, indexed: item.indexed })
  }
  if (access.kind === 'personal') projectItem(state, access.spaceId, item.id)
  return { kind: 'stored', version }
}

/** It is changed where it comes from, and comes back from there like to everybody else. */
function writeToSource(state: PushState, access: SpaceAccess, item: CheckedItem, sourceId: string): ItemOutcome {
  const { id, document } = item
  const source = headerOf(state, sourceId, id)
  if (!source?.isLive) throw new Error('A shared item is not where it is shared from')
  if (permissionIn(state, access.spaceId, source) !== 'write') {
    return { kind: 'refused', refused: refuse(id, 'not allowed', 'It is no longer shared for writing.') }
  }
  const header = newHeader(item, access, { spaceId: sourceId, version: source.version + 1 })
  // A tag can be what it is shared by: whoever else gets to see it is not for this person to say.
  if (state.spaces.some((space) => permissionIn(state, space.id, source) !== permissionIn(state, space.id, header))) {
    return {
      kind: 'refused',
      refused: refuse(id, 'not allowed', 'Only whose it is can change with whom it is shared.'),
    }
  }
  addWrite(state, { header, document })
  projectItem(state, sourceId, id)
  return { kind: 'stored', version: headerOf(state, access.spaceId, id)!.version }
}

function newHeader(item: CheckedItem, access: SpaceAccess, place: { spaceId: string; version: number }): ItemHeader {
  const { id, kind, hash, document, indexed } = item
  const { project, tags, textHash } = indexed
  const isKept = document?.state === 'kept'
  const of = { authorId: access.userId, sourceId: null, permission: null }
  return { ...place, id, kind, hash, project, tags, textHash, isLive: true, isKept, ...of }
}

// What becomes of one pushed item, given what is there. Neither versions nor hashes are trusted alone: a database that was restored
// from a backup counts the same versions again, and a request that arrives twice must not undo what came between.

/** What the space has under an id. */
export interface CurrentState {
  version: number
  hash: string
}

/** What somebody wants to be there. */
export interface ProposedState {
  base: ItemBase | null
  hash: string
}

export type PushDecision =
  /** It is there already. */
  | { kind: 'same'; version: number }
  | { kind: 'write'; version: number }
  /** Another one says it. */
  | { kind: 'duplicate' }
  | { kind: 'conflict' }

/** `hasTwin`: another live memory of the space says the same. */
export function decideWrite(present: CurrentState | undefined, wish: ProposedState, hasTwin: boolean): PushDecision {
  const { base, hash } = wish
  if (!present) {
    const known = base?.version ?? 0
    // Nothing is left of what never was here: a tombstone of it would only be kept for ever.
    if (hash === deletedHash) return { kind: 'same', version: known }
    return base === null && hasTwin ? { kind: 'duplicate' } : { kind: 'write', version: known + 1 }
  }
  if (present.hash === hash) return { kind: 'same', version: present.version }
  if (base?.version === present.version && base.hash === present.hash) {
    return { kind: 'write', version: present.version + 1 }
  }
  return { kind: 'conflict' }
}
