// One sweep: the pipeline under the lock, with its report kept for `status` and `doctor`.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { App } from './app.ts'
import { preview } from './capture/capture.ts'
import { isoTime } from './core/clock.ts'
import { type Owner, tryLock, waitForLock } from './core/lock.ts'
import { type PipelineOptions, runPipeline, type SweepReport } from './pipeline.ts'
import type { Ledger } from './store/ledger.ts'
import { writeNote } from './store/notes.ts'
import { removeRetired } from './store/retired.ts'

export interface SweepOptions extends PipelineOptions {
  isDryRun?: boolean
  /** Wait for another sweep to end; told once who holds the lock. */
  onWait?(owner: Owner | undefined): void
  /** For no longer than this. */
  mostWaitMs?: number
}

export type Sweep = { kind: 'done'; report: SweepReport & { ms: number } } | { kind: 'busy'; owner: Owner | undefined }

export async function sweep(app: App, options: SweepOptions = {}): Promise<Sweep> {
  const begun = performance.now()
  if (options.isDryRun) return { kind: 'done', report: withTime(dryRun(app, options), begun) }
  const lock = join(app.layout.run, 'sweep.lock')
  const release = options.onWait
    ? await waitForLock(lock, 'sweep', app.clock, options.onWait, options.mostWaitMs)
    : take(lock, app)
  if (typeof release !== 'function') return release
  let ledger: Ledger | undefined
  try {
    ledger = app.ledger()
    removeRetired(ledger)
    const report = withTime(await runPipeline(app.context(ledger), options), begun)
    writeNote(ledger, 'last sweep', { at: isoTime(app.clock.nowMs()), ...summaryOf(report) })
    return { kind: 'done', report }
  } finally {
    ledger?.close()
    release()
  }
}

function take(path: string, app: App): (() => void) | Extract<Sweep, { kind: 'busy' }> {
  const locking = tryLock(path, 'sweep', app.clock)
  return locking.kind === 'held' ? locking.release : { kind: 'busy', owner: locking.owner }
}

function dryRun(app: App, options: SweepOptions): SweepReport {
  const ledger = existsSync(app.layout.ledger) ? app.existingLedger() : undefined
  try {
    const retention = { usedBytes: 0, freedBytes: 0, age: [], budget: [], overflow: [], dataLoss: [], alerts: [] }
    return { ...preview(app, ledger, options), digested: 0, learned: 0, briefs: 0, retention }
  } finally {
    ledger?.close()
  }
}

function withTime(report: SweepReport, begun: number): SweepReport & { ms: number } {
  return { ...report, ms: Math.round(performance.now() - begun) }
}

/** Numbers only: the ledger itself holds the problems one by one. */
function summaryOf(report: SweepReport & { ms: number }): Record<string, number> {
  const { discovered, ingested, unchanged, events, digested, ms } = report
  return {
    discovered,
    ingested,
    unchanged,
    events,
    digested,
    ms,
    failed: report.failed.length,
    skipped: report.skipped.length,
  }
}
