// Detects patterns: digests become signals, signals of the same polarity, type and locus become a
// pattern. No model is used, and the same history gives the same patterns.

import { createHash } from 'node:crypto'
import type { Ledger } from '../../store/ledger.ts'
import { savePatterns } from '../../store/patterns/patterns.ts'
import { hashTerm } from '../../text/term-hash.ts'
import type { Pattern, Signal } from '../types.ts'
import { type ScanFilter, type ScanResult, scanSessions } from './scan.ts'
import { patternTitle } from './titles.ts'

/** Results of a filtered scan are not saved. */
export interface DetectOptions extends ScanFilter {
  /** Filters the returned patterns, not the saved ones. */
  minFrequency?: number
}

export interface Detection extends ScanResult {
  patterns: Pattern[]
}

export function detect(ledger: Ledger, { minFrequency = 0, ...part }: DetectOptions = {}): Detection {
  const clusters = createClusters()
  const looked = scanSessions(ledger, part, { onSignal: (signal) => addSignal(clusters, signal) })
  const patterns = toPatterns(clusters)
  if (part.project === undefined && part.agent === undefined) savePatterns(ledger, patterns)
  return { ...looked, patterns: patterns.filter(({ frequency }) => frequency >= minFrequency) }
}

interface SignalClusters {
  byKey: Map<string, SignalCluster>
  /** Signals seen once so far; most are never seen again, so no cluster is created yet. */
  once: Map<string, Signal>
}

interface SignalCluster {
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
  /** Hash of its sessions, independent of their order. */
  evidence: number
  /** The strongest signal of each agent, and the strongest of all. */
  best: Map<string, Signal>
  strong: Signal[]
}

function createClusters(): SignalClusters {
  return { byKey: new Map(), once: new Map() }
}

/** Signals of one session must arrive consecutively. Signals are aggregated, not stored. */
function addSignal({ byKey, once }: SignalClusters, signal: Signal): void {
  const key = keyOf(signal)
  const known = byKey.get(key)
  if (known) return addToCluster(known, signal)
  const first = once.get(key)
  if (!first) return keepOnce(once, key, signal)
  once.delete(key)
  const cluster = newCluster(first)
  byKey.set(key, cluster)
  addToCluster(cluster, first)
  addToCluster(cluster, signal)
}

function keyOf({ polarity, type, locus }: Signal): string {
  return `${polarity}\n${type}\n${locus}`
}

const maxOnce = 100_000

/** Drops the oldest half when full. */
function keepOnce(once: Map<string, Signal>, key: string, signal: Signal): void {
  once.set(key, signal)
  if (once.size <= maxOnce) return
  let left = maxOnce / 2
  for (const old of once.keys()) {
    if (left-- <= 0) break
    once.delete(old)
  }
}

function newCluster(first: Signal): SignalCluster {
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

function addToCluster(cluster: SignalCluster, signal: Signal): void {
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

function keepExamples({ best, strong }: SignalCluster, signal: Signal): void {
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

/** Of equal signals the later one, because people remember it better. */
function isStronger(a: Signal, b: Signal): boolean {
  if (a.magnitude !== b.magnitude) return a.magnitude > b.magnitude
  return a.atMs !== b.atMs ? a.atMs > b.atMs : a.session < b.session
}

/** A pattern needs at least two sessions. */
function toPatterns({ byKey }: SignalClusters): Pattern[] {
  return [...byKey.values()]
    .filter(({ sessions }) => sessions >= 2)
    .map(toPattern)
    .sort(byRank)
}

function toPattern(cluster: SignalCluster): Pattern {
  const { first, frequency, times, sessions, projects, agents, costUsd, firstMs, lastMs, evidence } = cluster
  return {
    id: `p-${createHash('sha256').update(keyOf(first)).digest('hex').slice(0, 10)}`,
    polarity: first.polarity,
    type: first.type,
    locus: first.locus,
    title: patternTitle(first.type, first.locus, first.detail),
    frequency,
    times: roundSum(times),
    sessions,
    projects: [...projects].sort(),
    agents: [...agents].sort(),
    crossAgent: agents.size > 1,
    costUsd: roundSum(costUsd),
    firstMs: Number.isFinite(firstMs) ? firstMs : 0,
    lastMs,
    evidence: `${sessions}-${evidence.toString(16).padStart(6, '0')}`,
    examples: examplesOf(cluster).map(({ session, seq, detail }) => ({ session, seq, detail })),
  }
}

/** One example per agent first. */
function examplesOf({ best, strong }: SignalCluster): Signal[] {
  const ofAgents = [...best.values()].sort((a, b) => (isStronger(a, b) ? -1 : 1))
  const rest = strong.filter((signal) => !ofAgents.some(({ session }) => session === signal.session))
  return [...ofAgents, ...rest].slice(0, maxExamples)
}

/** Floating-point sums depend on their order in the last digits. */
function roundSum(value: number): number {
  return Math.round(value * 1e4) / 1e4
}

/** Patterns of several agents first; then by frequency, cost and recency. */
function byRank(a: Pattern, b: Pattern): number {
  return (
    Number(b.crossAgent) - Number(a.crossAgent) ||
    b.sessions - a.sessions ||
    b.costUsd - a.costUsd ||
    b.lastMs - a.lastMs ||
    (a.id < b.id ? -1 : 1)
  )
}
