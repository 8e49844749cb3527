// What retention remembers between sweeps, as one value of the ledger. A value of another shape
// counts as missing, so that it cannot stop a sweep.
import type { Json } from '../core/session.ts'
import { readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import type { RetentionClock } from './check-clock.ts'

export interface RetentionLimits {
  softBytes: number
  hardBytes: number
  maxAgeDays: number
}

/** Why bodies that are above a limit are still there. */
export type RetentionHold =
  /** The user was told that they will be deleted; `fromMs` is when that begins. */
  | { kind: 'announced'; fromMs: number; aged: number }
  /** The clock has moved since `lastMs`; a person has to confirm that it is right. */
  | { kind: 'clock'; lastMs: number; nowMs: number }

export interface RetentionState {
  /** The clock at the last sweep that accepted it. */
  clock?: RetentionClock
  /** The limits that the user was told about, and when. */
  announced?: { atMs: number; limits: RetentionLimits }
  hold?: RetentionHold
  /** The last time that the size after compaction was measured. */
  measured?: { atMs: number; bytes: number; limits: RetentionLimits }
}

const stateKey = 'retention'

export function readRetentionState(ledger: Ledger): RetentionState {
  const state = asObject(readValue(ledger, stateKey))
  const clock = asObject(state.clock)
  const announced = asObject(state.announced)
  const measured = asObject(state.measured)
  const announcedLimits = limitsFrom(announced.limits)
  const measuredLimits = limitsFrom(measured.limits)
  const hold = holdFrom(asObject(state.hold))
  const found: RetentionState = {}
  if (isNumber(clock.atMs)) {
    found.clock = { atMs: clock.atMs }
    if (isNumber(clock.sinceBootMs) && typeof clock.bootId === 'string')
      found.clock = { atMs: clock.atMs, sinceBootMs: clock.sinceBootMs, bootId: clock.bootId }
  }
  if (isNumber(announced.atMs) && announcedLimits) found.announced = { atMs: announced.atMs, limits: announcedLimits }
  if (isNumber(measured.atMs) && isNumber(measured.bytes) && measuredLimits)
    found.measured = { atMs: measured.atMs, bytes: measured.bytes, limits: measuredLimits }
  if (hold) found.hold = hold
  return found
}

export function writeRetentionState(ledger: Ledger, state: RetentionState): void {
  writeValue(ledger, stateKey, JSON.parse(JSON.stringify(state)) as Json)
}

export function areSameLimits(a: RetentionLimits, b: RetentionLimits): boolean {
  return a.softBytes === b.softBytes && a.hardBytes === b.hardBytes && a.maxAgeDays === b.maxAgeDays
}

function limitsFrom(value: Json | undefined): RetentionLimits | undefined {
  const { softBytes, hardBytes, maxAgeDays } = asObject(value)
  if (!isNumber(softBytes) || !isNumber(hardBytes) || !isNumber(maxAgeDays)) return undefined
  return { softBytes, hardBytes, maxAgeDays }
}

function holdFrom(value: Record<string, Json | undefined>): RetentionHold | undefined {
  const { kind, fromMs, aged, lastMs, nowMs } = value
  if (kind === 'announced' && isNumber(fromMs) && isNumber(aged)) return { kind, fromMs, aged }
  if (kind === 'clock' && isNumber(lastMs) && isNumber(nowMs)) return { kind, lastMs, nowMs }
  return undefined
}

function asObject(value: Json | undefined): Record<string, Json | undefined> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
}

/** A finite number that is also a valid time. */
function isNumber(value: Json | undefined): value is number {
  return typeof value === 'number' && Math.abs(value) <= 8.64e15
}
