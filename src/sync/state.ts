// The state of the sync with the server, stored in the ledger: when to try again, and the summary
// that `status`, `doctor` and the MCP tools show. Loaded before each sweep, so it imports no
// protocol code.

import type { Clock } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import type { Json } from '../core/session.ts'
import { deleteValue, isObject, readChecked, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { countOutbox, ownSpace } from '../store/sync/outbox.ts'
import { listSpaces } from '../store/sync/spaces.ts'
import { hasPendingSessions } from './privacy.ts'

export interface SyncState {
  server: string
  user: string
  /** Refused: nothing is sent or read until the server accepts the key again. */
  key: 'good' | 'refused'
  /** The server's reason, for the user. */
  keyProblem: string | null
  /** When the key was last tried. */
  checkedMs: number
  push: DirectionState
  pull: DirectionState
  /** Number of items that this version of the program cannot read. */
  notUnderstood: number
  /** Changes left in the outbox after the last sync although nothing failed. */
  left: number
  /** Shares of others that wait for the user's decision; missing in states of earlier versions. */
  pendingShares?: number
}

/** Sending and reading fail and retry independently. */
export interface DirectionState {
  /** When it last succeeded. */
  doneMs: number | null
  failure: { reason: string; tries: number; nextMs: number } | null
}

const note = 'sync'

export function readState(ledger: Ledger): SyncState | undefined {
  return readChecked<SyncState>(
    ledger,
    note,
    (value) =>
      isObject(value) && typeof value.server === 'string' && isDirection(value.push) && isDirection(value.pull),
  )
}

function isDirection(value: Json | undefined): boolean {
  return value !== undefined && isObject(value) && 'doneMs' in value && 'failure' in value
}

export function writeState(ledger: Ledger, state: SyncState): void {
  writeValue(ledger, note, { ...state, push: { ...state.push }, pull: { ...state.pull } })
}

export function forgetState(ledger: Ledger): void {
  deleteValue(ledger, note)
}

export function newState(server: string, user: string): SyncState {
  const untried = (): DirectionState => ({ doneMs: null, failure: null })
  return {
    server,
    user,
    key: 'good',
    keyProblem: null,
    checkedMs: 0,
    push: untried(),
    pull: untried(),
    notUnderstood: 0,
    left: 0,
  }
}

interface SyncDueContext {
  config: Pick<Config, 'sync'>
  ledger: Ledger
  clock: Clock
}

/** Checked before each sweep, without loading the sync code. */
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

/** Uses the absolute difference, so that a clock set back does not block syncing. */
function hasPassed(sinceMs: number, spanMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - sinceMs) >= spanMs
}

export function isRetryDue({ failure }: DirectionState, nowMs: number): boolean {
  return failure === null || failure.nextMs <= nowMs || failure.nextMs - nowMs > maxWaitMs
}

/** The longest delay that a server may ask for, plus a minute. */
const maxWaitMs = 24 * 3_600_000 + 60_000

/** Exponential backoff from 30 s to an hour, with jitter so that machines do not retry together. */
export function withFailure(
  direction: DirectionState,
  reason: string,
  nowMs: number,
  retryAfterMs?: number,
): DirectionState {
  const tries = (direction.failure?.tries ?? 0) + 1
  const usualMs = Math.min(3_600_000, 30_000 * 2 ** Math.min(tries - 1, 10)) * (0.75 + Math.random() * 0.5)
  return { ...direction, failure: { reason, tries, nextMs: Math.round(nowMs + (retryAfterMs ?? usualMs)) } }
}

export function succeeded(nowMs: number): DirectionState {
  return { doneMs: nowMs, failure: null }
}

/** Counts and times for users and agents. */
export interface SyncSummary {
  server: string
  user: string | null
  key: 'good' | 'refused' | 'not tried'
  keyProblem: string | null
  waiting: number
  refused: number
  lastPushMs: number | null
  lastPullMs: number | null
  /** The reason of the last failure, and the time of the next try. */
  failures: { what: 'push' | 'pull'; reason: string; nextMs: number }[]
  notUnderstood: number
  pendingShares: number
}

/** Undefined if no server was joined. */
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
    pendingShares: state?.pendingShares ?? 0,
  }
}

/** Counts of one sync. */
export interface SyncReport {
  pushed: number
  pulled: number
  /** Statements that two users changed at once; both versions were kept. */
  conflicts: number
  refused: number
  /** Items sent again because the server lost them: it was restored from a backup. */
  restored: number
}

export function emptySyncReport(): SyncReport {
  return { pushed: 0, pulled: 0, conflicts: 0, refused: 0, restored: 0 }
}
