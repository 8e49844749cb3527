// retro: what stood in the way lately, project by project, with what to do about it, and what changed since the time before.
import type { Ledger } from '../../store/ledger.ts'
import { detectedPatterns } from '../../store/patterns/patterns.ts'
import { currentPublications } from '../../store/patterns/practices.ts'
import { titleOf } from '../detect/titles.ts'
import type { Pattern } from '../pattern.ts'
import type { Practice } from '../practice.ts'
import type { Signal } from '../signal.ts'
import { changesIn, holm, type OtherChange } from './effect.ts'
import type { Observation, Stratum } from './observation.ts'
import { observe, patternKey } from './observe.ts'
import { type Change, changeOfShares, isClear } from './shares.ts'
import { comparable } from './strata.ts'

export interface Retro {
  fromMs: number
  toMs: number
  /** The ones with most sessions first. */
  projects: ProjectRetro[]
}

export interface ProjectRetro {
  project: string | null
  agents: string[]
  sessions: number
  /** In the same time before. */
  sessionsBefore: number
  top: TopPattern[]
  /** Against the time before, as far as it is no chance. */
  better: Shift[]
  worse: Shift[]
}

export interface TopPattern {
  /** Null as long as `patterns detect` has not found it. */
  id: string | null
  title: string
  sessions: number
  times: number
  costUsd: number
  example: { session: string; seq: number | null; detail: string }
  todo:
    | { kind: 'follow'; practice: string; rule: string }
    | { kind: 'publish'; practice: string; rule: string }
    | { kind: 'review' }
    | { kind: 'detect' }
}

