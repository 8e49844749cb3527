// One sync with the server: check the key, read remote changes, send local ones. Reading and
// sending fail independently; unfinished work stays queued for the next run.
import { messageOf } from '../core/errors.ts'
import { LockTimeoutError, withLock } from '../core/lock.ts'
import type { Machine } from '../core/paths.ts'
import { countOutbox } from '../store/sync/outbox.ts'
import { listSpaces, type Space } from '../store/sync/spaces.ts'
import { type ServerConnection, type SyncFailure, sendRequest } from './client.ts'
import { isLoopback, readKey } from './credentials.ts'
import { pullSpace } from './engine/pull-changes.ts'
import { pushSpace, type SyncRun } from './engine/push-changes.ts'
import { enqueueChanged, enqueueDifferences, isReconcileDue, reconcileSpace } from './engine/reconcile.ts'
import type { SyncContext } from './item-kind.ts'
import { updateSpaces } from './join.ts'
import { type AccountInfo, accountInfoSchema } from './protocol.ts'
import {
  type DirectionState,
  emptySyncReport,
  isRetryDue,
  newState,
  readState,
  type SyncReport,
  type SyncState,
  succeeded,
  withFailure,
  writeState,
} from './state.ts'

export interface SyncOptions {
  key: string | undefined
  /** Ignores retry delays and compares everything. */
  isForced?: boolean
  /** Time limit for the whole sync. */
  maxMs?: number
  /** Pages that are read of one space. */
  maxPages?: number
  fetch?: typeof fetch
  /** Progress, called before each step. */
  onStep?(what: 'comparing' | 'reading' | 'sending', space: string): void
}

export interface SyncResult extends SyncReport {
  /** Messages for the user about what was left for the next run. */
  failures: string[]
  /** Stopped by a failure or the time limit. */
  isUnfinished: boolean
}

/** One process at a time: sweeps, `recollect sync` and MCP servers wait for each other. */
export async function sync(context: SyncContext, options: SyncOptions): Promise<SyncResult> {
  const { ledger, clock } = context
  const lock = { clock, maxWaitMs: options.maxMs ?? defaultMaxMs }
  return withLock(ledger.layout, 'sync', lock, () => syncAlone(context, options))
}

async function syncAlone(context: SyncContext, options: SyncOptions): Promise<SyncResult> {
  const { ledger, clock, config } = context
  const connection = connectionOf(context, options)
  const before = readState(ledger) ?? newState(connection.server, '')
  const problem = configurationProblem(connection, before, config.sync.insecure)
  if (problem) return failedToStart(context, before, { kind: 'key', message: problem })
  const account = await sendRequest(connection, { path: '/api/me', schema: accountInfoSchema })
  if (account.kind === 'failed') return failedToStart(context, before, account.failure)
  if (before.user !== '' && before.user !== account.value.user)
    return failedToStart(context, before, {
      kind: 'key',
      message: `The key belongs to ${account.value.user}, but this machine has joined as ${before.user}`,
    })
  updateSpaces(context, account.value)
  const nowMs = clock.nowMs()
  const { user, pendingShares } = account.value
  const state: SyncState = { ...before, user, pendingShares, key: 'good', keyProblem: null, checkedMs: nowMs }
  writeState(ledger, state)

  const begun = performance.now()
  const { maxMs = defaultMaxMs, maxPages = defaultMaxPages } = options
  // Reading gets 60 % of the time, so that a long remote history does not block sending.
  const inTime = (share: number) => () => performance.now() - begun < maxMs * share
  const report = emptySyncReport()
  const reading: SyncRun = { connection, context, report, maxPages, hasTime: inTime(0.6), unsupported: new Set() }
  const writing: SyncRun = { ...reading, hasTime: inTime(1) }
  const compared = listSpaces(ledger).filter((space) => options.isForced || isReconcileDue(space, nowMs))
  for (const space of compared) {
    options.onStep?.('comparing', space.name)
    enqueueDifferences(context, space)
  }

  const isRead = options.isForced || isRetryDue(state.pull, nowMs)
  const pulling = isRead
    ? await forEachSpace(context, (space) => readSpace(reading, account.value, space, options))
    : []
  const isAllRead = reading.hasTime()
  const isSent = options.isForced || isRetryDue(state.push, nowMs)
  const pushing = isSent
    ? await forEachSpace(context, (space) => sendSpace(writing, account.value, space, options))
    : []

  const after: SyncState = {
    ...state,
    pull: isRead ? directionAfter(state.pull, pulling, isAllRead, clock.nowMs()) : state.pull,
    push: isSent ? directionAfter(state.push, pushing, writing.hasTime(), clock.nowMs()) : state.push,
    notUnderstood: reading.unsupported.size,
    left: countOutbox(ledger).waiting,
    ...keyAfter([...pulling, ...pushing]),
  }
  writeState(ledger, after)
  const failures = [...new Set([...pulling, ...pushing].map(({ message }) => message))]
  const isUnfinished = !isAllRead || !writing.hasTime()
  if (isUnfinished && options.maxMs === undefined) failures.push(unfinishedText(connection.server))
  return { ...report, failures, isUnfinished }
}

/** Of a sync that a user started. A server that answers endlessly must not keep it for ever. */
const defaultMaxMs = 30 * 60_000

/** 2.5 million items of a space at the largest page. The cursor is kept, so the next sync reads on. */
const defaultMaxPages = 5000

function unfinishedText(server: string): string {
  return `${server} did not send and accept all changes within ${defaultMaxMs / 60_000} minutes. To continue: recollect sync`
}

