// Applies concurrent pushes of one instance together: a transaction costs round trips and a sync to
// disk, whether it writes one memory or a hundred. A push starts at once if nothing runs; the pushes
// that arrive meanwhile form the next group. Each push gets its own results, and if a group fails,
// its pushes are applied alone, so that one cannot fail another.
import type { PushedItem, PushResult } from '../../sync/protocol.ts'
import type { Services, SpaceAccess } from '../context.ts'
import { isUnavailable } from '../database/database.ts'
import { applyAlone, applyTogether, type CheckedPush, checkPush, type PushOutcome } from './apply-batch.ts'

export interface PushQueue {
  apply(access: SpaceAccess, items: readonly PushedItem[]): Promise<PushResult[]>
}

/** Groups at the same time: one commits while the next is prepared. */
const maxGroups = 2

/** Limits how long a group keeps its locks. */
const maxItemsOfGroup = 100

/** Larger pushes gain nothing from a group. */
const maxItemsToGroup = 20

interface WaitingPush {
  push: CheckedPush
  resolve(results: PushResult[]): void
  reject(error: unknown): void
}

export function createPushQueue(services: Services): PushQueue {
  const waiting = new Set<WaitingPush>()
  /** Spaces of running groups: their next pushes wait here instead of for the lock. */
  const busy = new Set<string>()
  let groups = 0

  function startGroups(): void {
    while (groups < maxGroups) {
      const group = takeGroup()
      if (group.length === 0) return
      groups++
      runGroup(group).finally(() => {
        groups--
        startGroups()
      })
    }
  }

  /** In the order of arrival; several of one space are applied one after the other. */
  function takeGroup(): WaitingPush[] {
    const group: WaitingPush[] = []
    let items = 0
    for (const waitingPush of waiting) {
      const { access, checked } = waitingPush.push
      if (busy.has(access.spaceId)) continue
      items += checked.length
      if (group.length > 0 && items > maxItemsOfGroup) break
      group.push(waitingPush)
      waiting.delete(waitingPush)
    }
    for (const { push } of group) busy.add(push.access.spaceId)
    return group
  }

  /** Never waits for a lock, so that one locked space does not hold up the others. */
  async function runGroup(group: readonly WaitingPush[]): Promise<void> {
    const left = await tryTogether(services, group, { isWaiting: false })
    const leftBySpace = Map.groupBy(left, ({ push }) => push.access.spaceId)
    for (const { push } of group) if (!leftBySpace.has(push.access.spaceId)) busy.delete(push.access.spaceId)
    for (const [spaceId, pushes] of leftBySpace) {
      waitForLocks(services, pushes).finally(() => {
        busy.delete(spaceId)
        startGroups()
      })
    }
  }

  return {
    async apply(access, items) {
      if (items.length === 0) return []
      const push = checkPush(access, items)
      if (!canGroup(push)) return applyAlone(services, push)
      return new Promise((resolve, reject) => {
        waiting.add({ push, resolve, reject })
        startGroups()
      })
    },
  }
}

/** Shares affect other memories than those pushed. */
function canGroup({ checked, items }: CheckedPush): boolean {
  return checked.length <= maxItemsToGroup && items.every(({ kind }) => kind !== 'share')
}

/** Settles the pushes that were applied or refused, and returns those to apply in another way. */
async function tryTogether(
  services: Services,
  group: readonly WaitingPush[],
  how: { isWaiting: boolean },
): Promise<WaitingPush[]> {
  let outcomes: PushOutcome[]
  try {
    outcomes = await applyTogether(
      services,
      group.map(({ push }) => push),
      how,
    )
  } catch (error) {
    if (!isUnavailable(error)) return [...group]
    for (const { reject } of group) reject(error)
    return []
  }
  return group.filter(({ resolve, reject }, place) => {
    const outcome = outcomes[place]!
    if (outcome.kind === 'done') resolve(outcome.results)
    else if (outcome.kind === 'failed') reject(outcome.problem)
    return outcome.kind === 'unlocked'
  })
}

/** Pushes of one space: together, then what is left alone. */
async function waitForLocks(services: Services, pushes: readonly WaitingPush[]): Promise<void> {
  const left = pushes.length > 1 ? await tryTogether(services, pushes, { isWaiting: true }) : pushes
  for (const { push, resolve, reject } of left) await applyAlone(services, push).then(resolve, reject)
}
