// Signals of one polarity, type and locus are one pattern. They are added up as they come and not kept: a pattern needs their
// number, where they were, and a few to open.
import { createHash } from 'node:crypto'
import { hashTerm } from '../../text/term-hash.ts'
import type { Pattern } from '../pattern.ts'
import type { Signal } from '../signal.ts'
import { titleOf } from './titles.ts'

export interface Clusters {
  byKey: Map<string, Cluster>
  /** What was seen once so far: most of it is never seen again. */
  once: Map<string, Signal>
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

export function newClusters(): Clusters {
  return { byKey: new Map(), once: new Map() }
}

/** Signals of one session come together. */
export function addSignal({ byKey, once }: Clusters, signal: Signal): void {
  const key = keyOf(signal)
  const known = byKey.get(key)
  if (known) return add(known, signal)
  const first = once.get(key)
  if (!first) return keepOnce(once, key, signal)
  once.delete(key)
  const cluster = newCluster(first)
  byKey.set(key, cluster)
  add(cluster, first)
  add(cluster, signal)
}

function keyOf({ polarity, type, locus }: Signal): string {
  return `${polarity}\n${type}\n${locus}`
}

const maxOnce = 100_000

/** The oldest half makes room. */
function keepOnce(once: Map<string, Signal>, key: string, signal: Signal): void {
  once.set(key, signal)
  if (once.size <= maxOnce) return
  let left = maxOnce / 2
  for (const old of once.keys()) {
    if (left-- <= 0) break
    once.delete(old)
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

function add(cluster: Cluster, signal: Signal): void {
  cluster.frequency++
  cluster.times += signal.magnitude
  if (cluster.lastSession !== signal.session) {
    cluster.sessions++
    cluster.lastSession = signal.session
    cluster.evidence ^= hashTerm(signal.session)
  }
  if (signal.project !== null) cluster.projects.add(signal.project)
  cluster.agents.add(signal.agent)
  cluster.costUsd += signal.costUsd
  if (signal.atMs > 0 && signal.atMs < cluster.firstMs) cluster.firstMs = signal.atMs
  if (signal.atMs > cluster.lastMs) cluster.lastMs = signal.atMs
  keepExamples(cluster, signal)
}

const maxExamples = 3

function keepExamples({ best, strong }: Cluster, signal: Signal): void {
  const known = best.get(signal.agent)
  if (!known || isStronger(signal, known)) best.set(signal.agent, signal)
  const last = strong[maxExamples - 1]
  if (last && !isStronger(signal, last)) return
  const same = strong.findIndex(({ session }) => session === signal.session)
  if (same >= 0 && !isStronger(signal, strong[same]!)) return
  if (same >= 0) strong[same] = signal
  else if (last) strong[maxExamples - 1] = signal
  else strong.push(signal)
  strong.sort((a, b) => (isStronger(a, b) ? -1 : 1))
}

/** Of two that are alike the later one: it is easier to remember. */
function isStronger(a: Signal, b: Signal): boolean {
  if (a.magnitude !== b.magnitude) return a.magnitude > b.magnitude
  return a.atMs !== b.atMs ? a.atMs > b.atMs : a.session < b.session
}

/** A pattern needs two sessions at least: what happened in one is its own affair. */
export function patternsOf({ byKey }: Clusters): Pattern[] {
  return [...byKey.values()]
    .filter(({ sessions }) => sessions >= 2)
    .map(patternOf)
    .sort(byRank)
}

function patternOf(cluster: Cluster): Pattern {
  const { first, frequency, times, sessions, projects, agents, costUsd, firstMs, lastMs, evidence } = cluster
  return {
    id: `p-${createHash('sha256').update(keyOf(first)).digest('hex').slice(0, 10)}`,
    polarity: first.polarity,
    type: first.type,
    locus: first.locus,
    title: titleOf(first.type, first.locus, first.detail),
    frequency,
    times: rounded(times),
    sessions,
    projects: [...projects].sort(),
    agents: [...agents].sort(),
    crossAgent: agents.size > 1,
    costUsd: rounded(costUsd),
    firstMs: Number.isFinite(firstMs) ? firstMs : 0,
    lastMs,
    evidence: `${sessions}-${evidence.toString(16).padStart(6, '0')}`,
    examples: examplesOf(cluster).map(({ session, seq, detail }) => ({ session, seq, detail })),
  }
}

/** One of each agent first. */
function examplesOf({ best, strong }: Cluster): Signal[] {
  const ofAgents = [...best.values()].sort((a, b) => (isStronger(a, b) ? -1 : 1))
  const rest = strong.filter((signal) => !ofAgents.some(({ session }) => session === signal.session))
  return [...ofAgents, ...rest].slice(0, maxExamples)
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
