// Collects the sessions before and after a practice was published, for its projects and agents.
// Only those nearest to the publication count, because more else changes with time.
import type { Publication } from '../../store/patterns/practices.ts'
import type { Observation, Stratum } from './observe.ts'

const dayMs = 86_400_000
const beforeMs = 180 * dayMs
/** Limit per stratum and cohort. */
const maxPerCohort = 300

export interface Cohorts {
  /** Sessions must arrive in the order of their end. */
  take(observation: Observation): void
  strata(): Stratum[]
}

export function createCohorts(published: readonly Publication[]): Cohorts {
  const strata = new Map<string, Stratum>()
  return {
    take(observation) {
      if (!observation.isWhole) return
      const here = published.filter((row) => matchesPublication(row, observation))
      const side = cohortOf(here, observation)
      if (side === null) return
      const key = JSON.stringify([observation.project, observation.agent])
      const stratum = strata.get(key) ?? { before: [], after: [] }
      strata.set(key, stratum)
      if (side === 'after' && stratum.after.length >= maxPerCohort) return
      stratum[side].push(observation)
      if (stratum.before.length > maxPerCohort) stratum.before.shift()
    },
    strata: () => [...strata.values()],
  }
}

function matchesPublication(row: Publication, { agent, project }: Observation): boolean {
  return row.agent === agent && (row.project === null || row.project === project)
}

/**
 * Instructions are read at the start: sessions during the publication and later ones without it are
 * left out.
 */
function cohortOf(here: readonly Publication[], { startedMs, endedMs }: Observation): 'before' | 'after' | null {
  if (here.length === 0) return null
  const first = Math.min(...here.map(({ atMs }) => atMs))
  if (endedMs < first) return startedMs >= first - beforeMs ? 'before' : null
  const isPublished = here.some(
    ({ atMs, removedAtMs }) => startedMs >= atMs && (removedAtMs === null || startedMs < removedAtMs),
  )
  return isPublished ? 'after' : null
}
