// Parses a query into terms, required phrases and excluded words.

import { parseQuery, type Query } from '../../search/query.ts'
import { termsOf } from '../../text/terms.ts'
import { lexemeOf } from './index-fields.ts'

export interface RecallPlan {
  query: Query
  terms: string[]
  phrases: string[][]
  excluded: string[][]
}

/** More terms, as in a pasted log, do not improve the result. */
const maxTerms = 24

export function planRecall(typed: string): RecallPlan {
  const query = parseQuery(storableText(typed))
  const phrases = [...query.phrases, query.filters.file ?? ''].map(termsOf).filter((terms) => terms.length > 0)
  const terms = [...new Set([...phrases.flat(), ...termsOf(query.text)])].filter(isForward).slice(0, maxTerms)
  const without = query.without.map(termsOf).filter((words) => words.length > 0)
  return { query, terms, phrases, excluded: without.slice(0, maxTerms) }
}

/** The database rejects NUL and lone surrogates. */
function storableText(text: string): string {
  return text.replaceAll('\u0000', ' ').toWellFormed()
}

/** Drops the reversed variants of long words. */
function isForward(term: string): boolean {
  return !term.startsWith('~')
}

/** The tsquery of a space for all or any of the terms, with required and excluded phrases. */
export function tsqueryOf(
  spaceId: string,
  { phrases, excluded: without }: RecallPlan,
  terms: readonly string[],
  how: 'all' | 'any',
) {
  const asked = terms.map((term) => termQuery(spaceId, term))
  const one = asked.length > 0 ? [`(${asked.join(how === 'all' ? ' & ' : ' | ')})`] : []
  const sequences = (all: readonly string[][]) =>
    all.map((words) => `(${words.map((term) => termQuery(spaceId, term)).join(' <-> ')})`)
  return [...one, ...sequences(phrases), ...sequences(without).map((words) => `!${words}`)].join(' & ')
}

/** A single character of a script without spaces is the prefix of an indexed pair. */
const isDense = /^[\u0e00-\u0fff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]$/

export function termQuery(spaceId: string, term: string): string {
  return `${lexemeOf(spaceId, term)}${isDense.test(term) ? ':*' : ''}`
}
