// Inputs of the wiki compiler besides memories: days of sessions, and existing articles by topic.
import type { Ledger } from '../ledger.ts'
import { deletedStamp } from './articles.ts'

/** First journal day of each session. */
export function daysOfSessions(ledger: Ledger, sessions: readonly string[]): Map<string, string> {
  const rows = ledger
    .sql(
      `SELECT s.uid, min(e.day) AS day FROM json_each(?) wanted JOIN sessions s ON s.uid = wanted.value
       JOIN journal_entries e ON e.session = s.id GROUP BY s.uid`,
    )
    .all(JSON.stringify(sessions))
  return new Map(rows.map((row) => [String(row.uid), String(row.day)]))
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
