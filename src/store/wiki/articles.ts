// Wiki articles as last written, and the journal days they were compiled from, with the text that
// search indexes.
import { lastPart } from '../../core/project/project-names.ts'
import type { Ledger } from '../ledger.ts'
import { deleteStandalone, replaceStandalone, type StandaloneSource } from '../search/passages.ts'
import { addProjectsToCompile } from './projects-to-compile.ts'
import { moveTopicPlan } from './topic-plans.ts'

export interface ArticleRow {
  number: number
  path: string
  kind: string
  project: string | null
  topic: string | null
  title: string
  summary: string
  /** The frontmatter fields that Recollect writes. */
  head: Record<string, unknown>
  /** Hash of each managed section, by name. */
  sections: Record<string, string>
  /** Text that search indexes. */
  said: string
  /** Stamp of the file. */
  stamp: string
}

/**
 * Stamp of an article whose file a user has deleted: it is not found any more, but stays known so
 * that it is not written again.
 */
export const deletedStamp = 'deleted'

export function articleRows(ledger: Ledger, project?: string | null): ArticleRow[] {
  return ledger
    .sql('SELECT * FROM articles WHERE NOT $isOne OR project IS $project ORDER BY path')
    .all({ isOne: project === undefined ? 0 : 1, project: project ?? null })
    .map(rowOf)
}

export function articleAt(ledger: Ledger, path: string): ArticleRow | undefined {
  const row = ledger.sql('SELECT * FROM articles WHERE path = ?').get(path)
  return row ? rowOf(row) : undefined
}

/** File stamps by path. */
export function articleStamps(ledger: Ledger): Map<string, string> {
  const rows = ledger.sql('SELECT path, stamp FROM articles').all()
  return new Map(rows.map((row) => [String(row.path), String(row.stamp)]))
}

/** Call it inside a transaction. */
export function saveArticle(ledger: Ledger, article: Omit<ArticleRow, 'number'>): void {
  const before = ledger.sql('SELECT said FROM articles WHERE path = ?').get(article.path)
  const row = ledger
    .sql(
      `INSERT INTO articles (path, kind, project, topic, title, summary, head, sections, said, stamp)
       VALUES ($path, $kind, $project, $topic, $title, $summary, $head, $sections, $said, $stamp)
       ON CONFLICT (path) DO UPDATE SET kind = excluded.kind, project = excluded.project, topic = excluded.topic,
         title = excluded.title, summary = excluded.summary, head = excluded.head, sections = excluded.sections,
         said = excluded.said, stamp = excluded.stamp
       RETURNING number`,
    )
    .get({
      path: article.path,
      kind: article.kind,
      project: article.project,
      topic: article.topic,
      title: article.title,
      summary: article.summary,
      head: JSON.stringify(article.head),
      sections: JSON.stringify(article.sections),
      said: article.said,
      stamp: article.stamp,
    })!
  if (before?.said === article.said) return
  indexPage(ledger, { kind: 'article', number: Number(row.number) }, article.said, dayMs(article.head.updated))
}

/** Call it inside a transaction. */
export function deleteArticle(ledger: Ledger, path: string): void {
  const row = ledger.sql('DELETE FROM articles WHERE path = ? RETURNING number').get(path)
  if (row) deleteStandalone(ledger, { kind: 'article', number: Number(row.number) })
}

/** Moves articles to the new key of a project. Call inside a transaction. */
export function moveArticles(ledger: Ledger, from: string, to: string): void {
  // The project's own article is about its name: one of a worktree is not one of the repository.
  const isSameName = lastPart(from) === lastPart(to)
  const { changes } = ledger
    .sql(
      `UPDATE articles SET project = $to, topic = CASE topic WHEN 'project:' || $from THEN 'project:' || $to ELSE topic END
       WHERE project = $from AND (topic IS NOT 'project:' || $from OR $isSameName)`,
    )
    .run({ from, to, isSameName: isSameName ? 1 : 0 })
  moveTopicPlan(ledger, from, to)
  if (changes > 0) addProjectsToCompile(ledger, [from, to])
}

export interface WikiDay {
  day: string
  stamp: string
  hash: string
  /** Text that search indexes. */
  said: string
  /** Hash and size in bytes of the part that a model has read. */
  askedHash: string | null
  askedBytes: number
}

