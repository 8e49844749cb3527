// All addresses of the page, in the order of its navigation.
import type { PageRoute } from './request.ts'
import { costRoutes } from './views/cost.ts'
import { overviewRoutes } from './views/overview.ts'
import { readerRoutes } from './views/reader.ts'
import { sessionListRoutes } from './views/session-list.ts'
import { themeRoutes } from './views/theme.ts'

export const routes: readonly PageRoute[] = [
  ...overviewRoutes,
  ...sessionListRoutes,
  ...readerRoutes,
  ...costRoutes,
  ...themeRoutes,
]
