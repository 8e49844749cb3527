// Captures sessions, events and bodies from the agents' transcripts. Reads only what was added
// since the last sweep; reading the same content again changes nothing.
import { existsSync } from 'node:fs'
import { isoTime } from '../core/clock.ts'
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
import { logWorkOnce } from '../store/work-log.ts'
import type { CaptureContext, CaptureSources, DiscoveredTranscript } from './context.ts'
import { discover } from './discover.ts'
import { type CaptureFailure, failureOf } from './failure.ts'
import type { PreparedBatch } from './prepare.ts'
import { readParts } from './read-batches.ts'
import { readChanged, readCursors } from './read-changed.ts'
import { restoreBodies } from './restore.ts'
import { type AddedEvents, writeBatch } from './write.ts'

export interface CaptureOptions {
  /** Only this agent. */
  agent?: string
  /** Read everything again from the start. */
  isFull?: boolean
  onProgress?(bytesDone: number, bytes: number): void
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
  const { found, changed, cursors } = findChanged(context, ledger, options)
  const report = newReport(found, changed)
  clearObsoleteProblems(ledger, found, options)
  if (changed.length === 0) return report
  const bytes = changed.reduce((sum, { size }) => sum + size, 0)
  const onFailed = (failure: CaptureFailure) => {
    report.failed.push({ path: failure.path, offset: failure.offset, reason: failure.reason })
    const failed = changed.find(({ transcript }) => transcript.path === failure.path)!
    saveFailure(context, failed, failure)
  }
  for await (const result of readChanged(context, { changed, cursors })) {
    if (result.kind === 'failed') {
      onFailed(result.failure)
      continue
    }
    const added = writeBatch(context, withoutFailed(result.batch, report.failed), onFailed)
    for (const { events } of added) report.events += events.length
    for (const { cursor, problems } of result.batch.ends) {
      for (const problem of problems) report.skipped.push({ path: cursor.path, ...problem })
    }
    options.onProgress?.(result.bytesDone, bytes)
    options.onWritten?.(added)
  }
  const failed = new Set(report.failed.map(({ path }) => path))
  const readable = found.filter(({ transcript }) => !failed.has(transcript.path))
  if (options.isFull) report.restored = await restoreBodies(context, readable)
  deleteUnusedProjects(ledger)
  report.ingested = changed.length - failed.size
  return report
}

/**
 * Problems of transcripts that are not found any more (deleted, or in a folder that is ignored now)
 * cannot be solved. Problems of bodies are of other stages.
 */
function clearObsoleteProblems(
  ledger: Ledger,
  found: readonly DiscoveredTranscript[],
  { agent }: CaptureOptions,
): void {
  const paths = new Set(listProblems(ledger).map(({ path }) => path))
  if (paths.size === 0) return
  const known = new Set(found.map(({ transcript }) => transcript.path))
  for (const path of paths) {
    const isOther = agent !== undefined || path.startsWith(ledger.layout.root)
    if (isOther ? !existsSync(path) : !known.has(path)) forgetProblems(ledger, path)
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
  const { found, changed, cursors } = findChanged(sources, ledger, options)
  const report = newReport(found, changed)
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
  const found = discover(sources).filter((one) => !agent || one.agent.id === agent)
  const known = ledger && !isFull ? transcriptStamps(ledger) : new Map<string, string>()
  const changed = found.filter(({ transcript, stamp }) => known.get(transcript.path) !== stamp)
  const seen = changed.filter(({ transcript }) => known.has(transcript.path))
  return { found, changed, cursors: ledger ? readCursors(ledger, seen) : new Map<string, Cursor>() }
}

function newReport(found: DiscoveredTranscript[], changed: DiscoveredTranscript[]): CaptureReport {
  return {
    discovered: found.length,
    ingested: 0,
    unchanged: found.length - changed.length,
    events: 0,
    restored: 0,
    failed: [],
    skipped: [],
  }
}
