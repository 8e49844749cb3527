// Inputs of the wiki besides memories: the sessions they come from, and existing articles by topic.
import type { Ledger } from '../ledger.ts'
import { shownTitle } from '../sessions/shown-title.ts'
import { deletedStamp } from './articles.ts'

/** A session that statements come from. */
export interface SourceSession {
  title: string | null
  /** Its days in the journal, earliest first. */
  days: string[]
}

export function sourceSessions(ledger: Ledger, uids: readonly string[]): Map<string, SourceSession> {
  const rows = ledger
    .sql(
      `SELECT s.uid, ${shownTitle} AS title,
         (SELECT json_group_array(e.day ORDER BY e.day) FROM journal_entries e WHERE e.session = s.id) AS days
       FROM json_each(?) wanted JOIN sessions s ON s.uid = wanted.value LEFT JOIN digests d ON d.session = s.id`,
    )
    .all(JSON.stringify([...new Set(uids)]))
  return new Map(
    rows.map((row) => [
      String(row.uid),
      { title: row.title as string | null, days: JSON.parse(String(row.days)) as string[] },
    ]),
  )
}

/** An article that the compiler wrote. */
export interface CompiledArticleRow {
  path: string
  /** The title that a person gave it; null if it is ours. */
  title: string | null
  ownTitle: string
  /** Null for an article of an earlier version. */
  topic: string | null
  project: string | null
  /** Whether a user has deleted its file. */
  isDeleted: boolean
}

/** Of all projects. Pages of people and saved answers are not among them. */
export function compiledArticles(ledger: Ledger): CompiledArticleRow[] {
  return ledger
    .sql(
      `SELECT path, title, topic, project, head ->> '$.title' AS written, stamp = '${deletedStamp}' AS gone FROM articles
       WHERE kind <> 'answer' AND (topic IS NOT NULL OR sections <> '{}') ORDER BY path`,
    )
    .all()
    .map((row) => ({
      path: String(row.path),
      title: row.written === null || row.written === row.title ? null : String(row.title),
      ownTitle: String(row.written ?? row.title),
      topic: row.topic as string | null,
      project: row.project as string | null,
      isDeleted: row.gone === 1,
    }))
}
