import { liveStream } from '../live.ts'
import type { PageRequest, PageResult, PageRoute } from '../request.ts'

export const liveRoutes: PageRoute[] = [{ method: 'GET', path: '/live', handle: live }]

function live({ ledger, signal }: PageRequest): PageResult {
  return { kind: 'stream', body: liveStream(() => ledger, signal) }
}
