// Taking a batch of items: all that can be taken, in one transaction, with an answer for each.
import { isoTime } from '../../core/clock.ts'
import type { Item, PushedItem, PushResult } from '../../sync/protocol.ts'
import type { Access } from '../caller.ts'
import type { Queries } from '../database/database.ts'
import type { Services } from '../services.ts'
import { itemsByIds } from '../store/items.ts'
import { auditPush } from './audit.ts'
import { type Checked, checkItem, refuse } from './check.ts'
import { flush, numbered } from './flush.ts'
import { projectAll } from './project.ts'
import { type Taken, take } from './take.ts'
import { takeHold } from './take-hold.ts'

export async function pushItems(
  services: Services,
  access: Access,
  items: readonly PushedItem[],
): Promise<PushResult[]> {
  if (items.length === 0) return []
  const checked = items.map((item) => checkItem(access, item))
  for (let tries = 0; tries < maxTries; tries++) {
    const results = await services.database.transaction((queries) => pushChecked(services, access, checked, queries))
    if (results) return results
  }
  throw new Error('What is shared with whom changed again and again')
}

const maxTries = 10

async function pushChecked(
  { clock }: Services,
  access: Access,
  checked: readonly Checked[],
  queries: Queries,
): Promise<PushResult[] | undefined> {
  const wanted = checked.flatMap((item) => (item.kind === 'wanted' ? [item.wanted] : []))
  const held = await takeHold(queries, access, wanted)
  if (!held) return undefined
  const taken = checked.map((item): Taken => (item.kind === 'refused' ? item : take(held, access, item.wanted)))
  // Once, however many shares there were: each of them can concern everything.
  if (held.hasNewRules) projectAll(held, access.spaceId)
  const items = numbered(held)
  await Promise.all([
    flush(queries, held, { items, at: isoTime(clock.nowMs()), userId: access.userId }),
    auditPush(queries, access, { statuses: taken.map(({ kind }) => kind), items }),
  ])
  return answers(queries, access, checked, taken)
}

async function answers(
  queries: Queries,
  access: Access,
  checked: readonly Checked[],
  taken: readonly Taken[],
): Promise<PushResult[]> {
  const met = taken.flatMap((item) => (item.kind === 'conflict' || item.kind === 'duplicate' ? [item.with] : []))
  const items = met.length === 0 ? [] : await itemsByIds(queries, access, met)
  const there = new Map(items.map((item) => [item.id, item]))
  return taken.map((item, index) => answer(checked[index]!, item, there))
}

function answer(checked: Checked, taken: Taken, there: ReadonlyMap<string, Item>): PushResult {
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
