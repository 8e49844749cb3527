// The sessions before and after a practice was published, of the projects and agents in which it was. The ones nearest to the
// publication count: the further away, the more else has changed.
import type { Publication } from '../../store/patterns/practices.ts'
import type { Observation, Stratum } from './observation.ts'

const dayMs = 86_400_000
const beforeMs = 180 * dayMs
/** Of one stratum on one side. */
const max = 300

export interface Sides {
  /** Sessions come in the order in which they ended. */
  take(observation: Observation): void
  strata(): Stratum[]
}

export function sidesOf(published: readonly Publication[]): Sides {
  const strata = new Map<string, Stratum>()
  return {
    take(observation) {
      if (!observation.isWhole) return
      const here = published.filter((row) => isIn(row, observation))
      const side = sideOf(here, observation)
      if (side === null) return
      const key = JSON.stringify([observation.project, observation.agent])
      const stratum = strata.get(key) ?? { before: [], after: [] }
      strata.set(key, stratum)
      if (side === 'after' && stratum.after.length >= max) return
      stratum[side].push(observation)
      if (stratum.before.length > max) stratum.before.shift()
    },
    strata: () => [...strata.values()],
  }
}

function isIn(row: Publication, { agent, project }: Observation): boolean {
  return row.agent === agent && (row.project === null || row.project === project)
}

/** Instructions are read at the start. A session that was under way at the publication is on no side, nor is one without it later. */
function sideOf(here: readonly Publication[], { startedMs, endedMs }: Observation): 'before' | 'after' | null {
  if (here.length === 0) return null
  const first = Math.min(...here.map(({ atMs }) => atMs))
  if (endedMs < first) return startedMs >= first - beforeMs ? 'before' : null
  const isPublished = here.some(
    ({ atMs, removedAtMs }) => startedMs >= atMs && (removedAtMs === null || startedMs < removedAtMs),
  )
  return isPublished ? 'after' : null
}
