// All addresses of the page, in the order of its navigation.
import type { PageRoute } from './request.ts'
import { journalRoutes } from './views/journal.ts'
import { patternRoutes } from './views/pattern.ts'
import { patternListRoutes } from './views/pattern-list.ts'
import { patternPartRoutes } from './views/pattern-parts.ts'
import { readerRoutes } from './views/reader.ts'
import { sessionListRoutes } from './views/session-list.ts'
import { themeRoutes } from './views/theme.ts'
import { wikiRoutes } from './views/wiki.ts'
import { wikiLintRoutes } from './views/wiki-lint.ts'

export const routes: readonly PageRoute[] = [
  ...sessionListRoutes,
  ...readerRoutes,
  ...journalRoutes,
  ...wikiLintRoutes,
  ...wikiRoutes,
  ...patternListRoutes,
  ...patternRoutes,
  ...patternPartRoutes,
  ...themeRoutes,
]
