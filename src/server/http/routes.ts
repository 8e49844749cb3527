// All routes, in the order of the OpenAPI document.
import type { Route } from './route.ts'
import { accountRoutes } from './routes/account.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { memberRoutes } from './routes/members.ts'
import { linkRoutes, memoryRoutes, overviewRoutes } from './routes/memories.ts'
import { metricsRoutes, openRoutes } from './routes/operations.ts'
import { recallRoutes } from './routes/recall.ts'
import { shareRoutes } from './routes/shares.ts'
import { syncRoutes } from './routes/sync.ts'

export const routes: readonly Route[] = [
  ...openRoutes,
  ...metricsRoutes,
  ...accountRoutes,
  ...recallRoutes,
  ...shareRoutes,
  ...syncRoutes,
  ...memoryRoutes,
  ...linkRoutes,
  ...overviewRoutes,
  ...memberRoutes,
  ...mcpRoutes,
]
