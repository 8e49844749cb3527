// Runs one sweep: the stages of the pipeline under their locks. The report is stored for `status`
// and `doctor`.
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from './app.ts'
import { isAdoptionDue, markAdoptionDue } from './capture/adoption-note.ts'
import { preview } from './capture/capture.ts'
import { isIndexDue, reindex } from './capture/reindex.ts'
import { isoTime } from './core/clock.ts'
import { deleteLeftovers } from './core/leftovers.ts'
import { forgetKilled, type LockOwner, tryLock, waitForLock, wasKilled } from './core/lock.ts'
import { isDamaged, isReadOnly } from './core/sqlite.ts'
import { plural } from './core/units.ts'
import { hasUnfinishedDeletions } from './delete/due.ts'
import { cleanUpHandoffs } from './handoff/clean-up.ts'
import {
  captureStages,
  closingStages,
  isAnyDue,
  learnStages,
  type PipelineContext,
  type PipelineOptions,
  runStages,
  type SweepReport,
} from './pipeline.ts'
import { recoverIfSuspected } from './recover.ts'
import { countEvicted, nothingRetained } from './retain/retain.ts'
import { saveFailedStages, saveLastSweep } from './store/last-sweep.ts'
import type { Ledger } from './store/ledger.ts'
import { unlearnedStates } from './store/memories/learning.ts'
import { isDamageSuspected, suspectDamage } from './store/recovery/ledger-files.ts'
import { deleteScheduledBodies } from './store/sessions/evictions.ts'
import { unfinishedHandoffs } from './store/sessions/handoffs.ts'
import { saveBriefsSize, saveVaultSize } from './store/sizes.ts'
import { hasRunRows, logWork } from './store/work-log.ts'
import { emptySyncReport } from './sync/state.ts'

export interface SweepOptions extends PipelineOptions {
  isDryRun?: boolean
  /** Only the capture stages, or only the stages after them; everything by default. */
  part?: 'capture' | 'rest'
  /** When given, waits for another sweep to end; called once with the owner of the lock. */
  onWait?(owner: LockOwner | undefined): void
  /** Limit of that wait. */
  maxWaitMs?: number
  /** Also waits for another process that learns, so that everything is learned at the end. */
  waitsForLearning?: boolean
  /** The run that the sweep is a part of, for the work log; by default a run of its own. */
  run?: { atMs: number; trigger: string }
}

export type Sweep =
  | { kind: 'done'; report: SweepReport & { ms: number } }
  | { kind: 'busy'; owner: LockOwner | undefined }

export async function sweep(app: App, options: SweepOptions = {}): Promise<Sweep> {
  const begun = performance.now()
  if (options.isDryRun) return { kind: 'done', report: withTime(dryRun(app, options), begun) }
  try {
    return await sweepOnce(app, options, begun)
  } catch (error) {
    if (!isDamaged(error)) throw error
    suspectDamage(app.layout, error)
    const again = await sweepOnce(app, options, begun)
    if (isDamageSuspected(app.layout)) throw error // another process was in the way
    return again
  }
}

/** Undefined if the store is in a place that cannot be written: then what it has can be read. */
export async function sweepIfWritable(app: App, options: SweepOptions = {}): Promise<Sweep | undefined> {
  return canWrite(app.layout) ? sweep(app, options) : undefined
}

function canWrite({ root, run }: App['layout']): boolean {
  try {
    for (const folder of [root, run]) if (existsSync(folder)) accessSync(folder, constants.W_OK)
    return true
  } catch (error) {
    if (isReadOnly(error)) return false
    throw error
  }
}

