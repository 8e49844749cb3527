// Baseline of all sessions and of each project and agent. Uses sums and one histogram per group, so
// memory does not depend on the number of sessions.

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Layout } from '../../core/paths.ts'
import type { Outcome } from '../../digest/outcome.ts'
import type { Observation } from './observe.ts'
import { shareInterval } from './proportions.ts'

export interface Baseline {
  all: BaselineTotals | null
  /** Most sessions first. */
  groups: BaselineRow[]
}

export interface BaselineRow extends BaselineTotals {
  /** Null for sessions without a project. */
  project: string | null
  agent: string
}

export interface BaselineTotals {
  sessions: number
  /** Errors per call. */
  errorRate: number
  /** Average per session. */
  retries: number
  corrections: number
  schemaErrors: number
  /** Share of calls that manage the work. */
  overhead: number
  /** Sessions with known tokens, accurate to 2 %; null where there are none. */
  tokensMedian: number | null
  tokensP90: number | null
  /** Sessions by outcome; every session has one. */
  outcomes: Record<Outcome, number>
  /** Share of all sessions that ended in success; null in figures saved when only some were counted. */
  success: number | null
  /** 95 % interval of `success`. */
  successInterval: [number, number] | null
  firstMs: number
  lastMs: number
}

export interface BaselineBuilder {
  take(observation: Observation): void
  baseline(): Baseline
}

export function createBaseline(): BaselineBuilder {
  const all = createGroup(null, '')
  const groups = new Map<string, BaselineGroup>()
  return {
    take(observation) {
      const { project, agent } = observation
      const key = JSON.stringify([project, agent])
      const group = groups.get(key) ?? createGroup(project, agent)
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

interface BaselineGroup {
  project: string | null
  agent: string
  sessions: number
  calls: number
  errors: number
  retries: number
  corrections: number
  schemaErrors: number
  overheadCalls: number
  outcomes: Record<Outcome, number>
  /** Histogram of the logarithm of tokens. */
  tokens: Map<number, number>
  firstMs: number
  lastMs: number
}

function createGroup(project: string | null, agent: string): BaselineGroup {
  const counts = { sessions: 0, calls: 0, errors: 0, retries: 0, corrections: 0, schemaErrors: 0, overheadCalls: 0 }
  const times = { firstMs: Number.POSITIVE_INFINITY, lastMs: 0 }
  return { project, agent, ...counts, outcomes: noOutcomes(), tokens: new Map(), ...times }
}

function noOutcomes(): Record<Outcome, number> {
  return { success: 0, waiting: 0, open: 0, fail: 0, abandoned: 0, unknown: 0 }
}

/** Width of a histogram bin. */
const logStep = Math.log(1.02)

function count(group: BaselineGroup, observation: Observation): void {
  group.sessions++
  group.calls += observation.calls
  group.errors += observation.errors
  group.retries += observation.retries
  group.corrections += observation.corrections
  group.schemaErrors += observation.schemaErrors
  group.overheadCalls += observation.overheadCalls
  // Some agents record no times.
  if (observation.startedMs > 0) group.firstMs = Math.min(group.firstMs, observation.startedMs)
  group.lastMs = Math.max(group.lastMs, observation.endedMs)
  group.outcomes[observation.outcome]++
  if (!observation.tokens) return
  const step = Math.round(Math.log(observation.tokens) / logStep)
  group.tokens.set(step, (group.tokens.get(step) ?? 0) + 1)
}

function totalsOf(group: BaselineGroup): BaselineTotals {
  const { sessions, calls, outcomes, firstMs, lastMs } = group
  const success = outcomes.success / sessions
  return {
    sessions,
    errorRate: calls === 0 ? 0 : group.errors / calls,
    retries: group.retries / sessions,
    corrections: group.corrections / sessions,
    schemaErrors: group.schemaErrors / sessions,
    overhead: calls === 0 ? 0 : group.overheadCalls / calls,
    tokensMedian: quantile(group.tokens, 0.5),
    tokensP90: quantile(group.tokens, 0.9),
    outcomes: { ...outcomes },
    success,
    successInterval: shareInterval(success, sessions),
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

function byPlace(a: BaselineGroup, b: BaselineGroup): number {
  return b.sessions - a.sessions || compare(a.project ?? '', b.project ?? '') || compare(a.agent, b.agent)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

export interface SavedBaseline {
  at: string
  /** Null for all projects. */
  project: string | null
  /** What the user calls it. */
  label?: string
  /** Start of the sessions that were measured; all when undefined. */
  since?: string
  /** Figures of earlier versions have no `outcomes`. */
  all: Omit<BaselineTotals, 'outcomes'> & Partial<Pick<BaselineTotals, 'outcomes'>>
}

export function saveBaseline(layout: Layout, baseline: SavedBaseline): void {
  const file = baselineFile(layout)
  const isCutOff = existsSync(file) && !/(?:^|\n)$/.test(readFileSync(file, 'utf8'))
  appendFileSync(file, `${isCutOff ? '\n' : ''}${JSON.stringify(baseline)}\n`, { mode: 0o600 })
}

/** The last saved baseline of the same project; truncated lines are skipped. */
export function lastBaseline(layout: Layout, project: string | null): SavedBaseline | null {
  if (!existsSync(baselineFile(layout))) return null
  const lines = readFileSync(baselineFile(layout), 'utf8').split('\n').map(parseLine)
  return lines.findLast((saved) => saved?.project === project) ?? null
}

function parseLine(line: string): SavedBaseline | undefined {
  try {
    const saved = JSON.parse(line) as SavedBaseline
    if (typeof saved?.at !== 'string' || typeof saved.all !== 'object') return undefined
    // Figures of a version that left sessions out are not comparable.
    return saved.all.outcomes ? saved : { ...saved, all: { ...saved.all, success: null, successInterval: null } }
  } catch {
    return undefined
  }
}

function baselineFile(layout: Layout): string {
  return join(layout.root, 'baselines.jsonl')
}
