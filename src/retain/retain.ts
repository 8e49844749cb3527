// The retain stage: deletes the oldest bodies when the store is above its limits, only as many as
// needed, after they were digested and learned from, and after the user was told. Deletion without a
// digest is reported as data loss. Sessions, digests and memories are never deleted.
import { type Clock, isoTime } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import { formatSize, plural } from '../core/units.ts'
import { readValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { isUnjudgedSince } from '../store/memories/learning.ts'
import {
  deleteScheduledBodies,
  evictAtMostNeeded,
  evictBody,
  type StoredBody,
  shrinkLedger,
  storedBodies,
} from '../store/sessions/evictions.ts'
import { markAllBriefsStale } from '../store/sessions/projects.ts'
import { retainedSizes, type StoreSizes, totalBytes } from '../store/sizes.ts'
import { hasClockMoved, type RetentionClock, readRetentionClock } from './check-clock.ts'
import {
  areSameLimits,
  type RetentionHold,
  type RetentionLimits,
  type RetentionState,
  readRetentionState,
  writeRetentionState,
} from './state.ts'

export interface RetainContext {
  ledger: Ledger
  clock: Clock
  config: Config
  /** A person has asked for the deletions: they need no announcement, and the clock is right. */
  isConfirmed?: boolean
  /** Digests undigested sessions, so that their bodies can be deleted without data loss. */
  digestRemaining(): void
  /** Whether a model judges sessions: those that wait for it keep their bodies. */
  isModelAllowed?(): boolean
}

export interface RetainReport {
  usedBytes: number
  softBytes: number
  hardBytes: number
  freedBytes: number
  /** Sessions whose bodies were deleted, by pass. */
  age: string[]
  budget: string[]
  overflow: string[]
  /** Those of the overflow that were not learned from. */
  unlearned: string[]
  /** Sessions whose bodies were deleted before they were digested. */
  dataLoss: string[]
  /** Why bodies above the limits are still there; `isNew` in the sweep that begins it. */
  hold: (RetentionHold & { isNew: boolean }) | null
  alerts: string[]
}

export function nothingRetained(): RetainReport {
  return {
    usedBytes: 0,
    softBytes: 0,
    hardBytes: 0,
    freedBytes: 0,
    age: [],
    budget: [],
    overflow: [],
    unlearned: [],
    dataLoss: [],
    hold: null,
    alerts: [],
  }
}

export function retain(context: RetainContext): RetainReport {
  const { ledger, config } = context
  const { softBytes, hardBytes } = config.retain
  const state = readRetentionState(ledger)
  const sizes = retainedSizes(ledger)
  const before = totalBytes(sizes)
  const report: RetainReport = { ...nothingRetained(), usedBytes: before, softBytes, hardBytes }
  const aged = agedBodies(context)
  const now = readRetentionClock(context.clock)
  if (before <= softBytes && aged.length === 0)
    return finish(context, { report, sizes, state: { ...state, clock: now }, hold: undefined })
  const hasMoved = !context.isConfirmed && isClockSuspect(ledger, state, now)
  if (wasMeasured(context, state, { usedBytes: before, nowMs: now.atMs, hasMoved }))
    return finish(context, { report, sizes, state: hasMoved ? state : { ...state, clock: now }, hold: state.hold })
  if (before > softBytes) shrinkLedger(ledger)
  report.usedBytes = usedBytesOf(ledger)
  const plan = planDeletions(context, state, { usedBytes: report.usedBytes, aged, now, hasMoved })
  if (plan.passes === 'all') {
    report.age = evictAged(context, aged)
    report.budget = evictUntilFits(context, softBytes, (body) => isProcessed(body, context))
  }
  if (plan.passes !== 'none' && usedBytesOf(ledger) > hardBytes) overflow(context, report)
  if (countEvicted(report) > 0) shrinkLedger(ledger)
  const left = retainedSizes(ledger)
  report.usedBytes = totalBytes(left)
  report.freedBytes = Math.max(0, before - report.usedBytes)
  const measured = { atMs: now.atMs, bytes: report.usedBytes, limits: limitsOf(config) }
  return finish(context, { report, sizes: left, state: { ...plan.state, measured }, hold: plan.hold })
}

export function countEvicted({ age, budget, overflow, dataLoss }: RetainReport): number {
  return age.length + budget.length + overflow.length + dataLoss.length
}

function usedBytesOf(ledger: Ledger): number {
  return totalBytes(retainedSizes(ledger))
}

function limitsOf({ retain: { softBytes, hardBytes, maxAgeDays } }: Config): RetentionLimits {
  return { softBytes, hardBytes, maxAgeDays }
}

/** Compacting the index rewrites it, which is too expensive for the sweep after every turn. */
const measureIntervalMs = 3600 * 1000

/** Above the hard limit the store is measured again as soon as it has grown. */
function wasMeasured(
  { ledger, config, isConfirmed }: RetainContext,
  { measured, hold }: RetentionState,
  now: { usedBytes: number; nowMs: number; hasMoved: boolean },
): boolean {
  if (isConfirmed || !measured || !areSameLimits(measured.limits, limitsOf(config))) return false
  const isRecent = now.nowMs >= measured.atMs && now.nowMs - measured.atMs < measureIntervalMs
  const isOtherClock = (hold?.kind === 'clock') !== now.hasMoved
  if (!isRecent || isOtherClock) return false
  const { hardBytes } = config.retain
  return now.usedBytes <= hardBytes || now.usedBytes <= measured.bytes || storedBodies(ledger).length === 0
}

interface DeletionPlan {
  /** `overflow` deletes only down to the hard limit. */
  passes: 'all' | 'overflow' | 'none'
  hold: RetentionHold | undefined
  state: RetentionState
}

const dayMs = 24 * 3600 * 1000

/** Nobody loses a conversation without having been told a day before, unless the disk fills up. */
function planDeletions(
  context: RetainContext,
  state: RetentionState,
  found: { usedBytes: number; aged: readonly StoredBody[]; now: RetentionClock; hasMoved: boolean },
): DeletionPlan {
  const { ledger, config, isConfirmed } = context
  const { usedBytes, aged, now, hasMoved } = found
  const { softBytes, hardBytes } = config.retain
  const accepted = { ...state, clock: now }
  const bodies = storedBodies(ledger)
  const isAnyDue =
    aged.length > 0 ||
    (usedBytes > softBytes && bodies.some((body) => isProcessed(body, context))) ||
    (usedBytes > hardBytes && bodies.length > 0)
  if (!isAnyDue) return { passes: 'none', hold: undefined, state: accepted }
  const limits = limitsOf(config)
  if (isConfirmed)
    return { passes: 'all', hold: undefined, state: { ...accepted, announced: { atMs: now.atMs - dayMs, limits } } }
  if (hasMoved) return { passes: 'none', hold: clockHold(ledger, state, now), state }
  const isAnnounced =
    state.announced && areSameLimits(state.announced.limits, limits) && state.announced.atMs <= now.atMs
  const announced = isAnnounced ? state.announced! : { atMs: now.atMs, limits }
  const fromMs = announced.atMs + dayMs
  if (now.atMs >= fromMs) return { passes: 'all', hold: undefined, state: accepted }
  return {
    passes: usedBytes > hardBytes ? 'overflow' : 'none',
    hold: { kind: 'announced', fromMs, aged: aged.length },
    state: { ...accepted, announced },
  }
}

function isClockSuspect(ledger: Ledger, state: RetentionState, now: RetentionClock): boolean {
  const last = lastClock(ledger, state)
  return last !== undefined && hasClockMoved(last, now)
}

function clockHold(ledger: Ledger, state: RetentionState, now: RetentionClock): RetentionHold {
  return { kind: 'clock', lastMs: lastClock(ledger, state)!.atMs, nowMs: now.atMs }
}

/** A ledger of an earlier version has only the time of its last sweep. */
function lastClock(ledger: Ledger, { clock }: RetentionState): RetentionClock | undefined {
  if (clock) return clock
  const last = readValue(ledger, 'last sweep')
  const atMs = typeof last === 'object' && last !== null && 'at' in last ? Date.parse(String(last.at)) : Number.NaN
  return Number.isNaN(atMs) ? undefined : { atMs }
}

interface RetainOutcome {
  report: RetainReport
  sizes: StoreSizes
  state: RetentionState
  hold: RetentionHold | undefined
}

/** Saves what the next sweep needs to know. Briefs mention the hold, so they are written again. */
function finish({ ledger, config }: RetainContext, { report, sizes, state, hold }: RetainOutcome): RetainReport {
  const before = readRetentionState(ledger).hold
  const { hold: _, ...rest } = state
  ledger.transaction(() => {
    writeRetentionState(ledger, hold ? { ...rest, hold } : rest)
    if (before?.kind !== hold?.kind) markAllBriefsStale(ledger)
  })
  const isNew = before?.kind !== hold?.kind
  return { ...report, hold: hold ? { ...hold, isNew } : null, alerts: alertsOf(config, report, sizes) }
}

/**
 * Age counts from the last capture, so that a first sweep over years of history keeps what it
 * found.
 */
function agedBodies(context: RetainContext): StoredBody[] {
  const { ledger, clock, config } = context
  if (config.retain.maxAgeDays === 0) return []
  const oldest = isoTime(clock.nowMs() - config.retain.maxAgeDays * dayMs)
  return storedBodies(ledger).filter((body) => body.capturedAt < oldest && isProcessed(body, context))
}

function isProcessed({ id, isDigested, isLearned }: StoredBody, context: RetainContext): boolean {
  const { ledger, clock, config } = context
  if (!isDigested || !config.learn.isOn) return isDigested
  const sinceMs = clock.nowMs() - config.learn.freshDays * dayMs
  return isLearned && !(isUnjudgedSince(ledger, id, sinceMs) && context.isModelAllowed?.())
}

function evictAged({ ledger, clock }: RetainContext, aged: readonly StoredBody[]): string[] {
  if (aged.length === 0) return []
  ledger.transaction(() => {
    for (const body of aged) evictBody(ledger, body, isoTime(clock.nowMs()))
  })
  deleteScheduledBodies(ledger)
  shrinkLedger(ledger) // what they freed counts for the next pass
  return aged.map(({ uid }) => uid)
}

/**
 * Deletes bodies that pass the filter, oldest first, until the store fits, and none more. How much
 * of the index goes with a body is only known afterwards, so the number is estimated; a step that
 * turns out to be too large is repeated with fewer bodies.
 */
function evictUntilFits(
  { ledger, clock }: RetainContext,
  maxBytes: number,
  isEvictable: (body: StoredBody) => boolean,
): string[] {
  let usedBytes = usedBytesOf(ledger)
  if (usedBytes <= maxBytes) return []
  const bodies = storedBodies(ledger).filter(isEvictable)
  let freedPerBodyByte = firstFreedPerBodyByte
  let done = 0
  let maxDone = bodies.length
  while (usedBytes > maxBytes && done < bodies.length) {
    const estimated = countFor((usedBytes - maxBytes) / freedPerBodyByte, bodies, done)
    const bodiesInStep = bodies.slice(done, Math.max(done + 1, Math.min(done + estimated, maxDone)))
    const step = evictAtMostNeeded(ledger, bodiesInStep, maxBytes, isoTime(clock.nowMs()))
    const stepBytes = bodiesInStep.reduce((sum, { bytes }) => sum + bytes, 0)
    freedPerBodyByte = Math.max(1, (usedBytes - step.bytes) / Math.max(1, stepBytes))
    if (step.kind === 'too many') maxDone = done + bodiesInStep.length - 1
    else {
      deleteScheduledBodies(ledger)
      usedBytes = step.bytes
      done += bodiesInStep.length
    }
  }
  return bodies.slice(0, done).map(({ uid }) => uid)
}

/** Index rows take up to about as much space as the compressed text. */
const firstFreedPerBodyByte = 2

/** The number of bodies from `first` on that together have this size. */
function countFor(bytes: number, bodies: readonly StoredBody[], first: number): number {
  let left = bytes
  let count = 0
  while (left > 0 && first + count < bodies.length) left -= bodies[first + count++]!.bytes
  return Math.max(1, count)
}

/**
 * Above the hard limit: digests what is left and deletes those bodies; then bodies that were not
 * learned from; then undigested ones, which is data loss.
 */
function overflow(context: RetainContext, report: RetainReport): void {
  const { config } = context
  const { hardBytes } = config.retain
  context.digestRemaining()
  const processed = evictUntilFits(context, hardBytes, (body) => isProcessed(body, context))
  report.unlearned = evictUntilFits(context, hardBytes, ({ isDigested }) => isDigested)
  report.overflow = [...processed, ...report.unlearned]
  report.dataLoss = evictUntilFits(context, hardBytes, () => true)
}

function alertsOf({ retain }: Config, report: RetainReport, { bodies: _, ...permanent }: StoreSizes): string[] {
  const permanentBytes = Object.values(permanent).reduce((sum, size) => sum + size, 0)
  const deleted = (count: number) => `${plural(count, 'conversation was', 'conversations were')} deleted`
  const found: string[] = []
  if (report.dataLoss.length > 0) found.push(`${deleted(report.dataLoss.length)} before they were digested`)
  if (report.unlearned.length > 0)
    found.push(`${deleted(report.unlearned.length)} before anything was learned from them`)
  if (permanentBytes > retain.distilledBytes)
    found.push(`permanent data takes ${formatSize(permanentBytes)}, more than ${formatSize(retain.distilledBytes)}`)
  return found
}
