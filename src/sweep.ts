// One sweep: the pipeline, each part under its lock, with its report kept for `status` and `doctor`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from './app.ts'
import { preview } from './capture/capture.ts'
import { isIndexDue, reindex } from './capture/reindex.ts'
import { isoTime } from './core/clock.ts'
import { type LockOwner, tryLock, waitForLock } from './core/lock.ts'
import {
  isAnyDue,
  type PipelineContext,
  type PipelineOptions,
  pipeline,
  runStages,
  type SweepReport,
} from './pipeline.ts'
import { nothingRetained } from './retain/retain.ts'
import { writeValue } from './store/key-values.ts'
import type { Ledger } from './store/ledger.ts'
import { unlearnedStates } from './store/memories/learning.ts'
import { deleteScheduledBodies } from './store/sessions/evictions.ts'
import { saveVaultSize } from './store/sizes.ts'
import { emptySyncReport } from './sync/state.ts'

export interface SweepOptions extends PipelineOptions {
  isDryRun?: boolean
  /** Only what reads transcripts, or only what comes after it; everything when it is not given. */
  part?: 'capture' | 'rest'
  /** Wait for another sweep to end; told once who holds the lock. */
  onWait?(owner: LockOwner | undefined): void
  /** For no longer than this. */
  maxWaitMs?: number
}

export type Sweep =
  | { kind: 'done'; report: SweepReport & { ms: number } }
  | { kind: 'busy'; owner: LockOwner | undefined }

const firstLater = pipeline.findIndex(({ lock }) => lock === 'learn')
const capturing = pipeline.slice(0, firstLater)
const learning = pipeline.filter(({ lock }) => lock === 'learn')
const closing = pipeline.slice(firstLater).filter(({ lock }) => lock === 'sweep')

export async function sweep(app: App, options: SweepOptions = {}): Promise<Sweep> {
  const begun = performance.now()
  if (options.isDryRun) return { kind: 'done', report: withTime(dryRun(app, options), begun) }
  const release = await take(app, options)
  if (typeof release !== 'function') return release
  let isHeld = true
  const letGo = () => {
    if (isHeld) release()
    isHeld = false
  }
  let ledger: Ledger | undefined
  try {
    ledger = app.ledger()
    deleteScheduledBodies(ledger)
    const context = app.context(ledger)
    if (isIndexDue(ledger)) reindex(context, options.onIndex)
    let report = nothing()
    if (options.part !== 'rest') report = { ...report, ...(await runStages(capturing, context, options)) }
    if (options.part !== 'capture') report = { ...report, ...(await finish(app, context, options, letGo)) }
    const done = withTime(report, begun)
    if (options.part !== 'rest')
      writeValue(ledger, 'last sweep', { at: isoTime(app.clock.nowMs()), ...summaryOf(done) })
    return { kind: 'done', report: done }
  } finally {
    letGo()
    ledger?.close()
  }
}

async function take(app: App, options: SweepOptions): Promise<(() => void) | Extract<Sweep, { kind: 'busy' }>> {
  const path = join(app.layout.run, 'sweep.lock')
  if (options.onWait) return waitForLock(path, 'sweep', app.clock, options.onWait, options.maxWaitMs)
  const locking = tryLock(path, 'sweep', app.clock)
  return locking.kind === 'held' ? locking.release : { kind: 'busy', owner: locking.owner }
}

/** Where there is nothing to learn, as in most sweeps, no lock is given back and none is taken. */
async function finish(
  app: App,
  context: PipelineContext,
  options: SweepOptions,
  letGo: () => void,
): Promise<Partial<SweepReport>> {
  if (!isAnyDue(learning, context)) return runStages(closing, context, options)
  letGo()
  const learned = await learnInTurn(app, context, options)
  return { ...learned, ...(await close(app, context, options)) }
}

/**
 * One at a time. Who finds it taken goes on: what came in meanwhile is done by whoever holds it, in one more run, because it
 * looks once more after it has let go.
 */
async function learnInTurn(
  app: App,
  context: PipelineContext,
  options: PipelineOptions,
): Promise<Partial<SweepReport>> {
  const total = {
    edited: 0,
    learned: 0,
    merged: 0,
    superseded: 0,
    inbox: 0,
    consolidated: 0,
    memoryFiles: 0,
    journal: 0,
    articles: 0,
  }
  const synced = emptySyncReport()
  for (;;) {
    const locking = tryLock(join(app.layout.run, 'learn.lock'), 'learn', app.clock)
    if (locking.kind === 'busy') return { ...total, synced }
    const seen = unlearnedStates(context.ledger)
    try {
      const report = await runStages(learning, context, options)
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += report[name] ?? 0
      for (const name of Object.keys(synced) as (keyof typeof synced)[]) synced[name] += report.synced?.[name] ?? 0
      if (total.memoryFiles + total.journal + total.articles > 0) saveVaultSize(context.ledger)
    } finally {
      locking.release()
    }
    if ([...unlearnedStates(context.ledger)].every((mark) => seen.has(mark))) return { ...total, synced }
  }
}

async function close(app: App, context: PipelineContext, options: SweepOptions): Promise<Partial<SweepReport>> {
  const path = join(app.layout.run, 'sweep.lock')
  const release = await waitForLock(path, 'sweep', app.clock, () => {}, options.maxWaitMs)
  try {
    return await runStages(closing, context, options)
  } finally {
    release()
  }
}

function dryRun(app: App, options: SweepOptions): SweepReport {
  const ledger = existsSync(app.layout.ledger) ? app.existingLedger() : undefined
  try {
    return { ...nothing(), ...preview(app, ledger, options) }
  } finally {
    ledger?.close()
  }
}

function nothing(): SweepReport {
  return {
    discovered: 0,
    ingested: 0,
    unchanged: 0,
    failed: [],
    skipped: [],
    events: 0,
    commits: 0,
    digested: 0,
    learned: 0,
    merged: 0,
    superseded: 0,
    inbox: 0,
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

/** Numbers only: the ledger itself holds the problems one by one. */
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
    failed: report.failed.length,
    skipped: report.skipped.length,
  }
}
