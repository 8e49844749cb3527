// Locks what a push can touch and reads what has to be known of it.
import type { ShareDocument } from '../../sync/documents.ts'
import type { Access } from '../caller.ts'
import type { Queries } from '../database/database.ts'
import { RequestProblem } from '../problem.ts'
import { checkStill } from '../store/callers.ts'
import { type LockedSpace, lockSpaces, readHeads } from '../store/heads.ts'
import { idsForSharing } from '../store/projections.ts'
import { rulesFrom, type Target, targetsNamed } from '../store/shares.ts'
import type { Wanted } from './check.ts'
import { type Held, hold } from './held.ts'

/**
 * What is shared with whom is read before it is locked, and can have changed when the lock is there. Undefined then: nothing was done,
 * and the next try sees it.
 */
export async function takeHold(queries: Queries, access: Access, items: readonly Wanted[]): Promise<Held | undefined> {
  const { spaceId } = access
  const ids = items.map(({ id }) => id)
  const shares = items.filter(({ kind }) => kind === 'share')
  const documents = shares.flatMap(({ document }) => (document ? [document as ShareDocument] : []))
  const names = documents.map((document) => document.with)
  const readTargets = async () => (names.length === 0 ? noTargets : targetsNamed(queries, access.userId, names))
  const also = [...(await readTargets()).values()].map((target) => target.spaceId)

  const spaces = await lockSpaces(queries, spaceId, { ids, also })
  if (!spaces.some(({ id }) => id === spaceId)) throw new RequestProblem(404, 'not_found', 'There is no such space.')

  // Whom it is shared with counts as it is under the lock: somebody may have been taken out of the team a moment ago.
  const targets = await readTargets()
  const subjects = shares.length === 0 ? [] : await subjectsOf(queries, spaceId, documents)
  const textHashes = items.flatMap(({ base, indexed }) => (base === null && indexed.textHash ? [indexed.textHash] : []))
  const asked = { spaceId, spaces, ids: [...ids, ...subjects], textHashes, targets }
  const [held] = await Promise.all([readHeld(queries, asked), checkStill(queries, access)])
  return held
}

const noTargets: ReadonlyMap<string, Target> = new Map()

/** Under the lock. */
export async function readHeld(
  queries: Queries,
  asked: {
    spaceId: string
    spaces: readonly LockedSpace[]
    ids: readonly string[]
    textHashes: readonly string[]
    targets: ReadonlyMap<string, Target>
  },
): Promise<Held | undefined> {
  const { spaceId, spaces, ids, textHashes, targets } = asked
  const locked = new Set(spaces.map(({ id }) => id))
  const personal = spaces.filter(({ kind }) => kind === 'personal').map(({ id }) => id)
  const [rules, heads] = await Promise.all([
    rulesFrom(queries, personal),
    readHeads(queries, spaceId, { spaceIds: [...locked], ids, textHashes }),
  ])
  const sources = heads.flatMap((head) => (head.spaceId === spaceId && head.sourceId ? [head.sourceId] : []))
  const named = [...targets.values()].map((target) => target.spaceId)
  const touched = [...sources, ...named, ...rules.map(({ toSpaceId }) => toSpaceId)]
  return touched.every((id) => locked.has(id)) ? hold({ spaces, heads, rules, targets }) : undefined
}

/** The memories that these shares can concern. */
async function subjectsOf(queries: Queries, spaceId: string, documents: readonly ShareDocument[]): Promise<string[]> {
  const named = documents.flatMap(({ subject }) => (subject.kind === 'memory' ? [subject.id] : []))
  const tags = documents.flatMap(({ subject }) => (subject.kind === 'tag' ? [subject.tag] : []))
  return [...named, ...(await idsForSharing(queries, spaceId, tags))]
}
