// The worker: short-lived, one at a time. It takes what the hooks have dropped, sweeps, waits for transcripts that lag behind
// their hook, and ends. A file leaves the spool only after what it stands for is in the ledger.
import { rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from './app.ts'
import { rootsOf } from './capture/discover.ts'
import { type HookEvent, readSpool, removeFromSpool, type SpoolPlace, spoolFiles } from './capture/spool.ts'
import { messageOf } from './core/errors.ts'
import { type LockAttempt, type LockOwner, tryLock } from './core/lock.ts'
import { logLine } from './core/log.ts'
import { isBusy } from './core/sqlite.ts'
import { lastMessageKind } from './store/sessions/events.ts'
import { deleteStaleHookEvents, saveHookEvent } from './store/sessions/hook-events.ts'
import { type SweepOptions, sweep } from './sweep.ts'

export interface WorkReport {
  /** Hook events that were taken from the spool. */
  events: number
  /** Sessions that they were of. */
  sessions: string[]
  ingested: number
  sweeps: number
  learned: number
  failed: number
  ms: number
}

export type Work = { kind: 'done'; report: WorkReport } | { kind: 'busy'; owner: LockOwner | undefined }

/** After a turn's hook the last words reached the transcript up to 140 ms later; then they are looked for a little longer. */
const settleMs = 400
const maxLagMs = 5000
/** A ledger that another program holds, or a worker that is about to end. */
const maxBusyMs = 120_000
const maxHandoverMs = 2000
const beatMs = 20_000
/** How often the spool is looked at while a model is asked. */
const lookMs = 300
/** Events that are handled in one round. */
const maxTogether = 10_000

export async function work(app: App): Promise<Work> {
  const locking = await takeOver(app)
  const running = join(app.layout.run, 'worker')
  if (locking.kind === 'busy') {
    if (locking.owner) writeFileSync(running, String(locking.owner.pid), { mode: 0o600 }) // hooks look there
    return locking
  }
  const beat = setInterval(() => touch(running, app), beatMs)
  try {
    const report: WorkReport = { events: 0, sessions: [], ingested: 0, sweeps: 0, learned: 0, failed: 0, ms: 0 }
    const begun = performance.now()
    const learning = learner(app, report)
    do {
      writeFileSync(running, String(process.pid), { mode: 0o600 })
      do {
        await patiently(app, () => round(app, report))
        learning.start()
        // A model may take minutes: what hooks tell meanwhile is captured as it comes.
        while (learning.isAtWork() && spoolFiles(app.layout.spool, app.clock).length === 0) await learning.orSoon()
      } while (learning.isAtWork() || spoolFiles(app.layout.spool, app.clock).length > 0)
      await learning.end()
      // From here a hook starts the next worker; what came before that is seen by one more look.
      rmSync(running, { force: true })
    } while (spoolFiles(app.layout.spool, app.clock).length > 0)
    return { kind: 'done', report: { ...report, ms: Math.round(performance.now() - begun) } }
  } catch (error) {
    logLine(app.layout.logs, 'work', app.clock, messageOf(error))
    // A claim that nobody follows up keeps hooks from starting the next worker for two minutes: what failed now would
    // fail again with every event.
    leaveClaim(running)
    throw error
  } finally {
    clearInterval(beat)
    locking.release()
  }
}

/** A worker that is about to end has looked for the last time: what came after that is for the next one, which waits. */
async function takeOver(app: App): Promise<LockAttempt> {
  const since = performance.now()
  for (;;) {
    const locking = tryLock(join(app.layout.run, 'work.lock'), 'work', app.clock)
    const isOver = performance.now() - since > maxHandoverMs || spoolFiles(app.layout.spool, app.clock).length === 0
    if (locking.kind === 'held' || isOver) return locking
    await sleep(50)
  }
}

async function round(app: App, report: WorkReport): Promise<void> {
  const events = readSpool(spoolPlace(app)).slice(0, maxTogether)
  await sweepOnce(app, report, { part: 'capture' })
  await catchUp(app, events, report)
  record(app, events)
  removeFromSpool(
    app.layout.spool,
    events.map(({ file }) => file),
  )
  report.events += events.length
  report.sessions = [...new Set([...report.sessions, ...events.map(uidOf).filter((uid) => uid !== '')])]
}

/** What comes after capture, once at a time; asked to start while it runs, it runs once more. */
function learner(app: App, report: WorkReport) {
  let running: Promise<void> | undefined
  let isWanted = false
  let failure: unknown
  const run = async () => {
    while (isWanted) {
      isWanted = false
      await patiently(app, () => sweepOnce(app, report, { part: 'rest' }))
    }
  }
  return {
    start() {
      isWanted = true
      running ??= run()
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

async function sweepOnce(app: App, report: WorkReport, options: Pick<SweepOptions, 'part' | 'agent'>): Promise<void> {
  const done = await sweep(app, { onWait: () => {}, maxWaitMs: maxBusyMs, ...options })
  if (done.kind === 'busy') return
  if (options.part === 'capture') report.sweeps++
  report.learned += done.report.learned
  report.ingested += done.report.ingested
  report.failed += done.report.failed.length
}

/** Reads again until the last word of every turn that has ended is there. */
async function catchUp(app: App, events: HookEvent[], report: WorkReport): Promise<void> {
  let waiting = lagging(app, events)
  for (let pauseMs = 150; waiting.length > 0; pauseMs *= 2) {
    const newestMs = waiting.reduce((newest, { atMs }) => Math.max(newest, atMs), 0) - app.clock.nowMs()
    await sleep(Math.min(Math.max(pauseMs, newestMs + settleMs), newestMs + maxLagMs))
    for (const agent of new Set(waiting.map(({ agent }) => agent)))
      await sweepOnce(app, report, { part: 'capture', agent })
    waiting = lagging(app, waiting).filter(({ atMs }) => app.clock.nowMs() - atMs < maxLagMs)
  }
}

/** Turns that may not be wholly in the ledger: too fresh to be sure, or without an answer as their last word. */
function lagging(app: App, events: HookEvent[]): HookEvent[] {
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

function record(app: App, events: HookEvent[]): void {
  if (events.length === 0) return
  const ledger = app.ledger()
  try {
    ledger.transaction(() => {
      for (const event of events) saveHookEvent(ledger, { ...event, atMs: Math.floor(event.atMs) })
      deleteStaleHookEvents(ledger, app.clock.nowMs() - 86_400_000)
    })
  } finally {
    ledger.close()
  }
}

/** A ledger that is locked for a while is waited for; any other failure leaves the spool as it is for the next worker. */
async function patiently<T>(app: App, task: () => Promise<T>): Promise<T> {
  const since = performance.now()
  for (;;) {
    try {
      return await task()
    } catch (error) {
      if (!isBusy(error) || performance.now() - since > maxBusyMs) throw error
      logLine(app.layout.logs, 'work', app.clock, 'the ledger is locked by another program; waiting')
      await sleep(1000)
    }
  }
}

export function spoolPlace(app: App): SpoolPlace {
  const roots = app.agents.flatMap((agent) => rootsOf(agent, app.machine, app.config).map((root) => ({ agent, root })))
  return {
    spool: app.layout.spool,
    clock: app.clock,
    agents: app.agents,
    agentOfPath: (path) =>
      roots.find(({ root }) => path.startsWith(`${root}/`) || path.startsWith(`${root}\\`))?.agent.id,
  }
}

function uidOf({ agent, session }: HookEvent): string {
  return session === '' ? '' : `${agent}:${session}`
}

function leaveClaim(path: string): void {
  try {
    writeFileSync(path, '', { mode: 0o600 })
  } catch {
    // then the next event tries at once
  }
}

function touch(path: string, app: App): void {
  const seconds = app.clock.nowMs() / 1000
  try {
    utimesSync(path, seconds, seconds)
  } catch {
    // a hook may have taken it over; the lock decides
  }
}
