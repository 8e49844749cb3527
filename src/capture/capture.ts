// capture: from the agents' transcripts to sessions, events and bodies. Reads only what has been added since the last time;
// reading the same thing again changes nothing.
import { existsSync } from 'node:fs'
import { type Clock, isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
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
import { discover, type Found, type Sources } from './discover.ts'
import { ignoring, type Prepared, type Tools } from './prepare.ts'
import { type Job, type Produced, produce } from './produce.ts'
import { readParts } from './read.ts'
import { isLarge, isOutOfMemory, produceInThread } from './thread.ts'
import { type Written, writePrepared } from './write.ts'

export interface CaptureContext extends Sources {
  ledger: Ledger
  clock: Clock
  /** Redaction rules and prices are loaded when there is something to read. */
  loadTools(): Promise<Omit<Tools, 'isIgnored'>>
  /** Ledger ids of projects by folder and remote, found in this run. */
  projects: Map<string, number>
}

export interface CaptureOptions {
  /** Only this agent. */
  agent?: string
  /** Read everything again from the start. */
  isFull?: boolean
  onProgress?(bytesDone: number, bytes: number): void
  /** Told what each batch added, once it is committed. */
  onWritten?(written: Written[]): void
}

export interface CaptureReport {
  discovered: number
  ingested: number
  unchanged: number
  events: number
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
  for await (const produced of read(context, { changed, cursors })) {
    if (produced.kind === 'left') continue
    if (produced.kind === 'failed') {
      onFailed(produced.path, produced.reason)
      continue
    }
    const written = writePrepared(context, without(produced.prepared, report.failed), onFailed)
    for (const { events } of written) report.events += events.length
    for (const { cursor, bad } of produced.prepared.ends) {
      for (const one of bad) report.skipped.push({ path: cursor.path, ...one })
    }
    options.onProgress?.(produced.bytesDone, bytes)
    options.onWritten?.(written)
  }
  deleteUnusedProjects(ledger)
  forgetVanished(ledger)
  report.ingested = changed.length - new Set(report.failed.map(({ path }) => path)).size
  return report
}

/** What was said about a transcript that its agent has deleted helps nobody. */
function forgetVanished(ledger: Ledger): void {
  const paths = new Set(listProblems(ledger).map(({ path }) => path))
  for (const path of paths) if (!existsSync(path)) clearProblems(ledger, path, wholeFileOffset)
}

/** Once a part of a transcript could not be written, its later parts wait with it: a cursor never passes what is missing. */
function without(prepared: Prepared, failed: CaptureReport['failed']): Prepared {
  if (failed.length === 0) return prepared
  const paths = new Set(failed.map(({ path }) => path))
  return {
    ...prepared,
    writes: prepared.writes.filter(({ path }) => !paths.has(path)),
    ends: prepared.ends.filter(({ cursor }) => !paths.has(cursor.path)),
  }
}

async function* read(context: CaptureContext, job: Job): AsyncGenerator<Produced> {
  const done = new Set<string>()
  const begun = new Set<string>()
  if (isLarge(job.changed)) {
    try {
      for await (const produced of produceInThread(context, job)) {
        yield produced
        for (const path of finished(produced)) done.add(path)
        for (const path of unfinished(produced)) begun.add(path)
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
  yield* produce({ changed: rest, cursors }, { ...(await context.loadTools()), isIgnored: ignoring(context) })
}

/** Transcripts that were read to their end, or not at all. */
function finished(produced: Produced): string[] {
  if (produced.kind === 'left') return []
  if (produced.kind === 'failed') return [produced.path]
  return produced.prepared.ends.filter(({ cursor }) => cursor.stamp !== '').map(({ cursor }) => cursor.path)
}

function unfinished(produced: Produced): string[] {
  if (produced.kind !== 'batch') return []
  return produced.prepared.ends.filter(({ cursor }) => cursor.stamp === '').map(({ cursor }) => cursor.path)
}

/** What a sweep would read, without writing anything. */
export function preview(sources: Sources, ledger: Ledger | undefined, options: CaptureOptions = {}): CaptureReport {
  const { found, changed, cursors } = findChanged(sources, ledger, options)
  const report = newReport(found, changed)
  for (const one of changed) {
    const { path } = one.transcript
    try {
      for (const { load } of readParts(one, cursors.get(path))) {
        for (const { events } of load.sessions.values()) report.events += events.length
        for (const bad of load.bad) report.skipped.push({ path, ...bad })
      }
      report.ingested++
    } catch (error) {
      report.failed.push({ path, reason: messageOf(error) })
    }
  }
  return report
}

function findChanged(sources: Sources, ledger: Ledger | undefined, { agent, isFull }: CaptureOptions) {
  const found = discover(sources).filter((one) => !agent || one.agent.id === agent)
  const known = ledger && !isFull ? transcriptStamps(ledger) : new Map<string, string>()
  const changed = found.filter(({ transcript, stamp }) => known.get(transcript.path) !== stamp)
  const seen = changed.filter(({ transcript }) => known.has(transcript.path))
  return { found, changed, cursors: ledger ? cursorsOf(seen, ledger) : new Map<string, Cursor>() }
}

function cursorsOf(found: readonly Found[], ledger: Ledger): Map<string, Cursor> {
  const cursors = new Map<string, Cursor>()
  for (const { transcript } of found) {
    const cursor = readCursor(ledger, transcript.path)
    if (cursor) cursors.set(transcript.path, cursor)
  }
  return cursors
}

function newReport(found: Found[], changed: Found[]): CaptureReport {
  return {
    discovered: found.length,
    ingested: 0,
    unchanged: found.length - changed.length,
    events: 0,
    failed: [],
    skipped: [],
  }
}
