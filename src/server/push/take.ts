// One item of a push, on what is held: who may, what is decided, and what is going to be written for it.
import { type Access, maySee } from '../caller.ts'
import type { Head } from '../store/heads.ts'
import { type Refused, refuse, type Wanted } from './check.ts'
import { decide } from './decide.ts'
import { type Held, headOf, put, tombstoneOf, twinOf } from './held.ts'
import { permissionIn, project } from './project.ts'
import { applyShare } from './share.ts'

export type Taken =
  | { kind: 'stored'; version: number }
  | { kind: 'refused'; refused: Refused }
  /** What is there is the answer: the item itself, or another one that says the same. */
  | { kind: 'conflict' | 'duplicate'; with: string }

export function take(held: Held, access: Access, wanted: Wanted): Taken {
  const { id } = wanted
  const there = headOf(held, access.spaceId, id)
  const twin = twinOf(held, access.spaceId, wanted.indexed.textHash, id)
  const unseen = there && unseenRefusal(access, there, wanted)
  if (unseen) return { kind: 'refused', refused: unseen }
  const decision = decide(there, wanted, twin !== undefined)
  if (decision.kind === 'same') return { kind: 'stored', version: decision.version }
  const refused = writeRefusal(access, there, wanted)
  if (refused) return { kind: 'refused', refused }
  if (decision.kind === 'conflict') return { kind: 'conflict', with: id }
  if (decision.kind === 'duplicate') return { kind: 'duplicate', with: twin! }
  return write(held, access, wanted, decision.version)
}

function unseenRefusal(access: Access, there: Head, { id, kind }: Wanted): Refused | undefined {
  if (!maySee(access, there.project)) return refuse(id, 'not allowed', 'You have no access to its project.')
  return there.kind === kind ? undefined : refuse(id, 'invalid', 'Something else has this id.')
}

function writeRefusal(access: Access, there: Head | undefined, { id, document }: Wanted): Refused | undefined {
  const isProjection = there !== undefined && there.sourceId !== null
  if (access.kind === 'shared' && !isProjection) {
    return refuse(id, 'not allowed', 'Only what others share with you is here.')
  }
  if (!isProjection) return undefined
  if (there.permission !== 'write') return refuse(id, 'not allowed', 'It is shared for reading, not for writing.')
  return document === null ? refuse(id, 'not allowed', 'Only whose it is can delete it.') : undefined
}

function write(held: Held, access: Access, wanted: Wanted, version: number): Taken {
  const there = headOf(held, access.spaceId, wanted.id)
  if (there?.sourceId) return writeToSource(held, access, wanted, there.sourceId)
  const refused = wanted.kind === 'share' ? applyShare(held, access, wanted) : undefined
  if (refused) return { kind: 'refused', refused }
  if (wanted.document === null) put(held, tombstoneOf(there!, access.userId))
  else {
    const head = headFrom(wanted, access, { spaceId: access.spaceId, version })
    put(held, { head, document: wanted.document, indexed: wanted.indexed })
  }
  if (access.kind === 'personal') project(held, access.spaceId, wanted.id)
  return { kind: 'stored', version }
}

/** It is changed where it comes from, and comes back from there like to everybody else. */
function writeToSource(held: Held, access: Access, wanted: Wanted, sourceId: string): Taken {
  const { id, document } = wanted
  const source = headOf(held, sourceId, id)
  if (!source?.isLive) throw new Error('A shared item is not where it is shared from')
  if (permissionIn(held, access.spaceId, source) !== 'write') {
    return { kind: 'refused', refused: refuse(id, 'not allowed', 'It is no longer shared for writing.') }
  }
  const head = headFrom(wanted, access, { spaceId: sourceId, version: source.version + 1 })
  // A tag can be what it is shared by: whoever else gets to see it is not for this person to say.
  if (held.spaces.some((space) => permissionIn(held, space.id, source) !== permissionIn(held, space.id, head))) {
    return {
      kind: 'refused',
      refused: refuse(id, 'not allowed', 'Only whose it is can change with whom it is shared.'),
    }
  }
  put(held, { head, document })
  project(held, sourceId, id)
  return { kind: 'stored', version: headOf(held, access.spaceId, id)!.version }
}

function headFrom(wanted: Wanted, access: Access, place: { spaceId: string; version: number }): Head {
  const { id, kind, hash, document, indexed } = wanted
  const { project, tags, textHash } = indexed
  const isKept = document?.state === 'kept'
  const of = { authorId: access.userId, sourceId: null, permission: null }
  return { ...place, id, kind, hash, project, tags, textHash, isLive: true, isKept, ...of }
}
