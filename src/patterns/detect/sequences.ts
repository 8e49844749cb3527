// Finds command sequences that succeed in the same order in several sessions: candidates for a
// skill.
import type { Signal } from '../types.ts'
import { createSignal, type ScannedSession, type SignalSource } from './scanned-session.ts'

/** Steps of all sessions as numbers; they are scanned once per sequence length. */
export interface Sequences {
  numbers: Map<string, number>
  names: string[]
  sessions: { session: SignalSource; steps: number[] }[]
}

export function createSequences(): Sequences {
  return { numbers: new Map(), names: [], sessions: [] }
}

const minSteps = 3
const maxSteps = 6
const minSessions = 5
/** Maximum share of sessions in which the sequence was tried and never succeeded. */
const maxFailing = 0.2
/** Limit of compared candidates, most frequent first; the comparison is quadratic. */
const maxCompared = 1000

/** A failed step is stored as a negative number. */
export function addSteps(sequences: Sequences, session: ScannedSession): void {
  const steps = session.state.friction?.steps ?? []
  if (steps.length < minSteps) return
  const { uid, agent, project, endedMs, toolCalls, costUsd } = session
  sequences.sessions.push({
    session: { uid, agent, project, endedMs, toolCalls, costUsd },
    steps: steps.map((step) =>
      step.startsWith('!') ? -stepNumber(sequences, step.slice(1)) : stepNumber(sequences, step),
    ),
  })
}

function stepNumber({ numbers, names }: Sequences, name: string): number {
  const known = numbers.get(name)
  if (known !== undefined) return known
  names.push(name)
  numbers.set(name, names.length)
  return names.length
}

/** A generator, because a long history has too many signals to hold. */
export function* commandSequences({ sessions, names }: Sequences): Generator<Signal> {
  const candidates = [...frequentSequences(sessions.map(({ steps }) => steps))]
    .map(([key, { worked }]) => ({ steps: key.split(' ').map((step) => names[Number(step) - 1]!), worked }))
    .filter(({ steps }) => steps.some((step) => !isGit.test(step)))
    .sort((a, b) => b.worked.length - a.worked.length || (a.steps.join() < b.steps.join() ? -1 : 1))
    .slice(0, maxCompared)
  for (const { steps, worked } of removeSubsequences(candidates)) {
    const locus = steps.join(' && ')
    const found = {
      type: 'command sequence',
      polarity: 'success',
      locus,
      magnitude: 1,
      detail: 'all succeeded',
    } as const
    for (const index of worked) yield createSignal(sessions[index]!.session, found)
  }
}

interface SequenceCounts {
  /** Indices of sessions in which it succeeded; `tried` counts all attempts. */
  worked: number[]
  tried: number
}

function frequentSequences(sessions: number[][]): Map<string, SequenceCounts> {
  const all = new Map<string, SequenceCounts>()
  for (let length = minSteps; length <= maxSteps; length++) {
    const found = new Map<string, SequenceCounts>()
    const counts = roughCounts(sessions, length)
    for (const [index, steps] of sessions.entries()) countWindows(found, index, steps, length, counts)
    const kept = [...found].filter(
      ([, { worked, tried }]) => worked.length >= minSessions && (tried - worked.length) / tried <= maxFailing,
    )
    if (kept.length === 0) break
    for (const [key, tried] of kept) all.set(key, tried)
  }
  return all
}

const buckets = 2 ** 23

/**
 * Upper bound of how often each window succeeded: windows share hash buckets. Nearly all windows of
 * a long history occur once, and storing each would take gigabytes.
 */
function roughCounts(sessions: number[][], length: number): Uint8Array {
  const counts = new Uint8Array(buckets)
  for (const steps of sessions) {
    for (let at = 0; at + length <= steps.length; at++) {
      const bucket = bucketOf(steps, at, length)
      if (counts[bucket]! < minSessions && allSucceeded(steps, at, length)) counts[bucket]!++
    }
  }
  return counts
}

function bucketOf(steps: number[], at: number, length: number): number {
  let hash = 0x811c9dc5
  for (let next = at; next < at + length; next++) hash = Math.imul(hash ^ Math.abs(steps[next]!), 0x01000193)
  return ((hash >>> 15) ^ hash) & (buckets - 1)
}

function countWindows(
  found: Map<string, SequenceCounts>,
  index: number,
  steps: number[],
  length: number,
  counts: Uint8Array,
): void {
  if (steps.length < length) return
  const here = new Map<string, boolean>()
  for (let at = 0; at + length <= steps.length; at++) {
    if (counts[bucketOf(steps, at, length)]! < minSessions || hasRepeatedStep(steps, at, length)) continue
    const key = keyOf(steps, at, length)
    if (here.get(key) !== true) here.set(key, allSucceeded(steps, at, length))
  }
  for (const [key, hasWorked] of here) {
    const tried = found.get(key) ?? { worked: [], tried: 0 }
    tried.tried++
    if (hasWorked) tried.worked.push(index)
    found.set(key, tried)
  }
}

function keyOf(steps: number[], at: number, length: number): string {
  let key = `${Math.abs(steps[at]!)}`
  for (let next = at + 1; next < at + length; next++) key += ` ${Math.abs(steps[next]!)}`
  return key
}

/** Sequences with a repeated step are loops. */
function hasRepeatedStep(steps: number[], at: number, length: number): boolean {
  for (let one = at; one < at + length; one++)
    for (let other = one + 1; other < at + length; other++)
      if (Math.abs(steps[one]!) === Math.abs(steps[other]!)) return true
  return false
}

function allSucceeded(steps: number[], at: number, length: number): boolean {
  for (let step = at; step < at + length; step++) if (steps[step]! < 0) return false
  return true
}

interface SequenceCandidate {
  steps: string[]
  worked: number[]
}

const minWorkedShare = 0.6

/**
 * Drops sequences whose steps are contained in a longer one that is about as frequent. Of those
 * that differ only in git commands around the same steps, the most frequent is kept.
 */
function removeSubsequences(candidates: SequenceCandidate[]): SequenceCandidate[] {
  const kept: (SequenceCandidate & { core: string[] })[] = []
  const ranked = candidates
    .map((candidate) => ({ ...candidate, core: candidate.steps.filter((step) => !isGit.test(step)) }))
    .sort(
      (a, b) =>
        b.core.length - a.core.length ||
        b.steps.length - a.steps.length ||
        b.worked.length - a.worked.length ||
        (a.steps.join() < b.steps.join() ? -1 : 1),
    )
  for (const candidate of ranked) {
    const covering = kept.filter(({ core }) => candidate.core.every((step) => core.includes(step)))
    if (covering.some(({ worked }) => worked.length >= minWorkedShare * candidate.worked.length)) continue
    const same = covering.find(({ core }) => core.length === candidate.core.length)
    if (same) kept[kept.indexOf(same)] = candidate
    else kept.push(candidate)
  }
  return kept
}

const isGit = /^(?:git|gh) /
