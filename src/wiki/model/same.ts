// Whether an article that a model names is there already under another name: an update is better than a near-duplicate.

import { slugKey, slugOf } from '../../text/slug.ts'
import { termsOf } from '../../text/terms.ts'
import type { ArticleKind } from '../article.ts'
import type { Known } from './known.ts'

export interface Named {
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
export function sameArticle(named: Named, known: readonly Known[]): Known | undefined {
  const near = known.filter(({ kind, head }) => kind === named.kind && isNear(head.project, named.project))
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
function isNear(one: string | null, other: string | null): boolean {
  return one === other || one === null || other === null
}

const enough = 0.75

/** `Retry policy for webhooks` and `Webhook retry policy`; numbers tell apart, as in `API 2` and `API 3`. */
function hasSameWords(one: string, other: string): boolean {
  const [mine, theirs] = [new Set(termsOf(one)), new Set(termsOf(other))]
  const shared = [...mine].filter((term) => theirs.has(term)).length
  const isNumber = (term: string) => /\d/.test(term)
  const apart = [...new Set([...mine, ...theirs])].filter((term) => !(mine.has(term) && theirs.has(term)))
  return shared >= 2 && shared / (shared + apart.length) >= enough && !apart.some(isNumber)
}
