// What was read and not yet written. Many small transcripts make one transaction; one large transcript makes several.
import { createHash } from 'node:crypto'
import { isoTime } from '../core/clock.ts'
import { matchesGlob } from '../core/globs.ts'
import { sessionId } from '../core/session.ts'
import { saveCursor } from '../store/cursors.ts'
import type { Ledger } from '../store/ledger.ts'
import { clearProblems, countRedactions, reportDrift, reportProblem } from '../store/problems.ts'
import { removeRetired } from '../store/retired.ts'
import { knownContentHash } from '../store/sessions.ts'
import { crossBorder } from './border.ts'
import type { CaptureContext, CaptureReport } from './capture.ts'
import { ignoredFolders } from './discover.ts'
import type { Gathered } from './gather.ts'
import type { Part } from './read.ts'
import { type SessionWrite, writeSession } from './write.ts'

export interface Batch {
  add(part: Part): void
  size(): number
  /** Redacts and writes what was added, with its cursors, in one transaction. */
  flush(): Promise<void>
}

export function newBatch(context: CaptureContext, report: CaptureReport): Batch {
  const { ledger, redact } = context
  const isIgnored = ignoring(context)
  let parts: Part[] = []
  let size = 0
  return {
    add(part) {
      parts.push(part)
      size += part.load.size
    },
    size: () => size,
    async flush() {
      if (parts.length === 0) return
      const writes = parts.flatMap((part) => sessionWrites(ledger, part, isIgnored))
      const counts = await crossBorder(
        writes.map((write) => write.gathered),
        redact,
      )
      const priceOf = await context.loadPrices()
      ledger.transaction(() => {
        for (const write of writes) report.events += writeSession(context, write, priceOf)
        for (const part of parts) writePart(context, part, report)
        countRedactions(ledger, counts)
      })
      removeRetired(ledger)
      parts = []
      size = 0
    },
  }
}

function sessionWrites(ledger: Ledger, { one, load, cursor }: Part, isIgnored: IsIgnored): SessionWrite[] {
  const { agent, transcript } = one
  const writes: SessionWrite[] = []
  for (const [native, gathered] of load.sessions) {
    if (isIgnored(transcript.path, gathered.about.cwd)) {
      cursor.isIgnored = transcript.shape === 'log'
      continue
    }
    const write: SessionWrite = { agent: agent.id, native, gathered }
    if (transcript.shape === 'document') {
      write.contentHash = hashOf(gathered)
      if (knownContentHash(ledger, sessionId(agent.id, native)) === write.contentHash) continue
    }
    writes.push(write)
  }
  return writes
}

type IsIgnored = (path: string, cwd: string | undefined) => boolean

/** A log names its folder once: what follows in the same file is ignored with it. */
function ignoring({ config, machine }: CaptureContext): IsIgnored {
  const patterns = ignoredFolders(config, machine)
  const logs = new Set<string>()
  return (path, cwd) => {
    if (logs.has(path)) return true
    if (cwd === undefined || !patterns.some((pattern) => matchesGlob(cwd, pattern))) return false
    if (path.endsWith('.jsonl')) logs.add(path)
    return true
  }
}

function writePart({ ledger, clock }: CaptureContext, { one, load, cursor, from }: Part, report: CaptureReport): void {
  const { path } = one.transcript
  const seenAt = isoTime(clock.nowMs())
  clearProblems(ledger, path, from)
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
