import type { PageRequest, PageResult, PageRoute } from '../request.ts'

export const liveRoutes: PageRoute[] = [{ method: 'GET', path: '/live', handle: openStream }]

function openStream({ live, signal }: PageRequest): PageResult {
  return { kind: 'stream', body: live.open(signal) }
}
