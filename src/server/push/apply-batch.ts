// Applies pushed items: all that can be stored, in one transaction, with a result for each.
import { isoTime } from '../../core/clock.ts'
import type { PushedItem, PushResult, SyncItem } from '../../sync/protocol.ts'
import type { Services, SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import type { RequestProblem } from '../request-problem.ts'
import { writeAudit } from '../store/audit.ts'
import { itemsByIds } from '../store/items.ts'
import { applyItem, type ItemOutcome } from './apply-item.ts'
import { type CheckResult, checkItem, refuse } from './check-item.ts'
import { type LoadedState, loadSharedState, loadState, type PushReadiness, type SpacePush } from './load-state.ts'
import { projectSpace } from './projection.ts'
import { numberWrites, pushAuditOf, saveState } from './save-state.ts'
import type { PendingWrite, PushState } from './state.ts'

/** The items of one request with what checking them found. */
export interface CheckedPush extends SpacePush {
  checked: readonly CheckResult[]
}

export type PushOutcome =
  | { kind: 'done'; results: PushResult[] }
  | { kind: 'failed'; problem: RequestProblem }
  /** Nothing was done, because a space was not locked: it has to be tried again. */
  | { kind: 'unlocked' }

export function checkPush(access: SpaceAccess, items: readonly PushedItem[]): CheckedPush {
  const checked = items.map((item) => checkItem(access, item))
  return { access, checked, items: checked.flatMap((item) => (item.kind === 'wanted' ? [item.wanted] : [])) }
}

/** One push in its own transaction. */
export async function applyBatch(
  services: Services,
  access: SpaceAccess,
  items: readonly PushedItem[],
): Promise<PushResult[]> {
  return items.length === 0 ? [] : applyAlone(services, checkPush(access, items))
}

export async function applyAlone(services: Services, push: CheckedPush): Promise<PushResult[]> {
  for (let tries = 0; tries < maxTries; tries++) {
    const results = await services.database.transaction((queries) => applyChecked(services, push, queries))
    if (results) return results
  }
  throw new Error('The shares changed during every attempt')
}

const maxTries = 10

/** In an open transaction. Undefined if the shares have changed and the caller has to retry. */
export async function applyItems(
  services: Services,
  access: SpaceAccess,
  items: readonly PushedItem[],
  queries: Queries,
): Promise<PushResult[] | undefined> {
  return applyChecked(services, checkPush(access, items), queries)
}

async function applyChecked(
  services: Services,
  push: CheckedPush,
  queries: Queries,
): Promise<PushResult[] | undefined> {
  const [outcome] = await applyLoaded(services, [push], await loadState(queries, push), queries)
  if (outcome!.kind === 'failed') throw outcome!.problem
  return outcome!.kind === 'done' ? outcome!.results : undefined
}

/**
 * Several pushes without shares in one transaction, one after the other, each with its own results.
 * Without `isWaiting`, pushes into spaces that another transaction has locked stay unlocked.
 */
export async function applyTogether(
  services: Services,
  pushes: readonly CheckedPush[],
  { isWaiting }: { isWaiting: boolean },
): Promise<PushOutcome[]> {
  return services.database.transaction(async (queries) =>
    applyLoaded(services, pushes, await loadSharedState(queries, pushes, { isWaiting }), queries),
  )
}

async function applyLoaded(
  { clock }: Services,
  pushes: readonly CheckedPush[],
  { state, readiness }: LoadedState,
  queries: Queries,
): Promise<PushOutcome[]> {
  const applied = pushes.map((push, place) => applyPush(state, push, readiness[place]!))
  const items = numberWrites(state)
  const audit = applied.flatMap((outcome, place) =>
    outcome.kind === 'applied'
      ? pushAuditOf(pushes[place]!.access, {
          statuses: outcome.taken.map(({ kind }) => kind),
          writes: outcome.writes,
        })
      : [],
  )
  await Promise.all([saveState(queries, state, { items, at: isoTime(clock.nowMs()) }), writeAudit(queries, ...audit)])
  return Promise.all(
    applied.map(async (outcome, place): Promise<PushOutcome> => {
      if (outcome.kind !== 'applied') return outcome
      return { kind: 'done', results: await resultsOf(queries, pushes[place]!, outcome.taken) }
    }),
  )
}

type AppliedPush =
  | { kind: 'applied'; taken: ItemOutcome[]; writes: PendingWrite[] }
  | Exclude<PushReadiness, { kind: 'ready' }>

function applyPush(state: PushState, { access, checked }: CheckedPush, readiness: PushReadiness): AppliedPush {
  if (readiness.kind !== 'ready') return readiness
  const from = state.writes.length
  const taken = checked.map(
    (item): ItemOutcome => (item.kind === 'refused' ? item : applyItem(state, access, item.wanted)),
  )
  // Once per push, since each share can affect all memories.
  if (state.hasRuleChanges) projectSpace(state, access.spaceId)
  return { kind: 'applied', taken, writes: state.writes.slice(from) }
}

async function resultsOf(
  queries: Queries,
  { access, checked }: CheckedPush,
  taken: readonly ItemOutcome[],
): Promise<PushResult[]> {
  const met = taken.flatMap((item) => (item.kind === 'conflict' || item.kind === 'duplicate' ? [item.with] : []))
  const items = met.length === 0 ? [] : await itemsByIds(queries, access, met)
  const there = new Map(items.map((item) => [item.id, item]))
  return taken.map((item, index) => resultOf(checked[index]!, item, there))
}

function resultOf(checked: CheckResult, taken: ItemOutcome, there: ReadonlyMap<string, SyncItem>): PushResult {
  if (checked.kind === 'refused') return checked.refused
  const { id, hash } = checked.wanted
  switch (taken.kind) {
    case 'stored':
      return { status: 'stored', id, version: taken.version, hash }
    case 'refused':
      return taken.refused
    case 'conflict':
    case 'duplicate': {
      const item = there.get(taken.with)
      if (!item) return refuse(id, 'not allowed', 'You have no access to what is there.')
      return taken.kind === 'conflict'
        ? { status: 'conflict', id, current: item }
        : { status: 'duplicate', id, of: item }
    }
    default:
      return taken satisfies never
  }
}
