// Warns of duplicate practices and of scopes with too many: agents follow few rules better than
// many.

import { plural } from '../../core/units.ts'
import { estimateTokens } from '../../text/tokens.ts'
import type { Practice, SignalType } from '../types.ts'
import { isOpposite, ruleSimilarity } from './rule-similarity.ts'

export interface CatalogueWarning {
  kind: 'same pattern' | 'same rule' | 'too many' | 'too long'
  practices: string[]
  text: string
}

const maxPractices = 15
const maxTokens = 1_500
const minSimilarity = 0.66

export function catalogueWarnings(practices: readonly Practice[]): CatalogueWarning[] {
  const approved = practices.filter(isApproved)
  return [
    ...approved.flatMap((one, index) => findDuplicates(one, approved.slice(index + 1))),
    ...scopeWarnings(approved),
  ]
}

/** Warnings that adding this practice would cause. */
export function warningsFor(practice: Practice, practices: readonly Practice[]): CatalogueWarning[] {
  const others = practices.filter((other) => isApproved(other) && other.id !== practice.id)
  const known = new Set(scopeWarnings(others).map(({ kind, place }) => `${kind} ${place}`))
  const fresh = scopeWarnings([...others, practice]).filter(({ kind, place }) => !known.has(`${kind} ${place}`))
  return [...findDuplicates(practice, others), ...fresh]
}

function isApproved({ status }: Practice): boolean {
  return status === 'approved'
}

function findDuplicates(one: Practice, others: readonly Practice[]): CatalogueWarning[] {
  return others.flatMap((other): CatalogueWarning[] => {
    if (!scopesOverlap(one, other)) return []
    const practices = [one.id, other.id]
    const names = `"${one.title}" and "${other.title}"`
    if (isSamePattern(one, other))
      return [{ kind: 'same pattern', practices, text: `${names} are about the same thing: keep one` }]
    if (ruleSimilarity(one.rule, other.rule) < minSimilarity) return []
    const what = isOpposite(one.rule, other.rule) ? 'may contradict each other' : 'say nearly the same'
    return [{ kind: 'same rule', practices, text: `${names} ${what}: keep one` }]
  })
}

/** Whether an agent in some project would get both. */
function scopesOverlap(one: Practice, other: Practice): boolean {
  const shares = (a: readonly string[], b: readonly string[]) =>
    a.length === 0 || b.length === 0 || a.some((item) => b.includes(item))
  return shares(one.agents, other.agents) && shares(one.projects, other.projects)
}

function isSamePattern({ pattern: one }: Practice, { pattern: other }: Practice): boolean {
  return one !== undefined && other !== undefined && isSameSubject(one, other)
}

type PatternSubject = NonNullable<Practice['pattern']>

export function isSameSubject(one: PatternSubject, other: PatternSubject): boolean {
  const plain = (locus: string) => locus.toLowerCase().replace(/\s+/g, ' ').trim()
  return errorFamily(one.type) === errorFamily(other.type) && plain(one.locus) === plain(other.locus)
}

/** Repeated and recurring errors have the same remedy. */
function errorFamily(type: SignalType): SignalType {
  return type === 'repeated error' ? 'recurring error' : type
}

interface ScopeWarning extends CatalogueWarning {
  place: string
}

function scopeWarnings(practices: readonly Practice[]): ScopeWarning[] {
  const projects = [...new Set(practices.flatMap((practice) => practice.projects))].toSorted()
  const everywhere = practices.filter((practice) => practice.projects.length === 0)
  const places = [
    { name: 'Every project', published: everywhere },
    ...projects.map((project) => ({
      name: project,
      published: practices.filter((one) => one.projects.length === 0 || one.projects.includes(project)),
    })),
  ]
  return places.flatMap(({ name: place, published }): ScopeWarning[] => {
    const ids = published.map(({ id }) => id)
    const tokens = published.reduce((sum, { rule }) => sum + estimateTokens(rule), 0)
    if (published.length > maxPractices) {
      const text = `${place} has ${plural(published.length, 'practice')}: agents follow few rules better than many (${maxPractices} at most)`
      return [{ kind: 'too many', place, practices: ids, text }]
    }
    if (tokens <= maxTokens) return []
    const text = `${place} has rules of about ${tokens} tokens: shorten them (${maxTokens} at most)`
    return [{ kind: 'too long', place, practices: ids, text }]
  })
}