/** Of a pattern, or of something that is counted. */
export interface Shift extends Change {
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
/** Once is no pattern. */
const fewestSessions = 2

export function retro(ledger: Ledger, practices: readonly Practice[], options: RetroOptions): Retro {
  const { nowMs: toMs, days } = options
  const fromMs = toMs - days * dayMs
  const kinds: Kinds = new Map()
  const isLooked = ({ project, endedMs }: Observation) =>
    endedMs > fromMs - days * dayMs && endedMs <= toMs && (options.project === undefined || project === options.project)
  const { observations } = observe(
    ledger,
    (_, observation) => isLooked(observation),
    (signal, key, { endedMs }) => addKind(kinds, signal, { key, isNow: endedMs > fromMs }),
  )
  const todos = todoOf(ledger, practices)
  const projects = [...Map.groupBy(observations.filter(isLooked), ({ project }) => project)]
    .map(([project, all]) => projectRetro(project, all, { fromMs, kinds: kinds.get(project) ?? new Map(), todos }))
    .filter(({ sessions }) => sessions > 0)
    .sort((a, b) => b.sessions - a.sessions || ((a.project ?? '') < (b.project ?? '') ? -1 : 1))
  return { fromMs, toMs, projects }
}

/** By project and pattern, what lately happened of it. */
type Kinds = Map<string | null, Map<string, Kind>>

interface Kind {
  /** The strongest of the window, or else the first. */
  signal: Signal
  first: Signal
  /** Of the window, and of the time before. */
  sessions: Set<string>
  sessionsBefore: Set<string>
  times: number
  costUsd: number
}

function addKind(kinds: Kinds, signal: Signal, { key, isNow }: { key: string; isNow: boolean }): void {
  const ofProject = kinds.get(signal.project) ?? new Map<string, Kind>()
  kinds.set(signal.project, ofProject)
  const kind = ofProject.get(key) ?? newKind(signal)
  ofProject.set(key, kind)
  if (!isNow) {
    kind.sessionsBefore.add(signal.session)
    return
  }
  if (kind.sessions.size === 0 || signal.magnitude > kind.signal.magnitude) kind.signal = signal
  kind.sessions.add(signal.session)
  kind.times++
  kind.costUsd += signal.costUsd
}

function newKind(signal: Signal): Kind {
  return { signal, first: signal, sessions: new Set(), sessionsBefore: new Set(), times: 0, costUsd: 0 }
}

interface Looked {
  fromMs: number
  kinds: ReadonlyMap<string, Kind>
  todos: (key: string, project: string | null, agents: readonly string[]) => Pick<TopPattern, 'id' | 'todo'>
}

function projectRetro(
  project: string | null,
  all: readonly Observation[],
  { fromMs, kinds, todos }: Looked,
): ProjectRetro {
  const strata = [...Map.groupBy(all, ({ agent }) => agent).values()].map((ofAgent) => ({
    before: ofAgent.filter(({ endedMs }) => endedMs <= fromMs),
    after: ofAgent.filter(({ endedMs }) => endedMs > fromMs),
  }))
  const count = (side: keyof Stratum) => strata.reduce((sum, stratum) => sum + stratum[side].length, 0)
  const agents = [...new Set(strata.flatMap(({ after }) => after.map(({ agent }) => agent)))].sort()
  const top = [...kinds]
    .filter(([, { first, sessions }]) => first.polarity === 'problem' && sessions.size >= fewestSessions)
    .sort(
      ([one, a], [other, b]) => b.sessions.size - a.sessions.size || b.costUsd - a.costUsd || (one < other ? -1 : 1),
    )
    .filter(([, { first }], index, ranked) => ranked.findIndex(([, other]) => isSame(first, other.first)) === index)
    .slice(0, maxPatterns)
    .map(([key, kind]) => ({ ...topPattern(kind), ...todos(key, project, agents) }))
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

/** An error that is told as repeated and as recurring. */
function isSame(one: Signal, other: Signal): boolean {
  return one === other || (isError(one) && isError(other) && one.locus === other.locus)
}

function isError({ type }: Signal): boolean {
  return type === 'repeated error' || type === 'recurring error'
}

function topPattern({ signal, first, sessions, times, costUsd }: Kind): Omit<TopPattern, 'id' | 'todo'> {
  return {
    title: titleOf(first.type, first.locus, first.detail),
    sessions: sessions.size,
    times,
    costUsd: Math.round(costUsd * 1e4) / 1e4,
    example: { session: signal.session, seq: signal.seq, detail: signal.detail },
  }
}

interface Shifted extends Shift {
  isBetter: boolean
}

/** Many patterns are looked at: each is corrected for all the others (Holm). */
function patternShifts(strata: readonly Stratum[], kinds: ReadonlyMap<string, Kind>): Shifted[] {
  const looked = [...kinds].filter(([, kind]) => isWorthATest(kind))
  const whole = strata.map(({ before, after }) => ({ before: before.filter(isWhole), after: after.filter(isWhole) }))
  const changes = looked.flatMap(([key, { first }]) => {
    const occurs = ({ patterns }: Observation) => Number(patterns.includes(key))
    const samples = comparable(
      whole.map(({ before, after }) => ({ before: before.map(occurs), after: after.map(occurs) })),
    )
    if (samples.length === 0) return []
    return [{ first, ...changeOfShares(samples) }]
  })
  const corrected = holm(changes.map(({ p }) => p))
  return changes.flatMap(({ first, ...change }, index) => {
    if (!isClear({ ...change, p: corrected[index]! })) return []
    const isBetter = change.difference < 0 === (first.polarity === 'problem')
    return [{ what: titleOf(first.type, first.locus, first.detail), kind: 'share', ...change, isBetter } as const]
  })
}

/** What occurred less often, on both sides together, can never be told from chance. */
const fewestToTell = 6

/**
 * The same error is told as repeated and as recurring; once is enough. A way that helped or that works is no measure of how
 * often it was needed.
 */
function isWorthATest({ first: { polarity, type }, sessions, sessionsBefore }: Kind): boolean {
  if (sessions.size + sessionsBefore.size < fewestToTell || type === 'repeated error') return false
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

/** A practice in the catalogue, told to all who work there or not; else a decision, as soon as the pattern is detected. */
function todoOf(ledger: Ledger, practices: readonly Practice[]): Looked['todos'] {
  const detected = new Map(detectedPatterns<Pattern>(ledger).map((pattern) => [patternKey(pattern), pattern.id]))
  const approved = new Map(
    practices.flatMap((one) => (one.pattern && one.status === 'approved' ? [[patternKey(one.pattern), one]] : [])),
  )
  const published = currentPublications(ledger)
  return (key, project, agents) => {
    const practice = approved.get(key)
    const id = practice?.id ?? detected.get(key) ?? null
    if (!practice) return { id, todo: { kind: id === null ? 'detect' : 'review' } }
    const isTold = agents.some((agent) =>
      published.some(
        (row) => row.practice === practice.id && row.agent === agent && (row.project ?? project) === project,
      ),
    )
    return { id, todo: { kind: isTold ? 'follow' : 'publish', practice: practice.path, rule: practice.rule } }
  }
}