async function sweepOnce(app: App, options: SweepOptions, begun: number): Promise<Sweep> {
  const release = await acquireLock(app, options)
  if (typeof release !== 'function') return release
  let isHeld = true
  const releaseLock = () => {
    if (isHeld) release()
    isHeld = false
  }
  let ledger: Ledger | undefined
  try {
    const recovered = await recoverIfSuspected(app)
    const run = options.run ?? { atMs: app.clock.nowMs(), trigger: 'sweep' }
    ledger = { ...app.ledger(), runMs: Math.floor(run.atMs) }
    const isAfterKill = wasKilled(app.layout, app.clock)
    if (isAfterKill) markAdoptionDue(ledger)
    deleteScheduledBodies(ledger)
    const context = app.context(ledger)
    if (hasUnfinishedDeletions(ledger)) await (await import('./delete/files.ts')).finishDeletions(context)
    if (unfinishedHandoffs(ledger).length > 0) cleanUpHandoffs(ledger)
    if (isIndexDue(ledger)) reindex(context, options.onIndex)
    let report = emptyReport()
    if (options.part !== 'rest') report = { ...report, ...(await runStages(captureStages, context, options)) }
    if (options.part !== 'capture') {
      report = { ...report, ...(await runRest(app, context, options, releaseLock)) }
      saveBriefsSize(ledger)
    }
    if (isAfterKill && !isAdoptionDue(ledger)) {
      deleteLeftovers(app.layout)
      forgetKilled(app.layout)
    }
    if (recovered.kind === 'replaced') report = { ...report, recovery: recovered.recovery }
    const done = withTime({ ...report, failedStages: context.failedStages }, begun)
    if (options.part !== 'rest') saveLastSweep(ledger, isoTime(app.clock.nowMs()), summaryOf(done))
    if (options.part !== 'capture' || context.failedStages.length > 0) saveFailedStages(ledger, context.failedStages)
    logRun(ledger, app.clock.nowMs(), run.trigger, done)
    return { kind: 'done', report: done }
  } finally {
    releaseLock()
    ledger?.close()
  }
}

/** Most sweeps find nothing new and leave no row. */
function logRun(ledger: Ledger, atMs: number, trigger: string, report: SweepReport & { ms: number }): void {
  const text = runSummary(report)
  if (text === '' && !hasRunRows(ledger)) return
  logWork(ledger, { atMs, session: '', what: 'run', detail: `${trigger}: ${text || 'nothing new'}`, ms: report.ms })
}

function runSummary(report: SweepReport): string {
  const { synced, failed, failedStages, retention } = report
  const parts: [number, string][] = [
    [report.ingested, plural(report.ingested, 'transcript')],
    [report.events, plural(report.events, 'event')],
    [report.digested, plural(report.digested, 'digest')],
    [report.learned, `${plural(report.learned, 'memory', 'memories')} learned`],
    [report.proposed, plural(report.proposed, 'candidate')],
    [report.merged, `${report.merged} confirmed`],
    [report.superseded, `${report.superseded} superseded`],
    [report.dropped, `${report.dropped} dropped`],
    [report.missed, `${plural(report.missed, 'exchange')} waiting for a model`],
    [report.edited, `${report.edited} edited by hand`],
    [report.consolidated, `${report.consolidated} consolidated`],
    [report.journal, plural(report.journal, 'journal entry', 'journal entries')],
    [report.articles, plural(report.articles, 'article')],
    [report.briefs, plural(report.briefs, 'brief')],
    [synced.pushed, `${synced.pushed} sent`],
    [synced.pulled, `${synced.pulled} received`],
    [countEvicted(retention), `${plural(countEvicted(retention), 'conversation')} deleted`],
    [failed.length, `${plural(failed.length, 'transcript')} failed`],
  ]
  const numbers = parts.filter(([count]) => count > 0).map(([, text]) => text)
  return [...numbers, ...failedStages.map(({ stage, reason }) => `stage ${stage} failed: ${reason}`)].join(', ')
}

async function acquireLock(app: App, options: SweepOptions): Promise<(() => void) | Extract<Sweep, { kind: 'busy' }>> {
  const path = join(app.layout.run, 'sweep.lock')
  if (options.onWait) return waitForLock(path, 'sweep', app.clock, options.onWait, options.maxWaitMs)
  const locking = tryLock(path, 'sweep', app.clock)
  return locking.kind === 'held' ? locking.release : { kind: 'busy', owner: locking.owner }
}

