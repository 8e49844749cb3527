// Retrospective per project: the top problems of a period, next steps, and changes since the period
// before.
import type { Ledger } from '../../store/ledger.ts'
import { detectedPatterns } from '../../store/patterns/patterns.ts'
import { currentPublications } from '../../store/patterns/practices.ts'
import { patternTitle } from '../detect/titles.ts'
import { createDraft } from '../review/draft.ts'
import { patternStates } from '../review/queue.ts'
import { countedTypes, type Pattern, type Practice, type Signal } from '../types.ts'
import { changesIn, holm, type OtherChange } from './effect.ts'
import type { Observation, Stratum } from './observe.ts'
import { observe, patternKey } from './observe.ts'
import { isClear, type MeasuredChange, proportionChange } from './proportions.ts'
import { nonEmptySamples } from './strata.ts'

export interface Retro {
  fromMs: number
  toMs: number
  /** End of the latest session with work, in the period or before; 0 where there is none. */
  latestMs: number
  /** Most sessions first. */
  projects: ProjectRetro[]
}

export interface ProjectRetro {
  project: string | null
  agents: string[]
  sessions: number
  /** Sessions in the period before. */
  sessionsBefore: number
  top: TopPattern[]
  /** Significant changes against the period before. */
  better: MetricShift[]
  worse: MetricShift[]
}

export interface TopPattern {
  id: string
  title: string
  /** All agents that the pattern was seen with, in any project. */
  agents: string[]
  crossAgent: boolean
  sessions: number
  times: number
  costUsd: number
  example: { session: string; seq: number | null; detail: string }
  todo:
    | { kind: 'follow'; practice: string; rule: string }
    | { kind: 'publish'; practice: string; rule: string }
    /** With the rule that is proposed. */
    | { kind: 'review'; rule: string }
}

/** Change of a pattern or a metric. */
export interface MetricShift extends MeasuredChange {
  what: string
  kind: OtherChange['kind']
}

export interface RetroOptions {
  days: number
  nowMs: number
  project?: string
}

const dayMs = 86_400_000
const maxPatterns = 3
const minSessions = 2

/** Uses the patterns of the last detection. */
export function retro(ledger: Ledger, practices: readonly Practice[], options: RetroOptions): Retro {
  const { nowMs: toMs, days } = options
  const fromMs = toMs - days * dayMs
  const kinds: PatternWindows = new Map()
  const isLooked = ({ project, endedMs }: Observation) =>
    endedMs > fromMs - days * dayMs && endedMs <= toMs && (options.project === undefined || project === options.project)
  const { observations } = observe(
    ledger,
    (_, observation) => isLooked(observation),
    (signal, key, { endedMs }) => addToWindow(kinds, signal, { key, isNow: endedMs > fromMs }),
  )
  const todos = nextSteps(ledger, practices, toMs)
  const projects = [...Map.groupBy(observations.filter(isLooked), ({ project }) => project)]
    .map(([project, all]) => projectRetro(project, all, { fromMs, kinds: kinds.get(project) ?? new Map(), todos }))
    .filter(({ sessions }) => sessions > 0)
    .sort((a, b) => b.sessions - a.sessions || ((a.project ?? '') < (b.project ?? '') ? -1 : 1))
  const latestMs = observations.reduce((latest, { endedMs }) => Math.max(latest, endedMs), 0)
  return { fromMs, toMs, latestMs, projects }
}

/** By project and pattern. */
type PatternWindows = Map<string | null, Map<string, PatternWindow>>

interface PatternWindow {
  /** The strongest signal of the period, else the first. */
  signal: Signal
  first: Signal
  /** Sessions of the period, and of the period before. */
  sessions: Set<string>
  sessionsBefore: Set<string>
  times: number
  costUsd: number
}

function addToWindow(kinds: PatternWindows, signal: Signal, { key, isNow }: { key: string; isNow: boolean }): void {
  const ofProject = kinds.get(signal.project) ?? new Map<string, PatternWindow>()
  kinds.set(signal.project, ofProject)
  const kind = ofProject.get(key) ?? createWindow(signal)
  ofProject.set(key, kind)
  if (!isNow) {
    kind.sessionsBefore.add(signal.session)
    return
  }
  if (kind.sessions.size === 0 || signal.magnitude > kind.signal.magnitude) kind.signal = signal
  kind.sessions.add(signal.session)
  kind.times += countedTypes.has(signal.type) ? signal.magnitude : 1
  kind.costUsd += signal.costUsd
}

function createWindow(signal: Signal): PatternWindow {
  return { signal, first: signal, sessions: new Set(), sessionsBefore: new Set(), times: 0, costUsd: 0 }
}

interface RetroInput {
  fromMs: number
  kinds: ReadonlyMap<string, PatternWindow>
  todos: NextSteps
}

