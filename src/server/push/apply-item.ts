// Applies one pushed item to the state: checks permission, decides, and adds the writes.

import { deletedHash } from '../../sync/item-hash.ts'
import type { ItemBase } from '../../sync/protocol.ts'
import { canSeeProject, type SpaceAccess } from '../context.ts'
import type { ItemHeader } from '../store/item-headers.ts'
import { type CheckedItem, type PushRefusal, refuse } from './check-item.ts'
import { applyShare, areSharedAlike, permissionIn, projectItem } from './projection.ts'
import { addWrite, duplicateOf, headerOf, type PushState, tombstoneFor } from './state.ts'

export type ItemOutcome =
  | { kind: 'stored'; version: number }
  | { kind: 'refused'; refused: PushRefusal }
  /** The result is the stored item: the item itself, or another one with the same text. */
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
  const isProjection = there?.isLive === true && there.sourceId !== null
  if (access.kind === 'shared' && !isProjection) {
    return refuse(id, 'not allowed', 'Only what others share with you is here.')
  }
  if (!isProjection) return undefined
  if (there.permission !== 'write') return refuse(id, 'not allowed', 'It is shared for reading, not for writing.')
  return document === null ? refuse(id, 'not allowed', 'Only whose it is can delete it.') : undefined
}

function write(state: PushState, access: SpaceAccess, item: CheckedItem, version: number): ItemOutcome {
  const there = headerOf(state, access.spaceId, item.id)
  if (there?.sourceId && !there.isLive) {
    return { kind: 'refused', refused: refuse(item.id, 'not allowed', 'Its owner no longer shares it.') }
  }
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

/**
 * Writes to the source space; the shared copy is updated by projection, as for every other reader.
 */
function writeToSource(state: PushState, access: SpaceAccess, item: CheckedItem, sourceId: string): ItemOutcome {
  const { id, document } = item
  const source = headerOf(state, sourceId, id)
  if (!source?.isLive) throw new Error('A shared item is not where it is shared from')
  if (permissionIn(state, access.spaceId, source) !== 'write') {
    return { kind: 'refused', refused: refuse(id, 'not allowed', 'It is no longer shared for writing.') }
  }
  const header = newHeader(item, access, { spaceId: sourceId, version: source.version + 1 })
  // Tags can decide with whom a memory is shared, so another user must not change that effect.
  if (!areSharedAlike(state, source, header)) {
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

/** The stored state of an item. */
export interface CurrentState {
  version: number
  hash: string
}

/** The pushed state of an item. */
interface ProposedState {
  base: ItemBase | null
  hash: string
}

type PushDecision =
  /** The content is already stored. */
  | { kind: 'same'; version: number }
  | { kind: 'write'; version: number }
  /** Another item has the same text. */
  | { kind: 'duplicate' }
  | { kind: 'conflict' }

/**
 * Compare-and-swap on version and hash. Neither suffices alone: a restored database repeats version
 * numbers, and a repeated request must not undo what came between. `hasTwin`: another live memory
 * of the space has the same text.
 */
export function decideWrite(present: CurrentState | undefined, wish: ProposedState, hasTwin: boolean): PushDecision {
  const { base, hash } = wish
  if (!present) {
    const known = base?.version ?? 0
    // A deletion of an unknown item stores no tombstone.
    if (hash === deletedHash) return { kind: 'same', version: known }
    return base === null && hasTwin ? { kind: 'duplicate' } : { kind: 'write', version: known + 1 }
  }
  if (present.hash === hash) return { kind: 'same', version: present.version }
  if (base?.version === present.version && base.hash === present.hash) {
    return { kind: 'write', version: present.version + 1 }
  }
  return { kind: 'conflict' }
}
