// All addresses of the page, in the order of its navigation.
import type { PageRoute } from './request.ts'
import { costRoutes } from './views/cost.ts'
import { fileRoutes } from './views/files.ts'
import { healthRoutes } from './views/health.ts'
import { inboxRoutes } from './views/inbox.ts'
import { journalRoutes } from './views/journal.ts'
import { liveRoutes } from './views/live.ts'
import { memoryRoutes } from './views/memories.ts'
import { overviewRoutes } from './views/overview.ts'
import { patternRoutes } from './views/pattern.ts'
import { patternListRoutes } from './views/pattern-list.ts'
import { patternPartRoutes } from './views/pattern-parts.ts'
import { readerRoutes } from './views/reader.ts'
import { searchRoutes } from './views/search.ts'
import { sessionListRoutes } from './views/session-list.ts'
import { themeRoutes } from './views/theme.ts'
import { wikiRoutes } from './views/wiki.ts'
import { wikiLintRoutes } from './views/wiki-lint.ts'

export const routes: readonly PageRoute[] = [
  ...overviewRoutes,
  ...sessionListRoutes,
  ...readerRoutes,
  ...searchRoutes,
  ...memoryRoutes,
  ...inboxRoutes,
  ...journalRoutes,
  ...wikiLintRoutes,
  ...wikiRoutes,
  ...patternListRoutes,
  ...patternRoutes,
  ...patternPartRoutes,
  ...costRoutes,
  ...fileRoutes,
  ...healthRoutes,
  ...liveRoutes,
  ...themeRoutes,
]
