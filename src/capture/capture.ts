// Captures sessions, events and bodies from the agents' transcripts. Reads only what was added
// since the last sweep; reading the same content again changes nothing.
import { existsSync } from 'node:fs'
import { isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { isOutOfMemory } from '../core/worker-thread.ts'
import type { Ledger } from '../store/ledger.ts'
import { deleteUnusedProjects } from '../store/sessions/projects.ts'
import {
  type Cursor,
  clearProblems,
  listProblems,
  readCursor,
  reportProblem,
  transcriptStamps,
  wholeFileOffset,
} from '../store/sessions/transcripts.ts'
import type { CaptureContext, CaptureSources, DiscoveredTranscript } from './context.ts'
import { discover } from './discover.ts'
import { createIgnoreFilter, type PreparedBatch } from './prepare.ts'
import { type ReadJob, type ReadResult, readBatches, readParts } from './read-batches.ts'
import { isWorthThread, readInThread } from './read-thread.ts'
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
  failed: { path: string; reason: string }[]
  skipped: { path: string; offset: number; reason: string }[]
}

export async function capture(context: CaptureContext, options: CaptureOptions = {}): Promise<CaptureReport> {
  const { ledger, clock } = context
  const { found, changed, cursors } = findChanged(context, ledger, options)
  const report = newReport(found, changed)
  if (changed.length === 0) return report
  const bytes = changed.reduce((sum, { size }) => sum + size, 0)
  const onFailed = (path: string, reason: string) => {
    report.failed.push({ path, reason })
    reportProblem(ledger, { path, offset: wholeFileOffset, reason, seenAt: isoTime(clock.nowMs()) })
  }
  for await (const result of readChanged(context, { changed, cursors })) {
    if (result.kind === 'too large') continue
    if (result.kind === 'failed') {
      onFailed(result.path, result.reason)
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
  if (options.isFull) report.restored = await restoreBodies(context, found)
  deleteUnusedProjects(ledger)
  clearVanishedProblems(ledger)
  report.ingested = changed.length - new Set(report.failed.map(({ path }) => path)).size
  return report
}

/** Problems of a transcript that its agent has deleted cannot be solved any more. */
function clearVanishedProblems(ledger: Ledger): void {
  const paths = new Set(listProblems(ledger).map(({ path }) => path))
  for (const path of paths) if (!existsSync(path)) clearProblems(ledger, path, wholeFileOffset)
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

/** Reads in a second thread if that pays, and here what the thread could not hold in its memory. */
async function* readChanged(context: CaptureContext, job: ReadJob): AsyncGenerator<ReadResult> {
  const done = new Set<string>()
  const begun = new Set<string>()
  if (isWorthThread(job.changed)) {
    try {
      for await (const result of readInThread(context, job)) {
        yield result
        for (const path of finishedPaths(result)) done.add(path)
        for (const path of unfinishedPaths(result)) begun.add(path)
      }
    } catch (error) {
      if (!isOutOfMemory(error)) throw error
    }
  }
  const rest = job.changed.filter(({ transcript }) => !done.has(transcript.path))
  if (rest.length === 0) return
  const moved = cursorsOf(
    rest.filter(({ transcript }) => begun.has(transcript.path)),
    context.ledger,
  )
  const cursors = new Map([...job.cursors, ...moved])
  yield* readBatches(
    { changed: rest, cursors },
    { ...(await context.loadTools()), isIgnored: createIgnoreFilter(context) },
  )
}

/** Transcripts that need no second attempt: read to their end, or failed. */
function finishedPaths(result: ReadResult): string[] {
  if (result.kind === 'too large') return []
  if (result.kind === 'failed') return [result.path]
  return result.batch.ends.filter(({ cursor }) => cursor.stamp !== '').map(({ cursor }) => cursor.path)
}

function unfinishedPaths(result: ReadResult): string[] {
  if (result.kind !== 'batch') return []
  return result.batch.ends.filter(({ cursor }) => cursor.stamp === '').map(({ cursor }) => cursor.path)
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
      report.failed.push({ path, reason: messageOf(error) })
    }
  }
  return report
}

function findChanged(sources: CaptureSources, ledger: Ledger | undefined, { agent, isFull }: CaptureOptions) {
  const found = discover(sources).filter((one) => !agent || one.agent.id === agent)
  const known = ledger && !isFull ? transcriptStamps(ledger) : new Map<string, string>()
  const changed = found.filter(({ transcript, stamp }) => known.get(transcript.path) !== stamp)
  const seen = changed.filter(({ transcript }) => known.has(transcript.path))
  return { found, changed, cursors: ledger ? cursorsOf(seen, ledger) : new Map<string, Cursor>() }
}

function cursorsOf(found: readonly DiscoveredTranscript[], ledger: Ledger): Map<string, Cursor> {
  const cursors = new Map<string, Cursor>()
  for (const { transcript } of found) {
    const cursor = readCursor(ledger, transcript.path)
    if (cursor) cursors.set(transcript.path, cursor)
  }
  return cursors
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
