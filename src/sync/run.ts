// One exchange with the server: who we are, what has changed there, what has changed here. Reading and sending fail for
// themselves, and neither ever loses anything: what did not go through is there the next time.
import { countOutbox } from '../store/sync/outbox.ts'
import { listSpaces, type Space } from '../store/sync/spaces.ts'
import { updateAccess } from './access.ts'
import { ask, type Line, type Trouble } from './client.ts'
import { type Me, meSchema } from './protocol.ts'
import { pullSpace } from './pull.ts'
import { pushSpace, type Sending } from './push.ts'
import { isReconcileDue, queueChanged, queueWhatDiffers, reconcileSpace } from './reconcile.ts'
import { nothingSynced, type SyncReport } from './report.ts'
import { isLoopback } from './server-address.ts'
import { done, failed, isOpen, type Lane, newState, readState, type SyncState, writeState } from './state.ts'
import type { TravelContext } from './traveller.ts'

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

export interface Synced extends SyncReport {
  /** Why something was left for the next time, for people. */
  failures: string[]
  /** It was stopped before it was done. */
  isUnfinished: boolean
}

export async function sync(context: TravelContext, options: SyncOptions): Promise<Synced> {
  const { ledger, clock, config } = context
  const line = lineOf(context, options)
  const before = readState(ledger) ?? newState(line.server, '')
  const obstacle = obstacleTo(line, before, config.sync.insecure)
  if (obstacle) return couldNotBegin(context, before, { kind: 'key', message: obstacle })
  const me = await ask(line, { path: '/api/me', schema: meSchema })
  if (me.kind === 'failed') return couldNotBegin(context, before, me.trouble)
  if (before.user !== '' && before.user !== me.value.user)
    return couldNotBegin(context, before, {
      kind: 'key',
      message: `The key is that of ${me.value.user}; this machine has joined as ${before.user}`,
    })
  updateAccess(context, me.value)
  const nowMs = clock.nowMs()
  const state: SyncState = { ...before, user: me.value.user, key: 'good', keyProblem: null, checkedMs: nowMs }
  writeState(ledger, state)

  const begun = performance.now()
  // Reading leaves time for sending: a long history must not keep back what was said here.
  const inTime = (share: number) => () =>
    options.maxMs === undefined || performance.now() - begun < options.maxMs * share
  const report = nothingSynced()
  const reading: Sending = { line, context, report, mayGoOn: inTime(0.6), notUnderstood: new Set() }
  const writing: Sending = { ...reading, mayGoOn: inTime(1) }
  const compared = listSpaces(ledger).filter((space) => options.isForced || isReconcileDue(space, nowMs))
  for (const space of compared) {
    options.onStep?.('comparing', space.name)
    queueWhatDiffers(context, space)
  }

  const isRead = options.isForced || isOpen(state.pull, nowMs)
  const pulling = isRead ? await inEach(context, (space) => read(reading, me.value, space, options)) : []
  const isAllRead = reading.mayGoOn()
  const isSent = options.isForced || isOpen(state.push, nowMs)
  const pushing = isSent ? await inEach(context, (space) => write(writing, me.value, space, options)) : []

  const after: SyncState = {
    ...state,
    pull: isRead ? laneAfter(state.pull, pulling, isAllRead, clock.nowMs()) : state.pull,
    push: isSent ? laneAfter(state.push, pushing, writing.mayGoOn(), clock.nowMs()) : state.push,
    notUnderstood: reading.notUnderstood.size,
    left: countOutbox(ledger).waiting,
    ...keyAfter([...pulling, ...pushing]),
  }
  writeState(ledger, after)
  const failures = [...new Set([...pulling, ...pushing].map(({ message }) => message))]
  return { ...report, failures, isUnfinished: !isAllRead || !writing.mayGoOn() }
}

/** What is wrong before anybody is asked. */
function obstacleTo({ server, key }: Line, before: SyncState, isInsecure: boolean): string | undefined {
  if (before.server !== server) return `This machine has joined ${before.server}, and config.toml says ${server}`
  if (key === '') return 'There is no key: set RECOLLECT_KEY, or run "recollect sync join" again'
  const { protocol, hostname } = new URL(server)
  if (protocol === 'https:' || isInsecure || isLoopback(hostname)) return undefined
  return `${server} is not encrypted: nothing is sent there without insecure = true under [sync]`
}

function lineOf({ clock, config }: TravelContext, { key, maxMs, fetch = globalThis.fetch }: SyncOptions): Line {
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
function couldNotBegin(context: TravelContext, before: SyncState, trouble: Trouble): Synced {
  const { ledger, clock } = context
  const nowMs = clock.nowMs()
  const isKey = trouble.kind === 'key' || trouble.kind === 'role'
  const later = (lane: Lane) => failed(lane, trouble.message, nowMs, trouble.retryAfterMs)
  writeState(
    ledger,
    isKey
      ? { ...before, key: 'refused', keyProblem: trouble.message, checkedMs: nowMs }
      : { ...before, pull: later(before.pull), push: later(before.push) },
  )
  return { ...nothingSynced(), failures: [trouble.message], isUnfinished: true }
}

/** One space that fails does not stop the others. */
async function inEach(
  { ledger }: TravelContext,
  work: (space: Space) => Promise<Trouble | undefined>,
): Promise<Trouble[]> {
  const troubles: Trouble[] = []
  for (const space of listSpaces(ledger)) {
    const trouble = await work(space)
    if (!trouble) continue
    troubles.push(trouble)
    if (trouble.kind === 'key') break
  }
  return troubles
}

async function read(
  reading: Sending,
  { spaces }: Me,
  space: Space,
  { isForced, onStep }: SyncOptions,
): Promise<Trouble | undefined> {
  const { ledger, clock } = reading.context
  // Most of the time nobody has changed anything: then it is known already.
  const isSettled = !isForced && !isReconcileDue(space, clock.nowMs())
  if (isSettled && spaces.find(({ name }) => name === space.name)?.seq === space.cursor) return undefined
  onStep?.('reading', space.name)
  const trouble = await pullSpace(reading, space)
  if (trouble || !reading.mayGoOn()) return trouble
  // What was read now is compared: less of it differs, and the server may have said that it is another.
  const now = listSpaces(ledger).find(({ name }) => name === space.name) ?? space
  return isForced || isReconcileDue(now, clock.nowMs()) ? reconcileSpace(reading, now) : undefined
}

async function write(
  writing: Sending,
  { spaces }: Me,
  space: Space,
  { onStep }: SyncOptions,
): Promise<Trouble | undefined> {
  // A key that may only read one's own space sends nothing: that is no failure.
  if (space.name === 'me' && spaces.find(({ name }) => name === 'me')?.role === 'reader') return undefined
  onStep?.('sending', space.name)
  for (;;) {
    const trouble = await pushSpace(writing, space)
    // Little by little, behind what waits already: a long history must not keep back what was said here.
    if (trouble || !writing.mayGoOn() || !queueChanged(writing.context, space)) return trouble
  }
}

function laneAfter(lane: Lane, troubles: readonly Trouble[], isWhole: boolean, nowMs: number): Lane {
  const [trouble] = troubles
  if (trouble) return failed(lane, trouble.message, nowMs, trouble.retryAfterMs)
  return isWhole ? done(nowMs) : { ...lane, failure: null }
}

/** It was taken at the beginning, and is not any more. */
function keyAfter(troubles: readonly Trouble[]): Pick<SyncState, 'key' | 'keyProblem'> | undefined {
  const trouble = troubles.find(({ kind }) => kind === 'key')
  return trouble && { key: 'refused', keyProblem: trouble.message }
}
