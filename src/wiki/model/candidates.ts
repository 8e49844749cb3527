// Which articles a part of the journal may be about: those whose names share words with it, rare words before common ones. Only
// these are shown to the model, and of the index as much as there is room for; never the whole wiki.
import { termsOf } from '../../text/terms.ts'
import type { Known } from './known.ts'

/** The closest first; those that share nothing come last, the latest first. */
export function ranked(known: readonly Known[], chunk: string, projects: ReadonlySet<string>): Ranked[] {
  const said = new Set(termsOf(chunk))
  const articles = known.map((article) => ({
    article,
    names: namesOf(article),
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

export interface Ranked {
  article: Known
  /** 0 where no word of its names stands in the text. */
  score: number
}

function namesOf({ head }: Known): Set<string> {
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

function byTime(a: Known, b: Known): number {
  return b.head.updated.localeCompare(a.head.updated) || (a.path < b.path ? -1 : 1)
}
