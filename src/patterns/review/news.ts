// What a person decided about a pattern holds until it stands on something else: a little more of the same is no news.
import type { ReviewedEvidence } from '../../store/patterns/practices.ts'
import type { Pattern } from '../pattern.ts'

export function evidenceOf({ evidence, frequency, agents, projects }: Pattern): ReviewedEvidence {
  return { evidence, frequency, agents, projects: projects.length }
}

const muchMore = 2

/** In words for people; undefined where nothing has changed that could change a mind. */
export function newsSince(
  then: ReviewedEvidence,
  { evidence, frequency, agents, projects }: Pattern,
): string | undefined {
  if (then.evidence === evidence) return undefined
  const fresh = agents.filter((agent) => !then.agents.includes(agent))
  if (fresh.length > 0) return `now also with ${fresh.join(', ')}`
  if (frequency >= muchMore * then.frequency) return `seen ${frequency} times, ${then.frequency} then`
  if (then.projects !== null && projects.length >= muchMore * Math.max(1, then.projects))
    return `in ${projects.length} projects, ${then.projects} then`
  return undefined
}
