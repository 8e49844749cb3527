// Applies a batch of pushed items: all that can be stored, in one transaction, with a result for
// each.
import { isoTime } from '../../core/clock.ts'
import type { PushedItem, PushResult, SyncItem } from '../../sync/protocol.ts'
import type { Services, SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import { itemsByIds } from '../store/items.ts'
import { applyItem, type ItemOutcome } from './apply-item.ts'
import { type CheckResult, checkItem, refuse } from './check-item.ts'
import { loadState } from './load-state.ts'
import { projectSpace } from './projection.ts'
import { numberWrites, saveState, writePushAudit } from './save-state.ts'

export async function applyBatch(
  services: Services,
  access: SpaceAccess,
  items: readonly PushedItem[],
): Promise<PushResult[]> {
  if (items.length === 0) return []
  const checked = items.map((item) => checkItem(access, item))
  for (let tries = 0; tries < maxTries; tries++) {
    const results = await services.database.transaction((queries) => applyChecked(services, access, checked, queries))
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
  const checked = items.map((item) => checkItem(access, item))
  return applyChecked(services, access, checked, queries)
}

async function applyChecked(
  { clock }: Services,
  access: SpaceAccess,
  checked: readonly CheckResult[],
  queries: Queries,
): Promise<PushResult[] | undefined> {
  const wanted = checked.flatMap((item) => (item.kind === 'wanted' ? [item.wanted] : []))
  const state = await loadState(queries, access, wanted)
  if (!state) return undefined
  const taken = checked.map(
    (item): ItemOutcome => (item.kind === 'refused' ? item : applyItem(state, access, item.wanted)),
  )
  // Once per batch, since each share can affect all memories.
  if (state.hasRuleChanges) projectSpace(state, access.spaceId)
  const items = numberWrites(state)
  await Promise.all([
    saveState(queries, state, { items, at: isoTime(clock.nowMs()), userId: access.userId }),
    writePushAudit(queries, access, { statuses: taken.map(({ kind }) => kind), items }),
  ])
  return resultsOf(queries, access, checked, taken)
}

async function resultsOf(
  queries: Queries,
  access: SpaceAccess,
  checked: readonly CheckResult[],
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
