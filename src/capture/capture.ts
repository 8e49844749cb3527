// Captures sessions, events and bodies from the agents' transcripts. Reads only what was added
// since the last sweep; reading the same content again changes nothing.
import { existsSync } from 'node:fs'
import { isoTime } from '../core/clock.ts'
import { limitHeap } from '../core/limit-heap.ts'
import type { Ledger } from '../store/ledger.ts'
import { deleteUnusedProjects } from '../store/sessions/projects.ts'
import {
  type Cursor,
  forgetProblems,
  listProblems,
  reportProblem,
  setTranscriptAside,
  transcriptStamps,
  wholeFileOffset,
} from '../store/sessions/transcripts.ts'
import { forgetUnread } from '../store/unread.ts'
import { logWorkOnce } from '../store/work-log.ts'
import type { CaptureContext, CaptureSources, DiscoveredTranscript } from './context.ts'
import { discoverChanged, oldestFirst } from './discover.ts'
import { type CaptureFailure, failureOf } from './failure.ts'
import type { PreparedBatch } from './prepare.ts'
import { followReading, type ReadingFollower } from './reading/follow-reading.ts'
import { type ReadJob, readParts } from './reading/read-batches.ts'
import { readChanged, readCursors, type ThreadLimits } from './reading/read-changed.ts'
import { createReadOrder, type ReadOrder } from './reading/read-order.ts'
import { isWorthThread } from './reading/read-thread.ts'
import { restoreBodies } from './restore.ts'
import { type AddedEvents, writeBatch } from './write.ts'

export interface CaptureOptions {
  /** Only this agent. */
  agent?: string
  /** Read everything again from the start. */
  isFull?: boolean
  onProgress?(bytesDone: number, bytes: number): void
  /** Called once in a large sweep, when recent sessions can be searched and older ones are still to be read. */
  onRecent?(): void | Promise<void>
  /** For tests: smaller threads, and fewer bytes that are worth one. */
  threadLimits?: ThreadLimits
  /** Called with what each batch added, once it is committed. */
  onWritten?(written: AddedEvents[]): void
}

export interface CaptureReport {
  discovered: number
  ingested: number
  unchanged: number
  events: number
  /** Sessions whose deleted text was read again; only with `isFull`. */
  restored: number
  failed: { path: string; offset: number; reason: string }[]
  skipped: { path: string; offset: number; reason: string }[]
}

export async function capture(context: CaptureContext, options: CaptureOptions = {}): Promise<CaptureReport> {
  const { ledger } = context
  const { paths, changed, cursors } = findChanged(context, ledger, options)
  const report = newReport(paths, changed)
  clearObsoleteProblems(ledger, paths, options)
  if (changed.length === 0) {
    if (options.agent === undefined) forgetUnread(ledger)
    return report
  }
  const bytes = changed.reduce((sum, { size }) => sum + size, 0)
  let bytesDone = 0
  const onProgress = (read: number) => {
    bytesDone += read
    options.onProgress?.(Math.min(bytesDone, bytes), bytes)
  }
  const order = createReadOrder(changed)
  const isLarge = isWorthThread(changed, options.threadLimits?.minBytes)
  const follower = isLarge ? followReading(ledger, changed, options) : undefined
  if (isLarge) limitHeap()
  await capturePass({ ...context, order }, { changed, cursors }, { report, follower, onProgress, options })
  for (let again = order.nextPass(); again.length > 0; again = order.nextPass())
    await capturePass({ ...context, order }, { changed: again, cursors: new Map() }, { report, options, isAgain: true })
  order.restoreUsage(ledger)
  const failed = new Set(report.failed.map(({ path }) => path))
  if (options.isFull) {
    const readable = changed.filter(({ transcript }) => !failed.has(transcript.path))
    report.restored = await restoreBodies(context, readable)
  }
  deleteUnusedProjects(ledger)
  if (options.agent === undefined) forgetUnread(ledger)
  report.ingested = changed.length - failed.size
  return report
}

interface PassOutput {
  report: CaptureReport
  options: CaptureOptions
  isAgain?: boolean
  onProgress?(read: number): void
  follower?: ReadingFollower | undefined
}