/** Keeps the sweep lock when no learn stage is due, as in most sweeps. */
async function runRest(
  app: App,
  context: PipelineContext,
  options: SweepOptions,
  releaseLock: () => void,
): Promise<Partial<SweepReport>> {
  if (!options.waitsForLearning && !isAnyDue(learnStages, context)) return runStages(closingStages, context, options)
  releaseLock()
  const learned = await runLearnStages(app, context, options)
  return { ...learned, ...(await runClosingStages(app, context, options)) }
}

/**
 * Runs the learn stages, one process at a time. If another process holds the lock, this one
 * returns unless it is to wait: the holder checks for new sessions after releasing and runs again.
 */
async function runLearnStages(
  app: App,
  context: PipelineContext,
  options: SweepOptions,
): Promise<Partial<SweepReport>> {
  const total = {
    edited: 0,
    learned: 0,
    proposed: 0,
    merged: 0,
    superseded: 0,
    inbox: 0,
    dropped: 0,
    missed: 0,
    consolidated: 0,
    memoryFiles: 0,
    journal: 0,
    articles: 0,
  }
  const synced = emptySyncReport()
  for (;;) {
    const release = await acquireLearnLock(app, options)
    if (!release) return { ...total, synced }
    const sinceMs = context.clock.nowMs() - context.config.learn.freshDays * 86_400_000
    const seen = unlearnedStates(context.ledger, sinceMs)
    try {
      const report = await runStages(learnStages, context, options)
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += report[name] ?? 0
      for (const name of Object.keys(synced) as (keyof typeof synced)[]) synced[name] += report.synced?.[name] ?? 0
      if (total.memoryFiles + total.journal + total.articles > 0) saveVaultSize(context.ledger)
    } finally {
      release()
    }
    if ([...unlearnedStates(context.ledger, sinceMs)].every((state) => seen.has(state))) return { ...total, synced }
  }
}

async function acquireLearnLock(app: App, options: SweepOptions): Promise<(() => void) | undefined> {
  const path = join(app.layout.run, 'learn.lock')
  if (options.waitsForLearning)
    return waitForLock(path, 'learn', app.clock, options.onWait ?? (() => {}), options.maxWaitMs)
  const locking = tryLock(path, 'learn', app.clock)
  return locking.kind === 'held' ? locking.release : undefined
}

async function runClosingStages(
  app: App,
  context: PipelineContext,
  options: SweepOptions,
): Promise<Partial<SweepReport>> {
  const path = join(app.layout.run, 'sweep.lock')
  const release = await waitForLock(path, 'sweep', app.clock, () => {}, options.maxWaitMs)
  try {
    return await runStages(closingStages, context, options)
  } finally {
    release()
  }
}

function dryRun(app: App, options: SweepOptions): SweepReport {
  const ledger = existsSync(app.layout.ledger) ? app.existingLedger() : undefined
  try {
    return { ...emptyReport(), ...preview(app, ledger, options) }
  } finally {
    ledger?.close()
  }
}

function emptyReport(): SweepReport {
  return {
    adopted: 0,
    discovered: 0,
    ingested: 0,
    unchanged: 0,
    failed: [],
    failedStages: [],
    skipped: [],
    events: 0,
    restored: 0,
    commits: 0,
    digested: 0,
    learned: 0,
    proposed: 0,
    merged: 0,
    superseded: 0,
    inbox: 0,
    dropped: 0,
    missed: 0,
    edited: 0,
    consolidated: 0,
    synced: emptySyncReport(),
    memoryFiles: 0,
    journal: 0,
    articles: 0,
    shown: 0,
    used: 0,
    briefs: 0,
    retention: nothingRetained(),
  }
}

function withTime(report: SweepReport, begun: number): SweepReport & { ms: number } {
  return { ...report, ms: Math.round(performance.now() - begun) }
}

/** Numbers only, because the ledger has the problems themselves. */
function summaryOf(report: SweepReport & { ms: number }): Record<string, number> {
  const { discovered, ingested, unchanged, events, digested, learned, ms } = report
  return {
    discovered,
    ingested,
    unchanged,
    events,
    digested,
    learned,
    ms,
    failed: report.failed.length + report.failedStages.length,
    skipped: report.skipped.length,
  }
}
