// Every route, in the order of the description.
import type { Route } from './route.ts'
import { accountRoutes } from './routes/account.ts'
import { linkRoutes } from './routes/links.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { memberRoutes } from './routes/members.ts'
import { memoryRoutes } from './routes/memories.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { openRoutes } from './routes/open.ts'
import { overviewRoutes } from './routes/overview.ts'
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