/** Problems that are found without a request. */
function configurationProblem(
  { server, key }: ServerConnection,
  before: SyncState,
  isInsecure: boolean,
): string | undefined {
  if (before.server !== server) return `This machine has joined ${before.server}, but config.toml names ${server}`
  if (key === '') return 'Missing key: set RECOLLECT_KEY, or run "recollect sync join" again'
  const { protocol, hostname } = new URL(server)
  if (protocol === 'https:' || isInsecure || isLoopback(hostname)) return undefined
  return `${server} is not encrypted: nothing is sent there without insecure = true under [sync]`
}

export function connectionOf(
  { clock, config }: Pick<SyncContext, 'clock' | 'config'>,
  { key, maxMs = defaultMaxMs, fetch = globalThis.fetch }: Pick<SyncOptions, 'key' | 'maxMs' | 'fetch'>,
): ServerConnection {
  return {
    server: config.sync.server.replace(/\/+$/, ''),
    key: key ?? '',
    clock,
    timeoutMs: Math.min(60_000, maxMs / 2),
    signal: AbortSignal.timeout(maxMs + graceMs),
    fetch,
  }
}

/** Extra time for the request that is running at the time limit. */
const graceMs = 2000

/** With a rejected key everything stays queued; the key is tried again from time to time. */
function failedToStart(context: SyncContext, before: SyncState, failure: SyncFailure): SyncResult {
  const { ledger, clock } = context
  const nowMs = clock.nowMs()
  const isKey = failure.kind === 'key' || failure.kind === 'role'
  const later = (direction: DirectionState) => withFailure(direction, failure.message, nowMs, failure.retryAfterMs)
  writeState(
    ledger,
    isKey
      ? { ...before, key: 'refused', keyProblem: failure.message, checkedMs: nowMs }
      : { ...before, pull: later(before.pull), push: later(before.push) },
  )
  return { ...emptySyncReport(), failures: [failure.message], isUnfinished: true }
}

/** A failing space does not stop the others; a rejected key does. */
async function forEachSpace(
  { ledger }: SyncContext,
  work: (space: Space) => Promise<SyncFailure | undefined>,
): Promise<SyncFailure[]> {
  const failures: SyncFailure[] = []
  for (const space of listSpaces(ledger)) {
    const failure = await work(space)
    if (!failure) continue
    failures.push(failure)
    if (failure.kind === 'key') break
  }
  return failures
}

async function readSpace(
  reading: SyncRun,
  { spaces }: AccountInfo,
  space: Space,
  { isForced, onStep }: SyncOptions,
): Promise<SyncFailure | undefined> {
  const { ledger, clock } = reading.context
  // Usually nothing has changed, which the sequence number of the space shows.
  const isSettled = !isForced && !isReconcileDue(space, clock.nowMs())
  if (isSettled && spaces.find(({ name }) => name === space.name)?.seq === space.cursor) return undefined
  onStep?.('reading', space.name)
  const failure = await pullSpace(reading, space)
  if (failure || !reading.hasTime()) return failure
  // Compare after reading: less differs, and the server may have reset the cursor.
  const now = listSpaces(ledger).find(({ name }) => name === space.name) ?? space
  return isForced || isReconcileDue(now, clock.nowMs()) ? reconcileSpace(reading, now) : undefined
}

async function sendSpace(
  writing: SyncRun,
  { spaces }: AccountInfo,
  space: Space,
  { onStep }: SyncOptions,
): Promise<SyncFailure | undefined> {
  // A read-only key sends nothing to the own space; that is not a failure.
  if (space.name === 'me' && spaces.find(({ name }) => name === 'me')?.role === 'reader') return undefined
  onStep?.('sending', space.name)
  for (;;) {
    const failure = await pushSpace(writing, space)
    // Enqueue sessions in small steps behind other items, so that a long history does not delay
    // them.
    if (failure || !writing.hasTime() || !enqueueChanged(writing.context, space)) return failure
  }
}

function directionAfter(
  direction: DirectionState,
  failures: readonly SyncFailure[],
  isWhole: boolean,
  nowMs: number,
): DirectionState {
  const [failure] = failures
  if (failure) return withFailure(direction, failure.message, nowMs, failure.retryAfterMs)
  return isWhole ? succeeded(nowMs) : { ...direction, failure: null }
}

/** The key was rejected during the sync. */
function keyAfter(failures: readonly SyncFailure[]): Pick<SyncState, 'key' | 'keyProblem'> | undefined {
  const failure = failures.find(({ kind }) => kind === 'key')
  return failure && { key: 'refused', keyProblem: failure.message }
}

/** Time limit of the sync stage of a sweep. */
const maxSweepMs = 20_000

interface SyncStageContext extends Omit<SyncContext, 'redact'> {
  machine: Machine
  loadTools(): Promise<Pick<SyncContext, 'redact'>>
}

/** The sync stage of a sweep. Failures are recorded for `status`; the sweep continues. */
export async function syncInSweep(context: SyncStageContext): Promise<SyncReport> {
  const { ledger, clock, config, origin, machine } = context
  const { redact } = await context.loadTools()
  try {
    const key = readKey({ machine, layout: ledger.layout })
    const context = { ledger, clock, config, origin, home: machine.home, redact }
    const { pushed, pulled, conflicts, refused, restored } = await sync(context, { key, maxMs: maxSweepMs })
    return { pushed, pulled, conflicts, refused, restored }
  } catch (error) {
    // The process that has the lock syncs; what it leaves is due in the next sweep.
    if (error instanceof LockTimeoutError) return emptySyncReport()
    const state = readState(ledger) ?? newState(config.sync.server, '')
    const later = (direction: DirectionState) => withFailure(direction, messageOf(error), clock.nowMs())
    writeState(ledger, { ...state, pull: later(state.pull), push: later(state.push) })
    return emptySyncReport()
  }
}
