// One exchange with the server: who we are, what has changed there, what has changed here. Reading and sending fail for
// themselves, and neither ever loses anything: what did not go through is there the next time.

import { messageOf } from '../core/errors.ts'
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
  /** Whatever was to be waited for, and everything compared. */
  isForced?: boolean
  /** For the whole; without it as long as it takes. */
  maxMs?: number
  fetch?: typeof fetch
  /** Told before each part. */
  onStep?(what: 'comparing' | 'reading' | 'sending', space: string): void
}

export interface SyncResult extends SyncReport {
  /** Why something was left for the next time, for people. */
  failures: string[]
  /** It was stopped before it was done. */
  isUnfinished: boolean
}

export async function sync(context: SyncContext, options: SyncOptions): Promise<SyncResult> {
  const { ledger, clock, config } = context
  const line = connectionOf(context, options)
  const before = readState(ledger) ?? newState(line.server, '')
  const obstacle = configurationProblem(line, before, config.sync.insecure)
  if (obstacle) return failedToStart(context, before, { kind: 'key', message: obstacle })
  const me = await sendRequest(line, { path: '/api/me', schema: accountInfoSchema })
  if (me.kind === 'failed') return failedToStart(context, before, me.failure)
  if (before.user !== '' && before.user !== me.value.user)
    return failedToStart(context, before, {
      kind: 'key',
      message: `The key is that of ${me.value.user}; this machine has joined as ${before.user}`,
    })
  updateSpaces(context, me.value)
  const nowMs = clock.nowMs()
  const state: SyncState = { ...before, user: me.value.user, key: 'good', keyProblem: null, checkedMs: nowMs }
  writeState(ledger, state)

  const begun = performance.now()
  // Reading leaves time for sending: a long history must not keep back what was said here.
  const inTime = (share: number) => () =>
    options.maxMs === undefined || performance.now() - begun < options.maxMs * share
  const report = emptySyncReport()
  const reading: SyncRun = { connection: line, context, report, hasTime: inTime(0.6), unsupported: new Set() }
  const writing: SyncRun = { ...reading, hasTime: inTime(1) }
  const compared = listSpaces(ledger).filter((space) => options.isForced || isReconcileDue(space, nowMs))
  for (const space of compared) {
    options.onStep?.('comparing', space.name)
    enqueueDifferences(context, space)
  }

  const isRead = options.isForced || isRetryDue(state.pull, nowMs)
  const pulling = isRead ? await forEachSpace(context, (space) => readSpace(reading, me.value, space, options)) : []
  const isAllRead = reading.hasTime()
  const isSent = options.isForced || isRetryDue(state.push, nowMs)
  const pushing = isSent ? await forEachSpace(context, (space) => sendSpace(writing, me.value, space, options)) : []

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
  return { ...report, failures, isUnfinished: !isAllRead || !writing.hasTime() }
}

/** What is wrong before anybody is asked. */
function configurationProblem(
  { server, key }: ServerConnection,
  before: SyncState,
  isInsecure: boolean,
): string | undefined {
  if (before.server !== server) return `This machine has joined ${before.server}, and config.toml says ${server}`
  if (key === '') return 'There is no key: set RECOLLECT_KEY, or run "recollect sync join" again'
  const { protocol, hostname } = new URL(server)
  if (protocol === 'https:' || isInsecure || isLoopback(hostname)) return undefined
  return `${server} is not encrypted: nothing is sent there without insecure = true under [sync]`
}

function connectionOf(
  { clock, config }: SyncContext,
  { key, maxMs, fetch = globalThis.fetch }: SyncOptions,
): ServerConnection {
  return {
    server: config.sync.server.replace(/\/+$/, ''),
    key: key ?? '',
    clock,
    timeoutMs: Math.min(60_000, (maxMs ?? 120_000) / 2),
    signal: maxMs === undefined ? undefined : AbortSignal.timeout(maxMs + graceMs),
    fetch,
  }
}

