// Finds candidates by words (all words first, any word if those are too few) and by meaning.
import type { Services, SpaceAccess } from '../context.ts'
import type { Queries } from '../database/database.ts'
import {
  type ItemCandidate,
  type ItemFilter,
  type MatchOptions,
  matchTerms,
  matchText,
  type SpaceSearch,
  termShares,
} from '../store/search.ts'
import { ensureVectorTables, nearestItems } from '../store/vectors.ts'
import { type RecallPlan, termQuery, tsqueryOf } from './plan.ts'
import { importanceFactor, type ScoredCandidate, scoreCandidates } from './score.ts'

/**
 * Maximum number of scored items per space. More frequent words are left out in favour of rarer
 * ones.
 */
const maxMatches = 1500

export async function candidatesByWords(
  queries: Queries,
  accesses: readonly SpaceAccess[],
  plan: RecallPlan,
  typed: string,
  { limit, ...options }: MatchOptions & { limit: number },
): Promise<ScoredCandidate[]> {
  if (accesses.length === 0) return []
  if (plan.terms.length === 0) return candidatesByText(queries, accesses, plan, typed, options)
  const spaces = await termFrequencies(queries, accesses, plan, options)
  const [large, small] = [spaces.filter(({ isLarge }) => isLarge), spaces.filter(({ isLarge }) => !isLarge)]
  const first = await matchTerms(queries, [...small.map(anyTermsSearch), ...large.map(allTermsSearch)], options)
  const all = 2 ** plan.terms.length - 1
  const isShort = first.filter(({ hits }) => hits === all).length < limit
  const more = isShort && plan.terms.length > 1 ? await matchTerms(queries, large.map(anyTermsSearch), options) : []
  return scoreCandidates(mergeCandidates(first, more), plan.terms.length)
}

async function candidatesByText(
  queries: Queries,
  accesses: readonly SpaceAccess[],
  plan: RecallPlan,
  typed: string,
  filter: ItemFilter,
): Promise<ScoredCandidate[]> {
  const text = [...plan.query.phrases, plan.query.text].join(' ').trim() || typed.trim()
  if (text === '') return []
  return scoreCandidates(await matchText(queries, accesses, text.replaceAll('\u0000', '').toWellFormed(), filter), 0)
}

interface SpaceTerms {
  access: SpaceAccess
  plan: RecallPlan
  terms: string[]
  /** Small spaces need no counts: all of their items can be scored. */
  isLarge: boolean
  /** Estimated number of items with each term. */
  counts: number[]
  /** A filter may hide most of the latest items, so the index has to be searched. */
  isNarrowed: boolean
}

/** Skips empty spaces. */
async function termFrequencies(
  queries: Queries,
  accesses: readonly SpaceAccess[],
  plan: RecallPlan,
  { project, kind }: ItemFilter,
): Promise<SpaceTerms[]> {
  // The number of changes is an upper bound of the number of items.
  const spaces = accesses.flatMap((access) =>
    access.seq === 0 ? [] : [{ access, plan, terms: plan.terms.map((term) => termQuery(access.spaceId, term)) }],
  )
  const large = spaces.filter(({ access }) => access.seq > maxMatches)
  const shares = await termShares(queries, large)
  return spaces.map((space) => {
    const { access } = space
    const counts = plan.terms.map((_, index) => (shares.get(access.spaceId)?.[index] ?? 0) * access.seq)
    const isNarrowed = project !== undefined || kind !== undefined || access.projects !== null
    return { ...space, isLarge: access.seq > maxMatches, counts, isNarrowed }
  })
}

function allTermsSearch({ access, plan, terms, counts, isNarrowed }: SpaceTerms): SpaceSearch {
  const match = tsqueryOf(access.spaceId, plan, plan.terms, 'all')
  return { access, match, terms, isFrequent: !isNarrowed && Math.min(...counts) > maxMatches }
}

/** The rarest terms whose matches stay below the limit together. */
function anyTermsSearch({ access, plan, terms, counts, isNarrowed }: SpaceTerms): SpaceSearch {
  const rare: string[] = []
  let sum = 0
  for (const index of [...counts.keys()].sort((a, b) => counts[a]! - counts[b]!)) {
    sum += counts[index]!
    if (sum <= maxMatches) rare.push(plan.terms[index]!)
  }
  const match = tsqueryOf(access.spaceId, plan, rare.length > 0 ? rare : plan.terms, 'any')
  return { access, match, terms, isFrequent: !isNarrowed && rare.length === 0 }
}

function mergeCandidates(all: readonly ItemCandidate[], any: readonly ItemCandidate[]): ItemCandidate[] {
  const byPlace = [...all, ...any].map((candidate) => [`${candidate.space} ${candidate.id}`, candidate] as const)
  return [...new Map(byPlace).values()]
}

type MeaningCandidates = { kind: 'off' } | { kind: 'failed' } | { kind: 'used'; near: ScoredCandidate[] }

export async function candidatesByMeaning(
  services: Services,
  accesses: readonly SpaceAccess[],
  { query, phrases, excluded: without }: RecallPlan,
  filter: ItemFilter,
): Promise<MeaningCandidates> {
  const { embed, database } = services
  // Required and excluded words are only checked by the search by words.
  const isStrict = phrases.length + without.length > 0
  if (!embed || isStrict || query.text.trim() === '' || accesses.length === 0) return { kind: 'off' }
  if (!(await ensureVectorTables(database))) return { kind: 'failed' }
  try {
    const [vector] = await embed([query.text])
    const near = await nearestItems(database, accesses, { model: embed.model, vector: vector! }, filter)
    const scored = near.map((one) => ({ ...one, fit: one.likeness, score: one.likeness * importanceFactor(one) }))
    return { kind: 'used', near: scored.filter(({ likeness }) => likeness > 0).sort((a, b) => b.score - a.score) }
  } catch {
    return { kind: 'failed' }
  }
}
