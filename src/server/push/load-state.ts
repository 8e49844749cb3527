// Locks the spaces that pushes can affect and loads their state.
import type { ShareDocument } from '../../sync/documents.ts'
import type { SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import { RequestProblem } from '../request-problem.ts'
import { type LockedSpace, lockSpaces, readHeaders } from '../store/item-headers.ts'
import { accessChanged, findChangedAccess } from '../store/keys.ts'
import { idsAffectedByTags, readRules, readTargets, type ShareTarget } from '../store/shares.ts'
import type { CheckedItem } from './check-item.ts'
import { createState, headerOf, type PushState } from './state.ts'

/** The valid items of one request. */
export interface SpacePush {
  access: SpaceAccess
  items: readonly CheckedItem[]
}

/**
 * Whether a push can be applied to the state. `unlocked`: it affects a space that is not locked, so
 * it has to be tried again.
 */
export type PushReadiness = { kind: 'ready' } | { kind: 'unlocked' } | { kind: 'failed'; problem: RequestProblem }

export interface LoadedState {
  state: PushState
  /** In the order of the pushes. */
  readiness: PushReadiness[]
}

/** One push; waits for the locks. */
export async function loadState(queries: Queries, push: SpacePush): Promise<LoadedState> {
  const { access, items } = push
  const shares = items.filter(({ kind }) => kind === 'share')
  const documents = shares.flatMap(({ document }) => (document ? [document as ShareDocument] : []))
  const names = documents.map((document) => document.with)
  const loadTargets = async () => (names.length === 0 ? noTargets : readTargets(queries, access.userId, names))
  const also = [...(await loadTargets()).values()].map((target) => target.spaceId)
  const locks = [{ spaceId: access.spaceId, ids: idsOf(push), also }]
  const spaces = await lockSpaces(queries, locks, { isWaiting: true })
  if (!spaces.some(({ id }) => id === access.spaceId)) {
    throw new RequestProblem(404, 'not_found', 'There is no such space.')
  }
  // Read the targets again under the lock: a user may just have been removed from the team.
  const targets = await loadTargets()
  const subjects = shares.length === 0 ? [] : await subjectsOf(queries, access.spaceId, documents)
  return readState(queries, { pushes: [push], spaces, targets, subjects })
}

/** Several pushes without shares. Those whose spaces are locked by others are not waited for. */
export async function loadSharedState(
  queries: Queries,
  pushes: readonly SpacePush[],
  { isWaiting }: { isWaiting: boolean },
): Promise<LoadedState> {
  const locks = pushes.map((push) => ({ spaceId: push.access.spaceId, ids: idsOf(push), also: [] }))
  const spaces = await lockSpaces(queries, locks, { isWaiting })
  return readState(queries, { pushes, spaces, targets: noTargets, subjects: [] })
}

const noTargets: ReadonlyMap<string, ShareTarget> = new Map()

function idsOf({ items }: SpacePush): string[] {
  return items.map(({ id }) => id)
}

interface StateRequest {
  pushes: readonly SpacePush[]
  spaces: readonly LockedSpace[]
  targets: ReadonlyMap<string, ShareTarget>
  /** Further memories that the shares of the push affect. */
  subjects: readonly string[]
}

async function readState(queries: Queries, { pushes, spaces, targets, subjects }: StateRequest): Promise<LoadedState> {
  const affected = spacesByPush(pushes, spaces)
  const asked = pushes.map((push, place) => ({
    spaceIds: affected[place]!,
    ids: [...idsOf(push), ...subjects],
    spaceId: push.access.spaceId,
    textHashes: push.items.flatMap(({ base, indexed }) =>
      base === null && indexed.textHash ? [indexed.textHash] : [],
    ),
  }))
  const [rules, headers, hasChanged] = await Promise.all([
    readRules(queries, personalOf(spaces)),
    readHeaders(queries, asked),
    findChangedAccess(
      queries,
      pushes.map(({ access }) => access),
    ),
  ])
  const state = createState({ spaces, headers, rules, targets })
  const isLocked = lockCheckOf(state)
  const readiness = pushes.map((push, place): PushReadiness => {
    if (!isLocked(push.access.spaceId, asked[place]!.ids)) return { kind: 'unlocked' }
    return hasChanged[place] ? { kind: 'failed', problem: accessChanged() } : { kind: 'ready' }
  })
  return { state, readiness }
}

/** Reads the state of a space under the lock; undefined if it involves a space that is not locked. */
export async function readSpaceState(
  queries: Queries,
  { spaceId, spaces, ids }: { spaceId: string; spaces: readonly LockedSpace[]; ids: readonly string[] },
): Promise<PushState | undefined> {
  const spaceIds = spaces.map(({ id }) => id)
  const [rules, headers] = await Promise.all([
    readRules(queries, personalOf(spaces)),
    readHeaders(queries, [{ spaceIds, ids, spaceId, textHashes: [] }]),
  ])
  const state = createState({ spaces, headers, rules, targets: noTargets })
  return lockCheckOf(state)(spaceId, ids) ? state : undefined
}

function personalOf(spaces: readonly LockedSpace[]): string[] {
  return spaces.filter(({ kind }) => kind === 'personal').map(({ id }) => id)
}

function spacesByPush(pushes: readonly SpacePush[], spaces: readonly LockedSpace[]): string[][] {
  const affected = pushes.map((): string[] => [])
  for (const { id, pushes: places } of spaces) for (const place of places) affected[place]!.push(id)
  return affected
}

/**
 * Tells whether all spaces are locked that writes of these items in a space can affect. Shares are
 * read before locking and may have changed once the lock is held.
 */
function lockCheckOf(state: PushState): (spaceId: string, ids: readonly string[]) => boolean {
  const locked = new Set(state.spaces.map(({ id }) => id))
  const named = [...state.targets.values()].map((target) => target.spaceId)
  const rulesBySpace = Map.groupBy(state.rules, (rule) => rule.spaceId)
  return (spaceId, ids) => {
    const sources = ids.flatMap((id) => {
      const header = headerOf(state, spaceId, id)
      return header?.isLive && header.sourceId ? [header.sourceId] : []
    })
    const rules = [spaceId, ...sources].flatMap((id) => rulesBySpace.get(id) ?? [])
    const touched = [spaceId, ...sources, ...named, ...rules.map(({ toSpaceId }) => toSpaceId)]
    return touched.every((id) => locked.has(id))
  }
}

/** The memories that these shares can affect. */
async function subjectsOf(queries: Queries, spaceId: string, documents: readonly ShareDocument[]): Promise<string[]> {
  const named = documents.flatMap(({ subject }) => (subject.kind === 'memory' ? [subject.id] : []))
  const tags = documents.flatMap(({ subject }) => (subject.kind === 'tag' ? [subject.tag] : []))
  return [...named, ...(await idsAffectedByTags(queries, spaceId, tags))]
}