/** For the request that is under way when the time is over. */
const graceMs = 2000

/** Nothing is done with a key that is not taken: everything waits here, and the key is shown again from time to time. */
function failedToStart(context: SyncContext, before: SyncState, failure: SyncFailure): SyncResult {
  const { ledger, clock } = context
  const nowMs = clock.nowMs()
  const isKey = failure.kind === 'key' || failure.kind === 'role'
  const later = (lane: DirectionState) => withFailure(lane, failure.message, nowMs, failure.retryAfterMs)
  writeState(
    ledger,
    isKey
      ? { ...before, key: 'refused', keyProblem: failure.message, checkedMs: nowMs }
      : { ...before, pull: later(before.pull), push: later(before.push) },
  )
  return { ...emptySyncReport(), failures: [failure.message], isUnfinished: true }
}

/** One space that fails does not stop the others. */
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
  // Most of the time nobody has changed anything: then it is known already.
  const isSettled = !isForced && !isReconcileDue(space, clock.nowMs())
  if (isSettled && spaces.find(({ name }) => name === space.name)?.seq === space.cursor) return undefined
  onStep?.('reading', space.name)
  const failure = await pullSpace(reading, space)
  if (failure || !reading.hasTime()) return failure
  // What was read now is compared: less of it differs, and the server may have said that it is another.
  const now = listSpaces(ledger).find(({ name }) => name === space.name) ?? space
  return isForced || isReconcileDue(now, clock.nowMs()) ? reconcileSpace(reading, now) : undefined
}

async function sendSpace(
  writing: SyncRun,
  { spaces }: AccountInfo,
  space: Space,
  { onStep }: SyncOptions,
): Promise<SyncFailure | undefined> {
  // A key that may only read one's own space sends nothing: that is no failure.
  if (space.name === 'me' && spaces.find(({ name }) => name === 'me')?.role === 'reader') return undefined
  onStep?.('sending', space.name)
  for (;;) {
    const failure = await pushSpace(writing, space)
    // Little by little, behind what waits already: a long history must not keep back what was said here.
    if (failure || !writing.hasTime() || !enqueueChanged(writing.context, space)) return failure
  }
}

function directionAfter(
  lane: DirectionState,
  failures: readonly SyncFailure[],
  isWhole: boolean,
  nowMs: number,
): DirectionState {
  const [failure] = failures
  if (failure) return withFailure(lane, failure.message, nowMs, failure.retryAfterMs)
  return isWhole ? succeeded(nowMs) : { ...lane, failure: null }
}

/** It was taken at the beginning, and is not any more. */
function keyAfter(failures: readonly SyncFailure[]): Pick<SyncState, 'key' | 'keyProblem'> | undefined {
  const failure = failures.find(({ kind }) => kind === 'key')
  return failure && { key: 'refused', keyProblem: failure.message }
}

// The exchange with the server as a stage: bounded in time, and whatever goes wrong is told in `status` while the sweep goes on.

const maxSweepMs = 20_000

export interface SyncStageContext extends Omit<SyncContext, 'redact'> {
  machine: Machine
  loadTools(): Promise<Pick<SyncContext, 'redact'>>
}

export async function syncInSweep(context: SyncStageContext): Promise<SyncReport> {
  const { ledger, clock, config, origin, machine } = context
  const { redact } = await context.loadTools()
  try {
    const key = readKey({ machine, layout: ledger.layout })
    const context = { ledger, clock, config, origin, home: machine.home, redact }
    const { pushed, pulled, conflicts, refused, restored } = await sync(context, { key, maxMs: maxSweepMs })
    return { pushed, pulled, conflicts, refused, restored }
  } catch (error) {
    const state = readState(ledger) ?? newState(config.sync.server, '')
    const later = (lane: typeof state.pull) => withFailure(lane, messageOf(error), clock.nowMs())
    writeState(ledger, { ...state, pull: later(state.pull), push: later(state.push) })
    return emptySyncReport()
  }
}
