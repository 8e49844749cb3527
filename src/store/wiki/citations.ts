// The articles that are made from a day of the journal.
import type { Ledger } from '../ledger.ts'

/** An article as a link names it. */
export interface CitingArticle {
  path: string
  title: string
  aliases: string[]
  sources: string[]
}

/** Articles that have one of these among their sources. */
export function articlesCiting(ledger: Ledger, sources: readonly string[]): CitingArticle[] {
  const rows = ledger
    .sql(
      `SELECT DISTINCT a.path, a.title, a.head -> '$.aliases' AS aliases, a.head -> '$.sources' AS sources FROM articles a, json_each(a.head, '$.sources') s
       WHERE s.value IN (SELECT value FROM json_each(?)) ORDER BY a.path`,
    )
    .all(JSON.stringify(sources))
  return rows.map((row) => ({
    path: String(row.path),
    title: String(row.title),
    aliases: JSON.parse(String(row.aliases ?? '[]')) as string[],
    sources: JSON.parse(String(row.sources)) as string[],
  }))
}
