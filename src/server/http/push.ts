import type { PushedItem, PushResult } from '../../sync/protocol.ts'
import type { Access } from '../caller.ts'
import { pushItems } from '../push/push.ts'
import type { Services } from '../services.ts'
import { count } from './metrics.ts'
import type { DoorState } from './route.ts'

/** Every write goes through here, and is counted. */
export async function push(
  services: Services,
  { metrics, vectors }: DoorState,
  access: Access,
  items: readonly PushedItem[],
): Promise<PushResult[]> {
  const results = await pushItems(services, access, items)
  vectors.wake(access.spaceId)
  count(metrics, 'recollect_pushes_total')
  for (const { status } of results) count(metrics, 'recollect_pushed_items_total', { result: status })
  return results
}
