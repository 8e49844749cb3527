// Articles as a list: without their texts, of which there may be megabytes. Kept until the ledger
// changes, because a view asks for it several times.
import type { Ledger } from '../ledger.ts'
import { changeVersion } from '../sessions/session-facts.ts'
import { deletedStamp } from './articles.ts'

export interface ListedArticle {
  /** Below the vault, without extension. */
  path: string
  kind: string
  project: string | null
  title: string
  /** Markdown, one line. */
  summary: string
  aliases: string[]
  /** Day; '' if the head has none. */
  updated: string
  stamp: string
}

const lists = new WeakMap<Ledger, { version: string; articles: readonly ListedArticle[] }>()

/** Articles that have a file, ordered by title; the same array until the ledger changes. */
export function listedArticles(ledger: Ledger): readonly ListedArticle[] {
  const version = changeVersion(ledger)
  const known = lists.get(ledger)
  if (known?.version === version) return known.articles
  const articles = readArticles(ledger)
  lists.set(ledger, { version, articles })
  return articles
}

function readArticles(ledger: Ledger): ListedArticle[] {
  return ledger
    .sql(
      `SELECT path, kind, project, title, summary, head ->> '$.aliases' AS aliases, head ->> '$.updated' AS updated, stamp
       FROM articles WHERE stamp <> ? ORDER BY title COLLATE NOCASE, path`,
    )
    .all(deletedStamp)
    .map((row) => ({
      path: String(row.path),
      kind: String(row.kind),
      project: row.project as string | null,
      title: String(row.title),
      summary: String(row.summary),
      aliases: JSON.parse(String(row.aliases ?? '[]')) as string[],
      updated: String(row.updated ?? ''),
      stamp: String(row.stamp),
    }))
}
