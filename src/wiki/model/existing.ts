// Articles that are there already, as far as one line of the index tells of them; their text is read only where it is needed.
import { type ArticleRow, deletedStamp } from '../../store/wiki/articles.ts'
import { slugKey, slugOf } from '../../text/slug.ts'
import { termsOf } from '../../text/terms.ts'
import { type Article, type ArticleHead, type ArticleKind, emptyHead } from '../article.ts'
import type { SectionToWrite } from '../sections.ts'

export interface ExistingArticle extends Omit<Article, 'sections'> {
  /** A person has deleted it. */
  isDeleted?: boolean
}

/** With its text, as a model was given it to read. */
export interface ShownArticle extends ExistingArticle {
  sections: readonly SectionToWrite[]
}

export function existingArticles(rows: readonly ArticleRow[]): ExistingArticle[] {
  return rows.map(({ path, kind, title, project, topic, summary, head, stamp }) => ({
    path,
    // As every row has been written.
    kind: kind as ArticleKind,
    summary,
    head: { ...emptyHead, ...(head as Partial<ArticleHead>), title, project, topic },
    ...(stamp === deletedStamp ? { isDeleted: true } : {}),
  }))
}

// Whether an article that a model names is there already under another name: an update is better than a near-duplicate.

interface ArticleNames {
  kind: ArticleKind
  title: string
  aliases: readonly string[]
  /** Null for what holds in several. */
  project: string | null
}

/**
 * The one with the same title, else one that is an alias of the other, else one with the same words; undefined where it is new.
 * Two that only share an alias are two: models give such names away freely.
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

/** The same words in two projects are two things. */
function isSameScope(one: string | null, other: string | null): boolean {
  return one === other || one === null || other === null
}

const minSharedWords = 0.75

/** `Retry policy for webhooks` and `Webhook retry policy`; numbers tell apart, as in `API 2` and `API 3`. */
function hasSameWords(one: string, other: string): boolean {
  const [mine, theirs] = [new Set(termsOf(one)), new Set(termsOf(other))]
  const shared = [...mine].filter((term) => theirs.has(term)).length
  const isNumber = (term: string) => /\d/.test(term)
  const apart = [...new Set([...mine, ...theirs])].filter((term) => !(mine.has(term) && theirs.has(term)))
  return shared >= 2 && shared / (shared + apart.length) >= minSharedWords && !apart.some(isNumber)
}

// Which articles a part of the journal may be about: those whose names share words with it, rare words before common ones. Only
// these are shown to the model, and of the index as much as there is room for; never the whole wiki.

/** The closest first; those that share nothing come last, the latest first. */
export function rankArticles(
  known: readonly ExistingArticle[],
  chunk: string,
  projects: ReadonlySet<string>,
): RankedArticle[] {
  const said = new Set(termsOf(chunk))
  const articles = known.map((article) => ({
    article,
    names: nameTerms(article),
    about: new Set(termsOf(article.summary)),
  }))
  const weight = weights(articles.map(({ names, about }) => new Set([...names, ...about])))
  return articles
    .map(({ article, names, about }) => {
      const shared = sumOf(names, said, weight)
      const isNear = article.head.project === null || projects.has(article.head.project)
      const score = shared === 0 ? 0 : (2 * shared + sumOf(about, said, weight)) * (isNear ? 2 : 1)
      return { article, score }
    })
    .toSorted((a, b) => b.score - a.score || byTime(a.article, b.article))
}

export interface RankedArticle {
  article: ExistingArticle
  /** 0 where no word of its names stands in the text. */
  score: number
}

function nameTerms({ head }: ExistingArticle): Set<string> {
  return new Set([head.title, ...head.aliases, ...head.tags].flatMap(termsOf))
}

/** The rarer a term is among articles, the more it tells. */
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
