// Existing articles as the index knows them: loading, ranking by similarity to a part of the
// journal, and matching an article that a model names under another title.
import { type ArticleRow, deletedStamp } from '../../store/wiki/articles.ts'
import { slugKey, slugOf } from '../../text/slug.ts'
import { termsOf } from '../../text/terms.ts'
import { type Article, type ArticleHead, type ArticleKind, emptyHead } from '../article.ts'
import type { SectionToWrite } from '../sections.ts'

export interface ExistingArticle extends Omit<Article, 'sections'> {
  /** A person has deleted it. */
  isDeleted?: boolean
}

/** With the text that the model was shown. */
export interface ShownArticle extends ExistingArticle {
  sections: readonly SectionToWrite[]
}

export function existingArticles(rows: readonly ArticleRow[]): ExistingArticle[] {
  return rows.map(({ path, kind, title, project, topic, summary, head, stamp }) => ({
    path,
    // Rows contain only valid kinds.
    kind: kind as ArticleKind,
    summary,
    head: { ...emptyHead, ...(head as Partial<ArticleHead>), title, project, topic },
    ...(stamp === deletedStamp ? { isDeleted: true } : {}),
  }))
}

interface ArticleNames {
  kind: ArticleKind
  title: string
  aliases: readonly string[]
  /** Null for several projects. */
  project: string | null
}

/**
 * Matches by title, then by alias, then by shared words; undefined for a new article. A shared
 * alias alone does not count, because models invent aliases freely.
 */
export function matchExisting(named: ArticleNames, known: readonly ExistingArticle[]): ExistingArticle | undefined {
  const near = known.filter(({ kind, head }) => kind === named.kind && isSameScope(head.project, named.project))
  const title = keyOf(named.title)
  const aliases = new Set(named.aliases.map(keyOf))
  return (
    near.find(({ head }) => keyOf(head.title) === title) ??
    near.find(({ head }) => aliases.has(keyOf(head.title)) || head.aliases.some((alias) => keyOf(alias) === title)) ??
    near.find(({ head }) => hasSameWords(head.title, named.title))
  )
}

export function keyOf(name: string): string {
  return slugKey(slugOf(name))
}

/** The same name in two projects means two things. */
function isSameScope(one: string | null, other: string | null): boolean {
  return one === other || one === null || other === null
}

const minSharedWords = 0.75

/** Matches `Retry policy for webhooks` and `Webhook retry policy`, but not `API 2` and `API 3`. */
function hasSameWords(one: string, other: string): boolean {
  const [mine, theirs] = [new Set(termsOf(one)), new Set(termsOf(other))]
  const shared = [...mine].filter((term) => theirs.has(term)).length
  const isNumber = (term: string) => /\d/.test(term)
  const apart = [...new Set([...mine, ...theirs])].filter((term) => !(mine.has(term) && theirs.has(term)))
  return shared >= 2 && shared / (shared + apart.length) >= minSharedWords && !apart.some(isNumber)
}

/**
 * Ranks by shared terms of the names, weighted by rarity; articles without shared terms come last,
 * latest first.
 */
export function rankArticles(
  known: readonly ExistingArticle[],
  chunk: string,
  projects: ReadonlySet<string>,
): RankedArticle[] {
  const chunkTerms = new Set(termsOf(chunk))
  const articles = known.map((article) => ({
    article,
    names: nameTerms(article),
    about: new Set(termsOf(article.summary)),
  }))
  const weight = weights(articles.map(({ names, about }) => new Set([...names, ...about])))
  return articles
    .map(({ article, names, about }) => {
      const shared = sumOf(names, chunkTerms, weight)
      const isNear = article.head.project === null || projects.has(article.head.project)
      const score = shared === 0 ? 0 : (2 * shared + sumOf(about, chunkTerms, weight)) * (isNear ? 2 : 1)
      return { article, score }
    })
    .toSorted((a, b) => b.score - a.score || byTime(a.article, b.article))
}

export interface RankedArticle {
  article: ExistingArticle
  /** Zero if no term of its names occurs in the text. */
  score: number
}

function nameTerms({ head }: ExistingArticle): Set<string> {
  return new Set([head.title, ...head.aliases, ...head.tags].flatMap(termsOf))
}

/** Rare terms weigh more. */
function weights(articles: readonly ReadonlySet<string>[]): (term: string) => number {
  const counts = new Map<string, number>()
  for (const terms of articles) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return (term) => Math.log(1 + articles.length / (counts.get(term) ?? 1))
}

function sumOf(terms: ReadonlySet<string>, said: ReadonlySet<string>, weight: (term: string) => number): number {
  let sum = 0
  for (const term of terms) if (said.has(term)) sum += weight(term)
  return sum
}

function byTime(a: ExistingArticle, b: ExistingArticle): number {
  return b.head.updated.localeCompare(a.head.updated) || (a.path < b.path ? -1 : 1)
}
