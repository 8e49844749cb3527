// The worker: a short-lived process, one at a time. It handles the spool, sweeps, waits for
// transcripts that lag behind their hook, and exits. A spool file is deleted only after its event
// is in the ledger.
import { lstatSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from './app.ts'
import { rootsOf } from './capture/discover.ts'
import { type HookEvent, readSpool, removeFromSpool, type SpoolContext, spoolFiles } from './capture/spool.ts'
import { messageOf } from './core/errors.ts'
import { appendLog } from './core/files.ts'
import { type LockAttempt, type LockOwner, tryLock } from './core/lock.ts'
import { isBusy, isDamaged } from './core/sqlite.ts'
import { isSessionDeleted } from './store/deletion/deletions.ts'
import type { Ledger } from './store/ledger.ts'
import { suspectDamage } from './store/recovery/ledger-files.ts'
import { lastMessageKind } from './store/sessions/events.ts'
import { deleteStaleHookEvents, saveHookEvent } from './store/sessions/hook-events.ts'
import { logWork } from './store/work-log.ts'
import { type SweepOptions, sweep } from './sweep.ts'

export interface WorkReport {
  /** Hook events handled. */
  events: number
  /** Their sessions. */
  sessions: string[]
  ingested: number
  sweeps: number
  learned: number
  failed: number
  ms: number
}

export type Work = { kind: 'done'; report: WorkReport } | { kind: 'busy'; owner: LockOwner | undefined }

/**
 * Transcripts are complete up to 140 ms after the hook of a turn; they are read again for a little
 * longer.
 */
const settleMs = 400
/** Limit of waiting for a locked ledger. */
const maxBusyMs = 120_000
const beatMs = 20_000
/** Interval of checking the spool while a model runs. */
const lookMs = 300
/** Events handled in one round. */
const maxTogether = 10_000

export interface WorkLimits {
  /** How long after its hook a transcript may lag behind. */
  maxLagMs?: number
  /** How long to wait for a worker that is about to exit. */
  maxHandoverMs?: number
  /** Waits this long for another worker, and for other processes that learn: then all is learned. */
  maxDrainMs?: number
}

export async function work(app: App, limits: WorkLimits = {}): Promise<Work> {
  const { maxLagMs = 5000, maxHandoverMs = 2000, maxDrainMs } = limits
  const beganAt = performance.now()
  const locking = await acquireWorkLock(app, maxDrainMs ?? maxHandoverMs, maxDrainMs !== undefined)
  const running = join(app.layout.run, 'worker')
  if (locking.kind === 'busy') {
    if (locking.owner) writePidFile(running, String(locking.owner.pid)) // read by hooks
    return locking
  }
  const beat = setInterval(() => refreshPidFile(running, app), beatMs)
  try {
    const report: WorkReport = { events: 0, sessions: [], ingested: 0, sweeps: 0, learned: 0, failed: 0, ms: 0 }
    const begun = performance.now()
    const run: WorkerRun = { atMs: app.clock.nowMs(), trigger: 'worker' }
    const learning = createLearner(app, report, run, maxDrainMs)
    do {
      writePidFile(running, String(process.pid))
      do {
        await retryWhileLocked(app, () => handleSpool(app, report, run, maxLagMs))
        learning.start()
        // A model may take minutes, so new hook events are captured meanwhile.
        while (learning.isAtWork() && spoolFiles(app.layout.spool, app.clock).length === 0) await learning.orSoon()
      } while (learning.isAtWork() || spoolFiles(app.layout.spool, app.clock).length > 0)
      await learning.end()
      // From here on a hook starts the next worker; events before that are seen by one more check.
      rmSync(running, { force: true })
    } while (spoolFiles(app.layout.spool, app.clock).length > 0)
    return { kind: 'done', report: { ...report, ms: Math.round(performance.now() - begun) } }
  } catch (error) {
    appendLog(app.layout.logs, 'work', app.clock, messageOf(error))
    logFailure(app, messageOf(error), performance.now() - beganAt)
    if (isDamaged(error)) suspectDamage(app.layout, error)
    // A stale worker pid file keeps hooks from starting the next worker for two minutes: what
    // failed now would fail again with every event.
    leaveStalePidFile(running)
    throw error
  } finally {
    clearInterval(beat)
    locking.release()
  }
}

/**
 * Waits for a worker that is about to exit: it has checked the spool for the last time, so later
 * events are for this one.
 */
async function acquireWorkLock(app: App, maxHandoverMs: number, isPatient: boolean): Promise<LockAttempt> {
  const since = performance.now()
  for (;;) {
    const locking = tryLock(join(app.layout.run, 'work.lock'), 'work', app.clock)
    const isLate = performance.now() - since > maxHandoverMs
    const isLeaving = !isPatient && spoolFiles(app.layout.spool, app.clock).length === 0
    if (locking.kind === 'held' || isLate || isLeaving) return locking
    await sleep(50)
  }
}

type WorkerRun = NonNullable<SweepOptions['run']>

async function handleSpool(app: App, report: WorkReport, run: WorkerRun, maxLagMs: number): Promise<void> {
  const beganAt = performance.now()
  const events = readSpool(spoolContext(app)).slice(0, maxTogether)
  await sweepOnce(app, report, { part: 'capture', run })
  await waitForTranscripts(app, events, report, run, maxLagMs)
  saveHookEvents(app, events, run, Math.round(performance.now() - beganAt))
  removeFromSpool(
    app.layout.spool,
    events.map(({ file }) => file),
  )
  report.events += events.length
  report.sessions = [...new Set([...report.sessions, ...events.map(uidOf).filter((uid) => uid !== '')])]
}

/** Runs the stages after capture, one run at a time; a request during a run starts another run. */
function createLearner(app: App, report: WorkReport, run: WorkerRun, maxDrainMs: number | undefined) {
  let running: Promise<void> | undefined
  let isWanted = false
  let failure: unknown
  const learnWhileWanted = async () => {
    while (isWanted) {
      isWanted = false
      const patience = maxDrainMs === undefined ? {} : { waitsForLearning: true, maxWaitMs: maxDrainMs }
      await retryWhileLocked(app, () => sweepOnce(app, report, { part: 'rest', run, ...patience }))
    }
  }
  return {
    start() {
      isWanted = true
      running ??= learnWhileWanted()
        .catch((error: unknown) => {
          failure ??= error
        })
        .finally(() => {
          running = undefined
        })
    },
    isAtWork: () => running !== undefined,
    orSoon: () => Promise.race([running, sleep(lookMs)]),
    async end() {
      await running
      if (failure) throw failure
    },
  }
}

async function sweepOnce(
  app: App,
  report: WorkReport,
  options: Pick<SweepOptions, 'part' | 'agent' | 'run' | 'waitsForLearning' | 'maxWaitMs'>,
): Promise<void> {
  const done = await sweep(app, { onWait: () => {}, maxWaitMs: maxBusyMs, ...options })
  if (done.kind === 'busy') return
  if (options.part === 'capture') report.sweeps++
  report.learned += done.report.learned
  report.ingested += done.report.ingested
  report.failed += done.report.failed.length + done.report.failedStages.length
  for (const { stage, reason } of done.report.failedStages)
    appendLog(app.layout.logs, 'work', app.clock, `${stage}: ${reason}`)
}

/** Reads transcripts again until every ended turn has its final message. */
async function waitForTranscripts(
  app: App,
  events: HookEvent[],
  report: WorkReport,
  run: WorkerRun,
  maxLagMs: number,
): Promise<void> {
  let waiting = incompleteTurns(app, events)
  for (let pauseMs = 150; waiting.length > 0; pauseMs *= 2) {
    const newestMs = waiting.reduce((newest, { atMs }) => Math.max(newest, atMs), 0) - app.clock.nowMs()
    await sleep(Math.max(1, Math.min(Math.max(pauseMs, newestMs + settleMs), newestMs + maxLagMs)))
    for (const agent of new Set(waiting.map(({ agent }) => agent)))
      await sweepOnce(app, report, { part: 'capture', agent, run })
    waiting = incompleteTurns(app, waiting).filter(({ atMs }) => app.clock.nowMs() - atMs < maxLagMs)
  }
}

/** Turns that may be incomplete in the ledger: too recent, or without a final message. */
function incompleteTurns(app: App, events: HookEvent[]): HookEvent[] {
  const ended = events.filter(({ moment, session }) => (moment === 'turn' || moment === 'end') && session !== '')
  if (ended.length === 0) return []
  const ledger = app.ledger()
  try {
    return ended.filter((event) => {
      const last = lastMessageKind(ledger, uidOf(event))
      const isAnswered = last === 'reply' || last === 'error' || last === 'interrupt'
      const isExpected = last !== undefined || event.transcript !== undefined
      const isFresh = app.clock.nowMs() - event.atMs < settleMs
      return isFresh || (event.moment === 'turn' && isExpected && !isAnswered)
    })
  } finally {
    ledger.close()
  }
}

function saveHookEvents(app: App, events: HookEvent[], { atMs }: WorkerRun, ms: number): void {
  if (events.length === 0) return
  const ledger = { ...app.ledger(), runMs: Math.floor(atMs) }
  try {
    ledger.transaction(() => {
      for (const event of events) saveHookEvent(ledger, { ...event, atMs: Math.floor(event.atMs) })
      logHookEvents(ledger, events, ms)
      deleteStaleHookEvents(ledger, app.clock.nowMs() - 86_400_000)
    })
  } finally {
    ledger.close()
  }
}

/** Several events of a session that came together are handled once. */
function logHookEvents(ledger: Ledger, events: HookEvent[], ms: number): void {
  const handled = new Set<string>()
  for (const event of events) {
    const uid = uidOf(event)
    const isCaptured = uid !== '' && lastMessageKind(ledger, uid) !== undefined
    const isGone = !isCaptured && isSessionDeleted(ledger, uid)
    const what = handled.has(uid) ? 'coalesced' : isCaptured ? 'captured' : isGone ? 'skipped' : 'no transcript'
    handled.add(uid)
    const detail = [event.agent, event.event, isGone ? 'of a deleted session' : event.detail].filter(Boolean).join(' ')
    logWork(ledger, { atMs: event.atMs, session: uid, what, detail, ms })
  }
}

/** The ledger may be what failed: the file in logs/ has the reason, too. */
function logFailure(app: App, detail: string, ms: number): void {
  try {
    const ledger = app.ledger()
    try {
      logWork(ledger, { atMs: app.clock.nowMs(), session: '', what: 'failed', detail, ms: Math.round(ms) })
    } finally {
      ledger.close()
    }
  } catch {
    // logs/work.log has it
  }
}

/** Retries while the ledger is locked; any other failure leaves the spool for the next worker. */
async function retryWhileLocked<T>(app: App, task: () => Promise<T>): Promise<T> {
  const since = performance.now()
  for (;;) {
    try {
      return await task()
    } catch (error) {
      if (!isBusy(error) || performance.now() - since > maxBusyMs) throw error
      appendLog(app.layout.logs, 'work', app.clock, 'the ledger is locked by another program; waiting')
      await sleep(1000)
    }
  }
}

export function spoolContext(app: App): SpoolContext {
  // An agent without hooks sends no event. Aider's folder is the whole home, so it would be found in
  // place of any other agent.
  const roots = app.agents
    .filter(({ hooks }) => hooks)
    .flatMap((agent) => rootsOf(agent, app.machine, app.config).map((root) => ({ agent: agent.id, root })))
    .toSorted((a, b) => b.root.length - a.root.length)
  return {
    spool: app.layout.spool,
    clock: app.clock,
    agents: app.agents,
    agentOfPath(path, named) {
      const around = roots.filter(({ root }) => path.startsWith(`${root}/`) || path.startsWith(`${root}\\`))
      const closest = around.filter(({ root }) => root.length === around[0]!.root.length).map(({ agent }) => agent)
      return closest.includes(named) ? named : closest[0]
    },
  }
}

function uidOf({ agent, session }: HookEvent): string {
  return session === '' ? '' : `${agent}:${session}`
}

/** Opening a pipe in its place would wait forever. */
function writePidFile(path: string, pid: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) rmSync(path, { recursive: true })
  writeFileSync(path, pid, { mode: 0o600 })
}

function leaveStalePidFile(path: string): void {
  try {
    writePidFile(path, '')
  } catch {
    // then the next event starts a worker at once
  }
}

function refreshPidFile(path: string, app: App): void {
  const seconds = app.clock.nowMs() / 1000
  try {
    utimesSync(path, seconds, seconds)
  } catch {
    // a hook may have replaced it; the lock decides
  }
}
