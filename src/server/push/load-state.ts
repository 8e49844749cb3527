// Locks the spaces that a push can affect and loads their state.
import type { ShareDocument } from '../../sync/documents.ts'
import type { SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import { RequestProblem } from '../request-problem.ts'
import { type LockedSpace, lockSpaces, readHeaders } from '../store/item-headers.ts'
import { checkAccessUnchanged } from '../store/keys.ts'
import { idsAffectedByTags, readRules, readTargets, type ShareTarget } from '../store/shares.ts'
import type { CheckedItem } from './check-item.ts'
import { createState, type PushState } from './state.ts'

/**
 * Shares are read before locking and may have changed once the lock is held. Then returns
 * undefined, nothing was done, and the caller retries.
 */
export async function loadState(
  queries: Queries,
  access: SpaceAccess,
  items: readonly CheckedItem[],
): Promise<PushState | undefined> {
  const { spaceId } = access
  const ids = items.map(({ id }) => id)
  const shares = items.filter(({ kind }) => kind === 'share')
  const documents = shares.flatMap(({ document }) => (document ? [document as ShareDocument] : []))
  const names = documents.map((document) => document.with)
  const loadTargets = async () => (names.length === 0 ? noTargets : readTargets(queries, access.userId, names))
  const also = [...(await loadTargets()).values()].map((target) => target.spaceId)

  const spaces = await lockSpaces(queries, spaceId, { ids, also })
  if (!spaces.some(({ id }) => id === spaceId)) throw new RequestProblem(404, 'not_found', 'There is no such space.')

  // Read the targets again under the lock: a user may just have been removed from the team.
  const targets = await loadTargets()
  const subjects = shares.length === 0 ? [] : await subjectsOf(queries, spaceId, documents)
  const textHashes = items.flatMap(({ base, indexed }) => (base === null && indexed.textHash ? [indexed.textHash] : []))
  const asked = { spaceId, spaces, ids: [...ids, ...subjects], textHashes, targets }
  const [state] = await Promise.all([readLockedState(queries, asked), checkAccessUnchanged(queries, access)])
  return state
}

const noTargets: ReadonlyMap<string, ShareTarget> = new Map()

/** Reads the state under the lock; undefined if it involves a space that is not locked. */
export async function readLockedState(
  queries: Queries,
  asked: {
    spaceId: string
    spaces: readonly LockedSpace[]
    ids: readonly string[]
    textHashes: readonly string[]
    targets: ReadonlyMap<string, ShareTarget>
  },
): Promise<PushState | undefined> {
  const { spaceId, spaces, ids, textHashes, targets } = asked
  const locked = new Set(spaces.map(({ id }) => id))
  const personal = spaces.filter(({ kind }) => kind === 'personal').map(({ id }) => id)
  const [rules, headers] = await Promise.all([
    readRules(queries, personal),
    readHeaders(queries, spaceId, { spaceIds: [...locked], ids, textHashes }),
  ])
  const sources = headers.flatMap((header) =>
    header.spaceId === spaceId && header.isLive && header.sourceId ? [header.sourceId] : [],
  )
  const named = [...targets.values()].map((target) => target.spaceId)
  const touched = [...sources, ...named, ...rules.map(({ toSpaceId }) => toSpaceId)]
  return touched.every((id) => locked.has(id)) ? createState({ spaces, headers, rules, targets }) : undefined
}

/** The memories that these shares can affect. */
async function subjectsOf(queries: Queries, spaceId: string, documents: readonly ShareDocument[]): Promise<string[]> {
  const named = documents.flatMap(({ subject }) => (subject.kind === 'memory' ? [subject.id] : []))
  const tags = documents.flatMap(({ subject }) => (subject.kind === 'tag' ? [subject.tag] : []))
  return [...named, ...(await idsAffectedByTags(queries, spaceId, tags))]
}