/** Reads and writes these transcripts once: the newest first if there are many, or again in the order in which they are given. */
async function capturePass(
  context: CaptureContext & { order: ReadOrder },
  job: Pick<ReadJob, 'changed' | 'cursors'>,
  { report, options, isAgain = false, onProgress, follower }: PassOutput,
): Promise<void> {
  const onFailed = (failure: CaptureFailure) => {
    report.failed.push({ path: failure.path, offset: failure.offset, reason: failure.reason })
    follower?.onFailed(failure.path)
    const failed = job.changed.find(({ transcript }) => transcript.path === failure.path)!
    saveFailure(context, failed, failure)
  }
  const reading = { isInOrder: isAgain, limits: options.threadLimits }
  for await (const result of readChanged(context, job, reading)) {
    if (result.kind === 'failed') {
      onFailed(result.failure)
      continue
    }
    const added = writeBatch(context, withoutFailed(result.batch, report.failed), onFailed)
    for (const { events } of added) report.events += events.length
    for (const { cursor, problems } of result.batch.ends)
      if (!context.order.isReleased(cursor.path))
        for (const problem of problems) report.skipped.push({ path: cursor.path, ...problem })
    onProgress?.(result.bytes)
    options.onWritten?.(added)
    await follower?.onWritten(result.batch, result.bytes)
    if (follower) limitHeap()
  }
}

/**
 * Problems of transcripts that are not found any more (deleted, or in a folder that is ignored now)
 * cannot be solved. Problems of bodies are of other stages.
 */
function clearObsoleteProblems(ledger: Ledger, found: ReadonlySet<string>, { agent }: CaptureOptions): void {
  for (const path of new Set(listProblems(ledger).map((problem) => problem.path))) {
    const isOther = agent !== undefined || path.startsWith(ledger.layout.root)
    if (isOther ? !existsSync(path) : !found.has(path)) forgetProblems(ledger, path)
  }
}

/** Reports the failure, and skips the transcript until it changes if trying again cannot help. */
function saveFailure(
  { ledger, clock }: CaptureContext,
  { agent, stamp }: DiscoveredTranscript,
  failure: CaptureFailure,
): void {
  const { path, offset, reason, isRetried } = failure
  const seenAt = isoTime(clock.nowMs())
  ledger.transaction(() => {
    reportProblem(ledger, {
      path,
      offset: wholeFileOffset,
      reason: isRetried ? reason : `byte ${offset}: ${reason}`,
      seenAt,
    })
    if (!isRetried) setTranscriptAside(ledger, agent.id, path, stamp)
    logWorkOnce(ledger, { atMs: clock.nowMs(), session: '', what: 'failed', detail: `${path}: ${reason}` })
  })
}

/**
 * Leaves out the later parts of a transcript once a part could not be written: the cursor must not
 * move past events that are missing.
 */
function withoutFailed(batch: PreparedBatch, failed: CaptureReport['failed']): PreparedBatch {
  if (failed.length === 0) return batch
  const paths = new Set(failed.map(({ path }) => path))
  return {
    ...batch,
    writes: batch.writes.filter(({ path }) => !paths.has(path)),
    ends: batch.ends.filter(({ cursor }) => !paths.has(cursor.path)),
  }
}

/** Reports what a sweep would read, without writing anything. */
export function preview(
  sources: CaptureSources,
  ledger: Ledger | undefined,
  options: CaptureOptions = {},
): CaptureReport {
  const { paths, changed, cursors } = findChanged(sources, ledger, options)
  const report = newReport(paths, changed)
  for (const one of changed) {
    const { path } = one.transcript
    try {
      for (const { data } of readParts(one, cursors.get(path))) {
        for (const { events } of data.sessions.values()) report.events += events.length
        for (const problem of data.problems) report.skipped.push({ path, ...problem })
      }
      report.ingested++
    } catch (error) {
      const { offset, reason } = failureOf(path, 0, error)
      report.failed.push({ path, offset, reason })
    }
  }
  return report
}

function findChanged(sources: CaptureSources, ledger: Ledger | undefined, { agent, isFull }: CaptureOptions) {
  const known = ledger && !isFull ? transcriptStamps(ledger) : new Map<string, string>()
  const agents = agent === undefined ? sources.agents : sources.agents.filter(({ id }) => id === agent)
  const { paths, changed } = discoverChanged({ ...sources, agents }, known)
  const seen = changed.filter(({ transcript }) => known.has(transcript.path))
  const cursors = ledger ? readCursors(ledger, seen) : new Map<string, Cursor>()
  return { paths, changed: oldestFirst(changed), cursors }
}

function newReport(paths: ReadonlySet<string>, changed: DiscoveredTranscript[]): CaptureReport {
  return {
    discovered: paths.size,
    ingested: 0,
    unchanged: paths.size - changed.length,
    events: 0,
    restored: 0,
    failed: [],
    skipped: [],
  }
}
