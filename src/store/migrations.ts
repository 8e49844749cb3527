// The ledger's schema as an ordered list of steps; user_version counts those that were applied.
// A released step is never edited, because ledgers in use have run it: changes are appended.

import { fixes } from './migrations/fixes.ts'
import { imports } from './migrations/imports.ts'
import { largeLedgers } from './migrations/large-ledgers.ts'
import type { LedgerMigration } from './migrations/migration.ts'
import { notes } from './migrations/notes.ts'
import { pageAndHistory } from './migrations/page-and-history.ts'
import { patternsAndSync } from './migrations/patterns-and-sync.ts'
import { searchAndWiki } from './migrations/search-and-wiki.ts'
import { searchIndex } from './migrations/search-index.ts'
import { sessionsAndMemories } from './migrations/sessions-and-memories.ts'
import { smallerRows } from './migrations/smaller-rows.ts'
import { sources } from './migrations/sources.ts'

export const migrations: readonly LedgerMigration[] = [
  ...sessionsAndMemories,
  ...searchAndWiki,
  ...patternsAndSync,
  ...pageAndHistory,
  ...fixes,
  ...sources,
  ...imports,
  ...largeLedgers,
  ...searchIndex,
  ...smallerRows,
  ...notes,
]
