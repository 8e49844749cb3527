// Turns the filters of a query (`agent:`, `project:`, `since:`, `kind:`) into search options.
// Command-line flags take precedence.
import { agentNamed, type NamedAgent } from '../core/agent-names.ts'
import { UserError } from '../core/errors.ts'
import type { ProjectRules } from '../core/project/project.ts'
import { parseSince, type Zone } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { nearest } from '../text/nearest.ts'
import type { Query } from './query.ts'
import { resolveProject } from './resolve-project.ts'
import type { SearchKind, SearchOptions } from './search.ts'

export interface FilterContext {
  ledger: Ledger
  rules: ProjectRules
  agents: readonly NamedAgent[]
  zone: Zone
  nowMs: number
}

/** Names of kinds as typed; `sessions` means exchanges and digests. */
const kindNames: Record<string, SearchKind[]> = {
  memory: ['memory'],
  memories: ['memory'],
  exchange: ['exchange'],
  session: ['exchange', 'digest'],
  sessions: ['exchange', 'digest'],
  digest: ['digest'],
  commit: ['commit'],
  commits: ['commit'],
  article: ['article'],
  wiki: ['article'],
  journal: ['journal'],
}

export function searchFilters({ filters }: Query, context: FilterContext): Partial<SearchOptions> {
  const { agent, project, since, kind } = filters
  const sinceMs = since === undefined ? undefined : parseSince(since, context)
  if (sinceMs !== undefined && Number.isNaN(sinceMs))
    throw new UserError(
      `since: must be a date or a duration, not "${since}"`,
      'For example: since:7d or since:2026-09-01',
    )
  return {
    ...(agent === undefined ? {} : { agent: agentNamed(context.agents, agent).id }),
    ...(project === undefined ? {} : { project: resolveProject(context.ledger, project, context.rules) }),
    ...(sinceMs === undefined ? {} : { sinceMs }),
    ...(kind === undefined ? {} : { kinds: parseKinds([kind]) }),
  }
}

export function parseKinds(names: readonly string[]): SearchKind[] {
  return names.flatMap((name) => kindNames[requireKnown('kind', name, Object.keys(kindNames))]!)
}

function requireKnown(what: string, value: string, names: readonly string[]): string {
  if (names.includes(value)) return value
  const suggestion = nearest(value, [...names])
  throw new UserError(
    `Unknown ${what} "${value}"`,
    suggestion ? `Did you mean ${suggestion}?` : `Known: ${names.join(', ')}`,
  )
}
