// How work goes: the whole, and each project with each agent. Sums and one histogram per group, whatever the number of sessions.
import type { Observation } from './observation.ts'

export interface Baseline {
  all: Totals | null
  /** The ones with most sessions first. */
  groups: BaselineRow[]
}

export interface BaselineRow extends Totals {
  /** Null where sessions belong to none. */
  project: string | null
  agent: string
}

export interface Totals {
  sessions: number
  /** Errors per call. */
  errorRate: number
  /** A session. */
  retries: number
  corrections: number
  schemaErrors: number
  /** Calls that served the agent and not the work, of all. */
  overhead: number
  /** Of sessions that tell; within two in a hundred. Null where none does. */
  tokensMedian: number | null
  tokensP90: number | null
  /** Of sessions that tell how they ended. */
  success: number | null
  firstMs: number
  lastMs: number
}

export interface BaselineFold {
  take(observation: Observation): void
  baseline(): Baseline
}

export function newBaseline(): BaselineFold {
  const all = newGroup(null, '')
  const groups = new Map<string, Group>()
  return {
    take(observation) {
      const { project, agent } = observation
      const key = JSON.stringify([project, agent])
      const group = groups.get(key) ?? newGroup(project, agent)
      groups.set(key, group)
      for (const one of [all, group]) count(one, observation)
    },
    baseline: () => ({
      all: all.sessions === 0 ? null : totalsOf(all),
      groups: [...groups.values()]
        .sort(byPlace)
        .map((group) => ({ project: group.project, agent: group.agent, ...totalsOf(group) })),
    }),
  }
}

interface Group {
  project: string | null
  agent: string
  sessions: number
  calls: number
  errors: number
  retries: number
  corrections: number
  schemaErrors: number
  overheadCalls: number
  successes: number
  known: number
  /** Sessions by the logarithm of their tokens. */
  tokens: Map<number, number>
  firstMs: number
  lastMs: number
}

function newGroup(project: string | null, agent: string): Group {
  const counts = { sessions: 0, calls: 0, errors: 0, retries: 0, corrections: 0, schemaErrors: 0, overheadCalls: 0 }
  const times = { firstMs: Number.POSITIVE_INFINITY, lastMs: 0 }
  return { project, agent, ...counts, successes: 0, known: 0, tokens: new Map(), ...times }
}

/** A step of the histogram. */
const logStep = Math.log(1.02)

function count(group: Group, observation: Observation): void {
  group.sessions++
  group.calls += observation.calls
  group.errors += observation.errors
  group.retries += observation.retries
  group.corrections += observation.corrections
  group.schemaErrors += observation.schemaErrors
  group.overheadCalls += observation.overheadCalls
  // Some agents write no times.
  if (observation.startedMs > 0) group.firstMs = Math.min(group.firstMs, observation.startedMs)
  group.lastMs = Math.max(group.lastMs, observation.endedMs)
  if (observation.isSuccess !== null) group.known++
  if (observation.isSuccess) group.successes++
  if (!observation.tokens) return
  const step = Math.round(Math.log(observation.tokens) / logStep)
  group.tokens.set(step, (group.tokens.get(step) ?? 0) + 1)
}

function totalsOf(group: Group): Totals {
  const { sessions, calls, known, firstMs, lastMs } = group
  return {
    sessions,
    errorRate: calls === 0 ? 0 : group.errors / calls,
    retries: group.retries / sessions,
    corrections: group.corrections / sessions,
    schemaErrors: group.schemaErrors / sessions,
    overhead: calls === 0 ? 0 : group.overheadCalls / calls,
    tokensMedian: quantile(group.tokens, 0.5),
    tokensP90: quantile(group.tokens, 0.9),
    success: known === 0 ? null : group.successes / known,
    firstMs: Number.isFinite(firstMs) ? firstMs : 0,
    lastMs,
  }
}

function quantile(tokens: ReadonlyMap<number, number>, part: number): number | null {
  const steps = [...tokens].sort(([a], [b]) => a - b)
  const wanted = part * steps.reduce((all, [, sessions]) => all + sessions, 0)
  let passed = 0
  for (const [step, sessions] of steps) {
    passed += sessions
    if (passed >= wanted) return Math.round(Math.exp(step * logStep))
  }
  return null
}

function byPlace(a: Group, b: Group): number {
  return b.sessions - a.sessions || compare(a.project ?? '', b.project ?? '') || compare(a.agent, b.agent)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
