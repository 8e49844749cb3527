// How the exchange with the server stands: kept in the ledger, so that a restart knows when to try again, and read by whoever shows it.
import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { deleteValue, readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { countOutbox, ownSpace } from '../store/sync/outbox.ts'
import { listSpaces } from '../store/sync/spaces.ts'
import { hasPendingSessions } from './privacy.ts'

export interface SyncState {
  server: string
  user: string
  /** Refused: nothing is sent or read until it is taken again. */
  key: 'good' | 'refused'
  /** Why, for people. */
  keyProblem: string | null
  /** When the key was last shown to the server. */
  checkedMs: number
  push: DirectionState
  pull: DirectionState
  /** Items in a form that this version does not know. */
  notUnderstood: number
  /** How many changes could not be sent the last time, though nothing failed. */
  left: number
}

/** Sending and reading fail for themselves. */
export interface DirectionState {
  /** When it last went through. */
  doneMs: number | null
  failure: { reason: string; tries: number; nextMs: number } | null
}

const note = 'sync'

export function readState(ledger: Ledger): SyncState | undefined {
  return readValue(ledger, note) as unknown as SyncState | undefined
}

export function writeState(ledger: Ledger, state: SyncState): void {
  writeValue(ledger, note, { ...state, push: { ...state.push }, pull: { ...state.pull } })
}

export function forgetState(ledger: Ledger): void {
  deleteValue(ledger, note)
}

export function newState(server: string, user: string): SyncState {
  const lane = (): DirectionState => ({ doneMs: null, failure: null })
  return {
    server,
    user,
    key: 'good',
    keyProblem: null,
    checkedMs: 0,
    push: lane(),
    pull: lane(),
    notUnderstood: 0,
    left: 0,
  }
}

export interface SyncDueContext {
  config: Pick<Config, 'sync'>
  ledger: Ledger
  clock: Clock
}

/** Told before each sweep, without loading anything. */
export function isSyncDue({ config, ledger, clock }: SyncDueContext): boolean {
  if (config.sync.server === '') return false
  const state = readState(ledger)
  const nowMs = clock.nowMs()
  if (!state) return true
  if (state.key === 'refused') return hasPassed(state.checkedMs, recheckMs, nowMs)
  if (isRetryDue(state.pull, nowMs) && (state.pull.doneMs === null || hasPassed(state.pull.doneMs, pullEveryMs, nowMs)))
    return true
  if (!isRetryDue(state.push, nowMs)) return false
  const { waiting } = countOutbox(ledger)
  return (waiting > 0 && waiting !== state.left) || (isOwnSpaceWritable(ledger) && hasPendingSessions(ledger, config))
}

function isOwnSpaceWritable(ledger: Ledger): boolean {
  return listSpaces(ledger).some(({ name, role }) => name === ownSpace && role !== 'reader')
}

const recheckMs = 5 * 60_000
const pullEveryMs = 60_000

/** A clock that was set back must not stop everything until it has caught up. */
function hasPassed(sinceMs: number, spanMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) >= spanMs
}

export function isRetryDue({ failure }: DirectionState, nowMs: number): boolean {
  return failure === null || failure.nextMs <= nowMs || failure.nextMs - nowMs > maxWaitMs
}

/** The longest that a server may ask for. */
const maxWaitMs = 24 * 3_600_000 + 60_000

/** Half a minute, doubling to an hour, and not all machines at the same moment. */
export function withFailure(
  lane: DirectionState,
  reason: string,
  nowMs: number,
  retryAfterMs?: number,
): DirectionState {
  const tries = (lane.failure?.tries ?? 0) + 1
  const usualMs = Math.min(3_600_000, 30_000 * 2 ** Math.min(tries - 1, 10)) * (0.75 + Math.random() * 0.5)
  return { ...lane, failure: { reason, tries, nextMs: Math.round(nowMs + (retryAfterMs ?? usualMs)) } }
}

export function succeeded(nowMs: number): DirectionState {
  return { doneMs: nowMs, failure: null }
}

/** For people and agents: what waits, what was refused, since when. */
export interface SyncSummary {
  server: string
  user: string | null
  key: 'good' | 'refused' | 'not tried'
  keyProblem: string | null
  waiting: number
  refused: number
  lastPushMs: number | null
  lastPullMs: number | null
  /** Why the last try failed, and when the next one is. */
  failures: { what: 'push' | 'pull'; reason: string; nextMs: number }[]
  notUnderstood: number
}

/** Undefined where no server was joined. */
export function syncSummary({ config, ledger }: Pick<SyncDueContext, 'config' | 'ledger'>): SyncSummary | undefined {
  if (config.sync.server === '') return undefined
  const state = readState(ledger)
  const failures = (['push', 'pull'] as const).flatMap((what) => {
    const failure = state?.[what].failure
    return failure ? [{ what, reason: failure.reason, nextMs: failure.nextMs }] : []
  })
  return {
    server: config.sync.server,
    user: state?.user ?? null,
    key: state?.key ?? 'not tried',
    keyProblem: state?.keyProblem ?? null,
    ...countOutbox(ledger),
    lastPushMs: state?.push.doneMs ?? null,
    lastPullMs: state?.pull.doneMs ?? null,
    failures,
    notUnderstood: state?.notUnderstood ?? 0,
  }
}

/** What one exchange with the server did. */
export interface SyncReport {
  pushed: number
  pulled: number
  /** Two people changed the same words at once: both are kept. */
  conflicts: number
  refused: number
  /** What the server has lost, or has in an older version than it had: it was restored from a backup. That is sent again. */
  restored: number
}

export function emptySyncReport(): SyncReport {
  return { pushed: 0, pulled: 0, conflicts: 0, refused: 0, restored: 0 }
}