export function wikiDays(ledger: Ledger): Map<string, WikiDay> {
  const rows = ledger.sql('SELECT * FROM wiki_days').all()
  return new Map(rows.map((row) => [String(row.day), dayOf(row)]))
}

/** Call it inside a transaction. */
export function saveWikiDay(ledger: Ledger, wanted: WikiDay): void {
  const before = ledger.sql('SELECT said FROM wiki_days WHERE day = ?').get(wanted.day)
  const row = ledger
    .sql(
      `INSERT INTO wiki_days (day, stamp, hash, said, asked_hash, asked_bytes)
       VALUES ($day, $stamp, $hash, $said, $askedHash, $askedBytes)
       ON CONFLICT (day) DO UPDATE SET stamp = excluded.stamp, hash = excluded.hash, said = excluded.said,
         asked_hash = excluded.asked_hash, asked_bytes = excluded.asked_bytes
       RETURNING number`,
    )
    .get({ ...wanted })!
  if (before?.said === wanted.said) return
  indexPage(ledger, { kind: 'journal', number: Number(row.number) }, wanted.said, dayMs(wanted.day))
}

/** Call it inside a transaction. */
export function deleteWikiDay(ledger: Ledger, day: string): void {
  const row = ledger.sql('DELETE FROM wiki_days WHERE day = ? RETURNING number').get(day)
  if (row) deleteStandalone(ledger, { kind: 'journal', number: Number(row.number) })
}

/** A page that search finds, with its indexed text. */
export interface IndexedPage {
  /** Path in the vault, without extension. */
  path: string
  title: string
  project: string | null
  said: string
  /** ISO day. */
  updated: string
}

export function articlesByNumber(ledger: Ledger, numbers: readonly number[]): Map<number, IndexedPage> {
  const rows = ledger
    .sql('SELECT * FROM articles WHERE number IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(numbers))
    .map(rowOf)
  return new Map(rows.map((row) => [row.number, { ...row, updated: String(row.head.updated ?? '') }]))
}

export function daysByNumber(ledger: Ledger, numbers: readonly number[]): Map<number, IndexedPage> {
  const rows = ledger
    .sql('SELECT number, day, said FROM wiki_days WHERE number IN (SELECT value FROM json_each(?))')
    .all(JSON.stringify(numbers))
  return new Map(
    rows.map((row) => [
      Number(row.number),
      {
        path: `journal/${row.day}`,
        title: String(row.day),
        project: null,
        said: String(row.said),
        updated: String(row.day),
      },
    ]),
  )
}

export function reindexPages(ledger: Ledger): void {
  for (const { number, said, head } of articleRows(ledger))
    indexPage(ledger, { kind: 'article', number }, said, dayMs(head.updated))
  for (const row of ledger.sql('SELECT number, day, said FROM wiki_days').all())
    indexPage(ledger, { kind: 'journal', number: Number(row.number) }, String(row.said), dayMs(row.day))
}

function indexPage(ledger: Ledger, source: StandaloneSource, said: string, ts: number | null): void {
  replaceStandalone(ledger, { source, role: 'note', ts, said })
}

function dayMs(day: unknown): number | null {
  const ms = Date.parse(String(day))
  return Number.isNaN(ms) ? null : ms
}

function dayOf(row: Record<string, unknown>): WikiDay {
  return {
    day: String(row.day),
    stamp: String(row.stamp),
    hash: String(row.hash),
    said: String(row.said),
    askedHash: row.asked_hash as string | null,
    askedBytes: Number(row.asked_bytes),
  }
}

function rowOf(row: Record<string, unknown>): ArticleRow {
  return {
    number: Number(row.number),
    path: String(row.path),
    kind: String(row.kind),
    project: row.project as string | null,
    topic: row.topic as string | null,
    title: String(row.title),
    summary: String(row.summary),
    head: JSON.parse(String(row.head)) as Record<string, unknown>,
    sections: JSON.parse(String(row.sections)) as Record<string, string>,
    said: String(row.said),
    stamp: String(row.stamp),
  }
}

/** An article with the data that links to it need. */
interface CitingArticle {
  path: string
  title: string
  aliases: string[]
  sources: string[]
}

/** Articles that name one of these sources. */
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