function projectRetro(
  project: string | null,
  all: readonly Observation[],
  { fromMs, kinds, todos }: RetroInput,
): ProjectRetro {
  const strata = [...Map.groupBy(all, ({ agent }) => agent).values()].map((ofAgent) => ({
    before: ofAgent.filter(({ endedMs }) => endedMs <= fromMs),
    after: ofAgent.filter(({ endedMs }) => endedMs > fromMs),
  }))
  const count = (side: keyof Stratum) => strata.reduce((sum, stratum) => sum + stratum[side].length, 0)
  const agents = [...new Set(strata.flatMap(({ after }) => after.map(({ agent }) => agent)))].sort()
  const top = [...kinds]
    .filter(([, { first, sessions }]) => isTop(first) && sessions.size >= minSessions)
    .sort(
      ([one, a], [other, b]) => b.sessions.size - a.sessions.size || b.costUsd - a.costUsd || (one < other ? -1 : 1),
    )
    .flatMap(([key, kind]) => {
      const todo = todos(key, project, agents)
      return todo ? [{ ...topPattern(kind), ...todo }] : []
    })
    .slice(0, maxPatterns)
  const shifts = [...patternShifts(strata, kinds), ...countShifts(strata)]
  return {
    project,
    agents,
    sessions: count('after'),
    sessionsBefore: count('before'),
    top,
    better: shifts.filter(({ isBetter }) => isBetter).map(({ isBetter: _, ...shift }) => shift),
    worse: shifts.filter(({ isBetter }) => !isBetter).map(({ isBetter: _, ...shift }) => shift),
  }
}

/** A repeated error is also a recurring one. */
function isTop({ polarity, type }: Signal): boolean {
  return polarity === 'problem' && type !== 'repeated error'
}

function topPattern({ signal, first, sessions, times, costUsd }: PatternWindow): Omit<TopPattern, keyof NextStep> {
  return {
    title: patternTitle(first.type, first.locus, first.detail),
    sessions: sessions.size,
    times,
    costUsd: Math.round(costUsd * 1e4) / 1e4,
    example: { session: signal.session, seq: signal.seq, detail: signal.detail },
  }
}

interface Shifted extends MetricShift {
  isBetter: boolean
}

/** Many patterns are tested, so p values are corrected (Holm). */
function patternShifts(strata: readonly Stratum[], kinds: ReadonlyMap<string, PatternWindow>): Shifted[] {
  const looked = [...kinds].filter(([, kind]) => isWorthATest(kind))
  const whole = strata.map(({ before, after }) => ({ before: before.filter(isWhole), after: after.filter(isWhole) }))
  const changes = looked.flatMap(([key, { first }]) => {
    const occurs = ({ patterns }: Observation) => Number(patterns.includes(key))
    const samples = nonEmptySamples(
      whole.map(({ before, after }) => ({ before: before.map(occurs), after: after.map(occurs) })),
    )
    if (samples.length === 0) return []
    return [{ first, ...proportionChange(samples) }]
  })
  const corrected = holm(changes.map(({ p }) => p))
  return changes.flatMap(({ first, ...change }, index) => {
    if (!isClear({ ...change, p: corrected[index]! })) return []
    const isBetter = change.difference < 0 === (first.polarity === 'problem')
    return [{ what: patternTitle(first.type, first.locus, first.detail), kind: 'share', ...change, isBetter } as const]
  })
}

/** With fewer occurrences in both periods no test can be significant. */
const minOccurrences = 6

/**
 * Repeated errors are also recurring errors and are tested once. Recoveries and sequences do not
 * show how often they were needed.
 */
function isWorthATest({ first: { polarity, type }, sessions, sessionsBefore }: PatternWindow): boolean {
  if (sessions.size + sessionsBefore.size < minOccurrences || type === 'repeated error') return false
  return polarity === 'problem' || type === 'clean pass'
}

function isWhole(observation: Observation): boolean {
  return observation.isWhole
}

function countShifts(strata: readonly Stratum[]): Shifted[] {
  return changesIn(strata)
    .filter(({ verdict }) => verdict !== 'no clear change')
    .map(({ metric, verdict, corrected: _, ...change }) => ({
      what: metric,
      ...change,
      isBetter: verdict === 'better',
    }))
}

type NextStep = Pick<TopPattern, 'id' | 'agents' | 'crossAgent' | 'todo'>

/** Undefined for a pattern that was rejected, postponed or retired, or that is not proposed. */
type NextSteps = (key: string, project: string | null, agents: readonly string[]) => NextStep | undefined

/** Follow or publish an approved practice, else review the pattern. */
function nextSteps(ledger: Ledger, practices: readonly Practice[], nowMs: number): NextSteps {
  const patterns = patternStates(ledger, detectedPatterns<Pattern>(ledger), practices, nowMs)
  const byKey = new Map(patterns.map((queued) => [patternKey(queued.pattern), queued]))
  const published = currentPublications(ledger)
  return (key, project, agents) => {
    const queued = byKey.get(key)
    if (!queued) return undefined
    const { pattern, standing } = queued
    const about = { agents: pattern.agents, crossAgent: pattern.crossAgent }
    if (standing.kind === 'waiting')
      return { id: pattern.id, ...about, todo: { kind: 'review', rule: createDraft(pattern).rule } }
    if (standing.kind !== 'practice' || standing.practice.status === 'retired') return undefined
    const { id, path, rule } = standing.practice
    const isPublished = agents.some((agent) =>
      published.some((row) => row.practice === id && row.agent === agent && (row.project ?? project) === project),
    )
    return { id, ...about, todo: { kind: isPublished ? 'follow' : 'publish', practice: path, rule } }
  }
}
