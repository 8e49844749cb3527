// capture: from the agents' transcripts to sessions, events and bodies. Reads only what has been added since the last time;
// reading the same thing again changes nothing.
import { createHash } from 'node:crypto'
import type { DocumentTranscript, LogTranscript } from '../agents/agent.ts'
import { type Clock, isoTime } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
import { messageOf } from '../core/errors.ts'
import { matchesGlob } from '../core/globs.ts'
import { parseLine, readLines } from '../core/jsonl.ts'
import { sessionId } from '../core/session.ts'
import { type Cursor, readCursor, saveCursor, stamps } from '../store/cursors.ts'
import type { Ledger } from '../store/ledger.ts'
import { clearProblems, countRedactions, reportDrift, reportProblem } from '../store/problems.ts'
import { knownContentHash } from '../store/sessions.ts'
import { crossBorder, type Redact } from './border.ts'
import { discover, type Found, ignoredFolders, type Sources } from './discover.ts'
import { type Gathered, gather, type Load } from './gather.ts'
import { resumePoint, witnesses } from './resume.ts'
import { removeObsolete, type SessionWrite, writeSession } from './write.ts'

export interface CaptureContext extends Sources {
  ledger: Ledger
  clock: Clock
  config: Config
  redact: Redact
  /** Ledger ids of projects by folder and remote, found in this run. */
  projects: Map<string, number>
}

export interface CaptureOptions {
  /** Only this agent. */
  agent?: string
  /** Read everything again from the start. */
  isFull?: boolean
  onProgress?(progress: CaptureProgress): void
}

export interface CaptureProgress {
  files: number
  filesDone: number
  bytes: number
  bytesDone: number
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
  const found = discover(context).filter(({ agent }) => !options.agent || agent.id === options.agent)
  const known = options.isFull ? new Map<string, string>() : stamps(context.ledger)
  const changed = found.filter(({ transcript, stamp }) => known.get(transcript.path) !== stamp)
  const report: CaptureReport = {
    discovered: found.length,
    ingested: 0,
    unchanged: found.length - changed.length,
    events: 0,
    failed: [],
    skipped: [],
  }
  const batch = newBatch(context, report)
  const progress = {
    files: changed.length,
    filesDone: 0,
    bytes: changed.reduce((sum, { size }) => sum + size, 0),
    bytesDone: 0,
  }
  for (const one of changed) {
    const cursor = options.isFull ? undefined : readCursor(context.ledger, one.transcript.path)
    try {
      await captureOne(one, cursor, batch, (bytes) =>
        options.onProgress?.({ ...progress, bytesDone: progress.bytesDone + bytes }),
      )
      report.ingested++
    } catch (error) {
      batch.fail(one, messageOf(error))
    }
    progress.filesDone++
    progress.bytesDone += one.size
    options.onProgress?.(progress)
  }
  await batch.flush()
  return report
}

type OnBytes = (bytes: number) => void

function captureOne(one: Found, cursor: Cursor | undefined, batch: Batch, onBytes: OnBytes): Promise<void> {
  const { transcript } = one
  return transcript.shape === 'log'
    ? captureLog(one, transcript, cursor, batch, onBytes)
    : captureDocument(one, transcript, cursor, batch)
}

/** How much text is held before it is written; large enough for whole frames, small enough for little memory. */
const flushSize = 3_000_000

async function captureLog(
  one: Found,
  transcript: LogTranscript,
  cursor: Cursor | undefined,
  batch: Batch,
  onBytes: OnBytes,
) {
  const { path } = transcript
  const gathering = gather()
  if (cursor?.isIgnored) return batch.add(one, gathering.take(), { ...cursor, stamp: one.stamp })
  const { from, state } = resumePoint(cursor, path, one.size)
  const reader = transcript.open(gathering.out, state)
  batch.restart(path, from)
  let next = from
  const cursorAt = (stamp: string, offset: number): Cursor => {
    return { path, stamp, offset, ...witnesses(path, offset), state: reader.state(), isIgnored: false }
  }
  for (const line of readLines(path, from)) {
    const after = line.offset + line.bytes.length
    if (line.isWhole) next = after + 1
    if (transcript.isNoise?.(line.bytes)) continue
    const { records, bad } = parseLine(line.bytes)
    if (bad && !line.isWhole) {
      // Still being written, or torn for good: it is read again when the file grows.
      gathering.out.bad(line.offset, 'the last line is not complete yet')
      break
    }
    next = line.isWhole ? after + 1 : after
    if (bad) gathering.out.bad(line.offset + bad.at, bad.reason)
    for (const record of records) {
      try {
        reader.record(record, line.offset)
      } catch (error) {
        gathering.out.bad(line.offset, `not understood: ${messageOf(error)}`)
      }
    }
    if (gathering.size() > flushSize) {
      // Not the file's real stamp yet: if we are stopped here, the next sweep must see that there is more.
      batch.add(one, gathering.take(), cursorAt('', next))
      await batch.flush()
      onBytes(next - from)
    }
  }
  batch.add(one, gathering.take(), cursorAt(one.stamp, next))
  if (batch.size() > flushSize) await batch.flush()
}

