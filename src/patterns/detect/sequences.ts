// Commands that succeed in the same order in session after session: a way of working that could be a skill.
import type { Signal } from '../signal.ts'
import { type SeenSession, type SignalSource, signal } from './session.ts'

/** Sequences of all sessions so far, with steps as numbers: they are looked at again for longer and longer ones. */
export interface Sequences {
  numbers: Map<string, number>
  names: string[]
  sessions: { session: SignalSource; steps: number[] }[]
}

export function newSequences(): Sequences {
  return { numbers: new Map(), names: [], sessions: [] }
}

const shortest = 3
const longest = 6
const fewestSessions = 5
/** Of the sessions that tried it, those in which it never went through. */
const maxFailing = 0.2
/** Each is compared with the others: of a history in which everything follows everything, the most frequent ones. */
const maxCompared = 1000

/** A failed step is the negative of its number. */
export function addSteps(sequences: Sequences, session: SeenSession): void {
  const steps = session.state.friction?.steps ?? []
  if (steps.length < shortest) return
  const { uid, agent, project, endedMs, toolCalls, costUsd } = session
  sequences.sessions.push({
    session: { uid, agent, project, endedMs, toolCalls, costUsd },
    steps: steps.map((step) =>
      step.startsWith('!') ? -numberOf(sequences, step.slice(1)) : numberOf(sequences, step),
    ),
  })
}

function numberOf({ numbers, names }: Sequences, name: string): number {
  const known = numbers.get(name)
  if (known !== undefined) return known
  names.push(name)
  numbers.set(name, names.length)
  return names.length
}

/** One after the other: a history of years has more of them than are worth holding. */
export function* commandSequences({ sessions, names }: Sequences): Generator<Signal> {
  const candidates = [...frequent(sessions.map(({ steps }) => steps))]
    .map(([key, { worked }]) => ({ steps: key.split(' ').map((step) => names[Number(step) - 1]!), worked }))
    .filter(({ steps }) => steps.some((step) => !/^(?:git|gh) /.test(step)))
    .sort((a, b) => b.worked.length - a.worked.length || (a.steps.join() < b.steps.join() ? -1 : 1))
    .slice(0, maxCompared)
  for (const { steps, worked } of telling(candidates)) {
    const locus = steps.join(' && ')
    const found = { type: 'command sequence', polarity: 'success', locus, magnitude: 1, detail: locus } as const
    for (const index of worked) yield signal(sessions[index]!.session, found)
  }
}

interface Tried {
  /** Indices of the sessions in which it went through, and of those in which it was tried at all. */
  worked: number[]
  tried: number
}

function frequent(sessions: number[][]): Map<string, Tried> {
  const all = new Map<string, Tried>()
  for (let length = shortest; length <= longest; length++) {
    const found = new Map<string, Tried>()
    const counts = roughCounts(sessions, length)
    for (const [index, steps] of sessions.entries()) countWindows(found, index, steps, length, counts)
    const kept = [...found].filter(
      ([, { worked, tried }]) => worked.length >= fewestSessions && (tried - worked.length) / tried <= maxFailing,
    )
    if (kept.length === 0) break
    for (const [key, tried] of kept) all.set(key, tried)
  }
  return all
}

const buckets = 2 ** 23

/**
 * How often each window worked, where windows of one bucket are counted together: never too few. Nearly all windows of a long
 * history are seen once, and to hold each of them would take gigabytes.
 */
function roughCounts(sessions: number[][], length: number): Uint8Array {
  const counts = new Uint8Array(buckets)
  for (const steps of sessions) {
    for (let at = 0; at + length <= steps.length; at++) {
      const bucket = bucketOf(steps, at, length)
      if (counts[bucket]! < fewestSessions && hasWorkedAll(steps, at, length)) counts[bucket]!++
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
  found: Map<string, Tried>,
  index: number,
  steps: number[],
  length: number,
  counts: Uint8Array,
): void {
  if (steps.length < length) return
  const here = new Map<string, boolean>()
  for (let at = 0; at + length <= steps.length; at++) {
    if (counts[bucketOf(steps, at, length)]! < fewestSessions || isCircle(steps, at, length)) continue
    const key = keyOf(steps, at, length)
    if (here.get(key) !== true) here.set(key, hasWorkedAll(steps, at, length))
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

/** The same step twice: going round, or back to the start. */
function isCircle(steps: number[], at: number, length: number): boolean {
  for (let one = at; one < at + length; one++)
    for (let other = one + 1; other < at + length; other++)
      if (Math.abs(steps[one]!) === Math.abs(steps[other]!)) return true
  return false
}

function hasWorkedAll(steps: number[], at: number, length: number): boolean {
  for (let step = at; step < at + length; step++) if (steps[step]! < 0) return false
  return true
}

interface Candidate {
  steps: string[]
  worked: number[]
}

/** Of those that have the same steps, or a part of them, the longest that is about as frequent. */
function telling(candidates: Candidate[]): Candidate[] {
  const kept: Candidate[] = []
  const ranked = candidates.toSorted(
    (a, b) =>
      b.steps.length - a.steps.length ||
      b.worked.length - a.worked.length ||
      (a.steps.join() < b.steps.join() ? -1 : 1),
  )
  for (const candidate of ranked) {
    const isPart = kept.some(
      ({ steps, worked }) =>
        worked.length >= 0.6 * candidate.worked.length && candidate.steps.every((step) => steps.includes(step)),
    )
    if (!isPart) kept.push(candidate)
  }
  return kept
}
