// capture: from the agents' transcripts to sessions, events and bodies. Reads only what has been added since the last time;
// reading the same thing again changes nothing.
import { type Clock, isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import type { Usage } from '../core/session.ts'
import { readCursor, stamps } from '../store/cursors.ts'
import type { Ledger } from '../store/ledger.ts'
import { reportProblem } from '../store/problems.ts'
import { newBatch } from './batch.ts'
import type { Redact } from './border.ts'
import { discover, type Found, type Sources } from './discover.ts'
import { partSize, readParts } from './read.ts'

export interface CaptureContext extends Sources {
  ledger: Ledger
  clock: Clock
  redact: Redact
  /** Loaded when there is something to price. */
  loadPrices(): Promise<PriceOf>
  /** Ledger ids of projects by folder and remote, found in this run. */
  projects: Map<string, number>
}

/** null: the model has no known price. */
export type PriceOf = (usage: Usage) => number | null

export interface CaptureOptions {
  /** Only this agent. */
  agent?: string
  /** Read everything again from the start. */
  isFull?: boolean
  onProgress?(bytesDone: number, bytes: number): void
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
  const { found, changed } = findChanged(context, options.isFull ? undefined : ledger, options.agent)
  const report = newReport(found, changed)
  const batch = newBatch(context, report)
  const bytes = changed.reduce((sum, { size }) => sum + size, 0)
  let bytesDone = 0
  for (const one of changed) {
    const { path } = one.transcript
    try {
      for (const part of readParts(one, options.isFull ? undefined : readCursor(ledger, path))) {
        batch.add(part)
        if (batch.size() > partSize) await batch.flush()
        options.onProgress?.(bytesDone + part.cursor.offset, bytes)
      }
      report.ingested++
    } catch (error) {
      const reason = messageOf(error)
      report.failed.push({ path, reason })
      reportProblem(ledger, { path, offset: 0, reason, seenAt: isoTime(clock.nowMs()) })
    }
    bytesDone += one.size
  }
  await batch.flush()
  return report
}

/** What a sweep would read, without writing anything. */
export function preview(sources: Sources, ledger: Ledger | undefined, options: CaptureOptions = {}): CaptureReport {
  const { found, changed } = findChanged(sources, options.isFull ? undefined : ledger, options.agent)
  const report = newReport(found, changed)
  for (const one of changed) {
    const { path } = one.transcript
    try {
      for (const { load } of readParts(one, ledger && !options.isFull ? readCursor(ledger, path) : undefined)) {
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

function findChanged(sources: Sources, ledger: Ledger | undefined, agent: string | undefined) {
  const found = discover(sources).filter((one) => !agent || one.agent.id === agent)
  const known = ledger ? stamps(ledger) : new Map<string, string>()
  return { found, changed: found.filter(({ transcript, stamp }) => known.get(transcript.path) !== stamp) }
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
