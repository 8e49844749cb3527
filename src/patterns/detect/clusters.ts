// Signals of one polarity, type and locus are one pattern. They are added up as they come and not kept: a pattern needs their
// number, where they were, and a few to open.
import { createHash } from 'node:crypto'
import type { Pattern } from '../pattern.ts'
import type { Signal } from '../signal.ts'
import { titleOf } from './titles.ts'

export interface Clusters {
  byKey: Map<string, Cluster>
  /** The session that signals come from at the moment, as a number. */
  session: string
  mark: number
}

export function newClusters(): Clusters {
  return { byKey: new Map(), session: '', mark: 0 }
}

interface Cluster {
  first: Signal
  frequency: number
  times: number
  sessions: number
  lastSession: string
  projects: Set<string>
  agents: Set<string>
  costUsd: number
  firstMs: number
  lastMs: number
  /** Of all its sessions, whatever their order. */
  evidence: number
  /** The strongest of each agent, and the strongest of all. */
  best: Map<string, Signal>
  strong: Signal[]
}

const mostClusters = 200_000

/** Signals of one session come together. */
export function addSignal(clusters: Clusters, signal: Signal): void {
  const key = `${signal.polarity}\n${signal.type}\n${signal.locus}`
  let cluster = clusters.byKey.get(key)
  if (!cluster) {
    if (clusters.byKey.size >= mostClusters) forgetSingle(clusters)
    cluster = newCluster(signal)
    clusters.byKey.set(key, cluster)
  }
  cluster.frequency++
  cluster.times += signal.magnitude
  if (cluster.lastSession !== signal.session) {
    cluster.sessions++
    cluster.lastSession = signal.session
    cluster.evidence ^= markOf(clusters, signal.session)
  }
  if (signal.project !== null) cluster.projects.add(signal.project)
  cluster.agents.add(signal.agent)
  cluster.costUsd += signal.costUsd
  if (signal.atMs > 0 && signal.atMs < cluster.firstMs) cluster.firstMs = signal.atMs
  if (signal.atMs > cluster.lastMs) cluster.lastMs = signal.atMs
  keepExamples(cluster, signal)
}

/** Session after session for a year, and never seen again: half of those make room. */
function forgetSingle({ byKey }: Clusters): void {
  let left = byKey.size / 2
  for (const [key, { sessions }] of byKey) {
    if (left-- <= 0) break
    if (sessions === 1) byKey.delete(key)
  }
}

function newCluster(first: Signal): Cluster {
  return {
    first,
    frequency: 0,
    times: 0,
    sessions: 0,
    lastSession: '',
    projects: new Set(),
    agents: new Set(),
    costUsd: 0,
    firstMs: Number.POSITIVE_INFINITY,
    lastMs: 0,
    evidence: 0,
    best: new Map(),
    strong: [],
  }
}

function markOf(clusters: Clusters, session: string): number {
  if (clusters.session !== session) {
    clusters.session = session
    clusters.mark = createHash('sha1').update(session).digest().readInt32BE()
  }
  return clusters.mark
}

const mostExamples = 3

function keepExamples({ best, strong }: Cluster, signal: Signal): void {
  const known = best.get(signal.agent)
  if (!known || isStronger(signal, known)) best.set(signal.agent, signal)
  if (strong.some(({ session }) => session === signal.session)) return
  if (strong.length < mostExamples) strong.push(signal)
  else if (isStronger(signal, strong[mostExamples - 1]!)) strong[mostExamples - 1] = signal
  strong.sort((a, b) => (isStronger(a, b) ? -1 : 1))
}

/** Of two that are alike the later one: it is easier to remember. */
function isStronger(a: Signal, b: Signal): boolean {
  if (a.magnitude !== b.magnitude) return a.magnitude > b.magnitude
  return a.atMs !== b.atMs ? a.atMs > b.atMs : a.session < b.session
}

/** A pattern needs two sessions at least: what happened in one is its own affair. */
export function patternsOf(clusters: Clusters, minFrequency: number): Pattern[] {
  return [...clusters.byKey.values()]
    .filter(({ frequency, sessions }) => sessions >= 2 && frequency >= minFrequency)
    .map(patternOf)
    .sort(byRank)
}

function patternOf(cluster: Cluster): Pattern {
  const { polarity, type, locus } = cluster.first
  const examples = examplesOf(cluster)
  return {
    id: `p-${createHash('sha256').update(`${polarity}\n${type}\n${locus}`).digest('hex').slice(0, 10)}`,
    polarity,
    type,
    locus,
    title: titleOf(type, locus, cluster.first.detail),
    frequency: cluster.frequency,
    times: rounded(cluster.times),
    sessions: cluster.sessions,
    projects: [...cluster.projects].sort(),
    agents: [...cluster.agents].sort(),
    crossAgent: cluster.agents.size > 1,
    costUsd: rounded(cluster.costUsd),
    firstMs: Number.isFinite(cluster.firstMs) ? cluster.firstMs : 0,
    lastMs: cluster.lastMs,
    evidence: `${cluster.sessions}-${(cluster.evidence >>> 0).toString(16).padStart(8, '0')}`,
    examples: examples.map(({ session, seq, detail }) => ({ session, seq, detail })),
  }
}

/** One of each agent first. */
function examplesOf({ best, strong }: Cluster): Signal[] {
  const ofAgents = [...best.values()].sort((a, b) => (isStronger(a, b) ? -1 : 1))
  const rest = strong.filter((signal) => !ofAgents.some(({ session }) => session === signal.session))
  return [...ofAgents, ...rest].slice(0, mostExamples)
}

/** Sums of floating numbers depend on their order in the last digits. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4
}

/** What several agents do is not one agent's weakness; then what is frequent, dear, recent. */
function byRank(a: Pattern, b: Pattern): number {
  return (
    Number(b.crossAgent) - Number(a.crossAgent) ||
    b.sessions - a.sessions ||
    b.costUsd - a.costUsd ||
    b.lastMs - a.lastMs ||
    (a.id < b.id ? -1 : 1)
  )
}