async function captureDocument(one: Found, transcript: DocumentTranscript, cursor: Cursor | undefined, batch: Batch) {
  const { path } = transcript
  batch.restart(path, 0)
  const gathering = gather()
  const state = transcript.read(gathering.out, cursor?.state)
  batch.add(one, gathering.take(), {
    path,
    stamp: one.stamp,
    offset: 0,
    head: null,
    tail: null,
    state,
    isIgnored: false,
  })
  if (batch.size() > flushSize) await batch.flush()
}

interface Batch {
  /** What was said about the file from here on no longer holds: it is read again. */
  restart(path: string, fromOffset: number): void
  add(one: Found, load: Load, cursor: Cursor): void
  fail(one: Found, reason: string): void
  size(): number
  /** Redacts and writes what was added, with its cursors, in one transaction. */
  flush(): Promise<void>
}

interface Part {
  one: Found
  load: Load
  cursor: Cursor
}

/** Many small transcripts make one transaction; one large transcript makes several. */
function newBatch(context: CaptureContext, report: CaptureReport): Batch {
  const { ledger, clock, redact } = context
  const ignore = ignoring(context)
  let parts: Part[] = []
  let restarts: { path: string; fromOffset: number }[] = []
  let size = 0
  return {
    restart: (path, fromOffset) => restarts.push({ path, fromOffset }),
    add(one, load, cursor) {
      parts.push({ one, load, cursor })
      size += load.size
    },
    fail({ transcript }, reason) {
      report.failed.push({ path: transcript.path, reason })
      reportProblem(ledger, { path: transcript.path, offset: 0, reason, seenAt: isoTime(clock.nowMs()) })
    },
    size: () => size,
    async flush() {
      const writes = parts.flatMap((part) => sessionWrites(ledger, part, ignore))
      const counts = await crossBorder(
        writes.map((write) => write.gathered),
        redact,
      )
      const obsolete: string[] = []
      ledger.transaction(() => {
        for (const { path, fromOffset } of restarts) clearProblems(ledger, path, fromOffset)
        for (const write of writes) {
          const written = writeSession(context, write)
          report.events += written.events
          obsolete.push(...written.obsolete)
        }
        for (const part of parts) writePart(context, part, report)
        countRedactions(ledger, counts)
      })
      removeObsolete(ledger, obsolete)
      parts = []
      restarts = []
      size = 0
    },
  }
}

function sessionWrites(ledger: Ledger, part: Part, ignore: Ignore): SessionWrite[] {
  const { one, load, cursor } = part
  const writes: SessionWrite[] = []
  for (const [native, gathered] of load.sessions) {
    const write: SessionWrite = { agent: one.agent.id, native, gathered }
    if (ignore(one.transcript.path, gathered.about.cwd)) {
      cursor.isIgnored = one.transcript.shape === 'log'
      continue
    }
    if (one.transcript.shape === 'document') {
      write.contentHash = hashOf(gathered)
      if (knownContentHash(ledger, sessionId(write.agent, native)) === write.contentHash) continue
    }
    writes.push(write)
  }
  return writes
}

type Ignore = (path: string, cwd: string | undefined) => boolean

/** A log names its folder once; what follows in the same file is ignored with it. */
function ignoring({ config, machine }: CaptureContext): Ignore {
  const patterns = ignoredFolders(config, machine)
  const logs = new Set<string>()
  return (path, cwd) => {
    if (logs.has(path)) return true
    if (cwd === undefined || !patterns.some((pattern) => matchesGlob(cwd, pattern))) return false
    if (path.endsWith('.jsonl')) logs.add(path)
    return true
  }
}

function writePart({ ledger, clock }: CaptureContext, { one, load, cursor }: Part, report: CaptureReport): void {
  const { path } = one.transcript
  const seenAt = isoTime(clock.nowMs())
  for (const { offset, reason } of load.bad) {
    report.skipped.push({ path, offset, reason })
    reportProblem(ledger, { path, offset, reason, seenAt })
  }
  for (const [type, count] of load.unknown) reportDrift(ledger, { agent: one.agent.id, type, count, path, seenAt })
  saveCursor(ledger, one.agent.id, cursor)
}

function hashOf({ about, events, usages }: Gathered): string {
  const content = JSON.stringify([about, events, [...usages.values()]])
  return createHash('sha1').update(content).digest('base64url')
}
