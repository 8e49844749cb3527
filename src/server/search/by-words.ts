// The candidates that have the words: all of them first, and any of them where those are too few.
import type { Access } from '../caller.ts'
import type { Queries } from '../database/database.ts'
import { type Asked, type Candidate, containing, type Filter, matching, sizesOf } from './candidates.ts'
import { type Plan, termQuery, tsqueryOf } from './plan.ts'
import { type Scored, scoreAll } from './score.ts'

/** So many items of one space are weighed at most. A word that is in more is left to those that tell more. */
const maxMatches = 1500

export async function byWords(
  queries: Queries,
  accesses: readonly Access[],
  plan: Plan,
  typed: string,
  { limit, ...filter }: Filter & { limit: number },
): Promise<Scored[]> {
  if (accesses.length === 0) return []
  if (plan.terms.length === 0) return asItStands(queries, accesses, plan, typed, filter)
  const spaces = await frequencies(queries, accesses, plan, filter)
  const [large, small] = [spaces.filter(({ isLarge }) => isLarge), spaces.filter(({ isLarge }) => !isLarge)]
  const first = await matching(queries, [...small.map(anyOf), ...large.map(allOf)], filter)
  const isShort = first.filter(({ hits }) => hits.length === plan.terms.length).length < limit
  const more = isShort && plan.terms.length > 1 ? await matching(queries, large.map(anyOf), filter) : []
  return scoreAll(together(first, more), plan.terms.length)
}

async function asItStands(
  queries: Queries,
  accesses: readonly Access[],
  plan: Plan,
  typed: string,
  filter: Filter,
): Promise<Scored[]> {
  const text = [...plan.query.phrases, plan.query.text].join(' ').trim() || typed.trim()
  if (text === '') return []
  return scoreAll(await containing(queries, accesses, text.replaceAll('\u0000', '').toWellFormed(), filter), 0)
}

interface Space {
  access: Access
  plan: Plan
  terms: string[]
  /** Others need no counting: all of their items could be weighed, so any of the words will do at once. */
  isLarge: boolean
  /** In how many items each term is, about. */
  counts: number[]
  /** Of the latest items, few may be among those that are asked for: the index has to be walked to its end. */
  isNarrowed: boolean
}

/** Of the spaces that have anything. */
async function frequencies(
  queries: Queries,
  accesses: readonly Access[],
  plan: Plan,
  { project, kind }: Filter,
): Promise<Space[]> {
  const spaces = accesses.map((access) => ({
    access,
    plan,
    terms: plan.terms.map((term) => termQuery(access.spaceId, term)),
  }))
  const sizes = new Map((await sizesOf(queries, spaces, maxMatches)).map((size) => [size.spaceId, size]))
  return spaces.flatMap((space) => {
    const size = sizes.get(space.access.spaceId)
    if (!size || size.items === 0) return []
    const counts = plan.terms.map((_, index) => (size.shares[index] ?? 0) * size.items)
    const isNarrowed = project !== undefined || kind !== undefined || space.access.projects !== null
    return [{ ...space, isLarge: size.items > maxMatches, counts, isNarrowed }]
  })
}

function allOf({ access, plan, terms, counts, isNarrowed }: Space): Asked {
  const match = tsqueryOf(access.spaceId, plan, plan.terms, 'all')
  return { access, match, terms, isFrequent: !isNarrowed && Math.min(...counts) > maxMatches }
}

/** The rarest terms, as long as what has them stays few. */
function anyOf({ access, plan, terms, counts, isNarrowed }: Space): Asked {
  const rare: string[] = []
  let sum = 0
  for (const index of [...counts.keys()].sort((a, b) => counts[a]! - counts[b]!)) {
    sum += counts[index]!
    if (sum <= maxMatches) rare.push(plan.terms[index]!)
  }
  const match = tsqueryOf(access.spaceId, plan, rare.length > 0 ? rare : plan.terms, 'any')
  return { access, match, terms, isFrequent: !isNarrowed && rare.length === 0 }
}

function together(all: readonly Candidate[], any: readonly Candidate[]): Candidate[] {
  const byPlace = [...all, ...any].map((candidate) => [`${candidate.space} ${candidate.id}`, candidate] as const)
  return [...new Map(byPlace).values()]
}
