// Restores deleted bodies from transcripts that still exist, for `sweep --full`. Only text and index
// come back: events, digest, usage and what was learned have stayed.
import { isoTime } from '../core/clock.ts'
import { sessionId } from '../core/session.ts'
import { unindexEvents } from '../store/search/index-session.ts'
import { appendBody, bodyState, repackBody } from '../store/sessions/bodies.ts'
import { type BodyFrame, repackFrames } from '../store/sessions/body-frames.ts'
import { maxEventSeq, placeOfEvent } from '../store/sessions/events.ts'
import {
  deleteScheduledBodies,
  type EvictedSession,
  evictedSessions,
  markRestored,
  scheduleBodyDeletion,
} from '../store/sessions/evictions.ts'
import { bodyHeaderOf, saveBody } from '../store/sessions/session-bodies.ts'
import { openSession } from '../store/sessions/sessions.ts'
import { retainedSizes, totalBytes } from '../store/sizes.ts'
import { newBody } from './body-files.ts'
import type { CaptureContext, DiscoveredTranscript, PrepareTools } from './context.ts'
import { writeCopy } from './copies/write-copy.ts'
import { createIgnoreFilter, type SessionWrite } from './prepare.ts'
import { readBatches } from './reading/read-batches.ts'
import { indexBody } from './reindex.ts'

/** Latest first, and only while the store is below its limit. Returns the number of sessions. */
export async function restoreBodies(context: CaptureContext, found: readonly DiscoveredTranscript[]): Promise<number> {
  const { ledger, config } = context
  const transcripts = new Map(found.map((one) => [one.transcript.path, one]))
  const sessions = evictedSessions(ledger).filter(({ source }) => transcripts.has(source))
  if (sessions.length === 0) return 0
  const tools = { ...(await context.loadTools()), isIgnored: createIgnoreFilter(context) }
  let restored = 0
  for (const [source, inSource] of Map.groupBy(sessions, (session) => session.source)) {
    if (totalBytes(retainedSizes(ledger)) >= config.retain.softBytes) break
    restored += restoreFrom(context, transcripts.get(source)!, inSource, tools)
  }
  deleteScheduledBodies(ledger)
  return restored
}

/** Consecutive events of a session, packed. */
interface TextRun {
  firstSeq: number
  count: number
  frames: BodyFrame[]
}

function restoreFrom(
  context: CaptureContext,
  found: DiscoveredTranscript,
  sessions: readonly EvictedSession[],
  tools: PrepareTools,
): number {
  const runs = new Map(
    sessions.map((session) => [
      session.uid,
      { session, texts: [] as TextRun[], seen: new Set<number>(), writes: [] as SessionWrite[] },
    ]),
  )
  for (const result of readBatches({ changed: [found], cursors: new Map() }, tools)) {
    if (result.kind !== 'batch') continue // capture has reported it
    for (const write of result.batch.writes) {
      const wanted = runs.get(sessionId(write.agent, write.native))
      if (!wanted) continue
      wanted.texts.push(...missingTexts(context, wanted.session, write, wanted.seen))
      if (write.copy) wanted.writes.push(write)
    }
  }
  return [...runs.values()].filter(({ session, texts, writes }) => restoreBody(context, session, texts, writes)).length
}

/** The events whose text is deleted, by their place in the ledger; each once, although a file may repeat them. */
function missingTexts(
  { ledger }: CaptureContext,
  { id, evictedThrough }: EvictedSession,
  { events, frames }: SessionWrite,
  seen: Set<number>,
): TextRun[] {
  const places = events.map(({ key }) => {
    const place = placeOfEvent(ledger, key)
    if (place?.session !== id || place.seq >= evictedThrough || seen.has(place.seq)) return undefined
    seen.add(place.seq)
    return place.seq
  })
  const runs: { firstSeq: number; from: number; to: number }[] = []
  for (const [index, seq] of places.entries()) {
    if (seq === undefined) continue
    const last = runs.at(-1)
    if (last && last.to === index && last.firstSeq + index - last.from === seq) last.to++
    else runs.push({ firstSeq: seq, from: index, to: index + 1 })
  }
  return runs.map(({ firstSeq, from, to }) => ({
    firstSeq,
    count: to - from,
    frames: to - from === events.length ? frames : repackFrames(frames, (index) => index >= from && index < to),
  }))
}

/**
 * Writes the text from a place on without gaps: what the transcript no longer has stays deleted.
 * Returns whether there was any.
 */
function restoreBody(
  { ledger, clock }: CaptureContext,
  evicted: EvictedSession,
  texts: TextRun[],
  writes: readonly SessionWrite[],
): boolean {
  const { bodies } = ledger.layout
  const { runs, fromSeq } = withoutGaps(texts, evicted.evictedThrough)
  if (runs.length === 0) return false
  return ledger.transaction(() => {
    const session = openSession(ledger, evicted.uid, evicted.agent, isoTime(clock.nowMs()))
    if (session.evictedThrough !== evicted.evictedThrough) return false // another process was faster
    const old = session.body
    if (old && bodyState(bodies, old.file, old.bytes) !== 'whole') return false
    let body = newBody(ledger, session)
    const header = bodyHeaderOf(ledger, session.id)
    for (const { frames, firstSeq } of runs) body = appendBody(bodies, body, frames, firstSeq, header)
    if (old) {
      body = repackBody(bodies, old, body)
      scheduleBodyDeletion(ledger, old.file)
    }
    saveBody(ledger, session.id, body, isoTime(clock.nowMs()))
    unindexEvents(ledger, session.id, maxEventSeq)
    indexBody(ledger, { id: session.id, ...body })
    markRestored(ledger, session.id, fromSeq)
    for (const write of writes) {
      const grown = openSession(ledger, evicted.uid, evicted.agent, '')
      writeCopy(ledger, grown, write.copy!, { write, firstSeq: undefined })
    }
    return true
  })
}

/** The runs that lead up to `throughSeq` without a gap, in order. */
function withoutGaps(texts: readonly TextRun[], throughSeq: number): { runs: TextRun[]; fromSeq: number } {
  const runs: TextRun[] = []
  let fromSeq = throughSeq
  for (const run of [...texts].sort((a, b) => b.firstSeq - a.firstSeq)) {
    if (run.firstSeq + run.count !== fromSeq) continue
    runs.unshift(run)
    fromSeq = run.firstSeq
  }
  return { runs, fromSeq }
}
