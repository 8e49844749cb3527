// The retain stage: deletes the oldest bodies to stay within the size and age limits. Bodies are
// deleted only after they were digested and learned from; deletion without a digest is reported as
// data loss. Digests, memories and the index are never deleted.
import { type Clock, isoTime } from '../core/clock.ts'
import type { Config } from '../core/config/config.ts'
import { formatSize } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import {
  deleteScheduledBodies,
  evictBody,
  releaseFreePages,
  type StoredBody,
  storedBodies,
} from '../store/sessions/evictions.ts'
import { type StoreSizes, storeSizes, totalBytes } from '../store/sizes.ts'

export interface RetainContext {
  ledger: Ledger
  clock: Clock
  config: Config
  /** Digests undigested sessions, so that their bodies can be deleted without data loss. */
  digestRemaining(): void
}

export interface RetainReport {
  usedBytes: number
  freedBytes: number
  /** Sessions whose bodies were deleted, by reason. */
  age: string[]
  budget: string[]
  overflow: string[]
  /** Those of them that were not learned from. */
  unlearned: string[]
  /** Sessions whose bodies were deleted before they were digested. */
  dataLoss: string[]
  alerts: string[]
}

export function nothingRetained(): RetainReport {
  return { usedBytes: 0, freedBytes: 0, age: [], budget: [], overflow: [], unlearned: [], dataLoss: [], alerts: [] }
}

const dayMs = 24 * 3600 * 1000

export function retain(context: RetainContext): RetainReport {
  const { ledger, config } = context
  const sizes = storeSizes(ledger)
  const before = totalBytes(sizes)
  const report: RetainReport = { ...nothingRetained(), usedBytes: before }
  report.age = ageOut(context)
  // Measuring walks folders, so it is only repeated when something was deleted or the limit is
  // exceeded.
  if (report.age.length > 0 || before > config.retain.softBytes) {
    report.budget = fit(context, config.retain.softBytes, (body) => isProcessed(body, config))
    if (totalBytes(storeSizes(ledger)) > config.retain.hardBytes) overflow(context, report)
  }
  const hasEvicted = report.age.length + report.budget.length + report.overflow.length + report.dataLoss.length > 0
  if (!hasEvicted) return { ...report, alerts: alerts(context, report, sizes) }
  deleteScheduledBodies(ledger)
  releaseFreePages(ledger)
  const after = storeSizes(ledger)
  report.usedBytes = totalBytes(after)
  report.freedBytes = Math.max(0, before - report.usedBytes)
  return { ...report, alerts: alerts(context, report, after) }
}

/**
 * Age counts from the last capture, so that a first sweep over years of history keeps what it
 * found.
 */
function ageOut({ ledger, clock, config }: RetainContext): string[] {
  if (config.retain.maxAgeDays === 0) return []
  const oldest = isoTime(clock.nowMs() - config.retain.maxAgeDays * dayMs)
  return evictBodies(
    ledger,
    clock,
    storedBodies(ledger).filter((session) => isProcessed(session, config) && session.capturedAt < oldest),
  )
}

function isProcessed({ isDigested, isLearned }: StoredBody, { learn }: Config): boolean {
  return isDigested && (isLearned || !learn.isOn)
}

/** Deletes bodies that pass the filter, oldest first, until the store fits. */
function fit(
  { ledger, clock }: RetainContext,
  budgetBytes: number,
  isEvictable: (body: StoredBody) => boolean,
): string[] {
  let excess = totalBytes(storeSizes(ledger)) - budgetBytes
  if (excess <= 0) return []
  const chosen: StoredBody[] = []
  for (const session of storedBodies(ledger)) {
    if (excess <= 0) break
    if (!isEvictable(session)) continue
    chosen.push(session)
    excess -= session.bytes
  }
  return evictBodies(ledger, clock, chosen)
}

/**
 * Above the hard limit: digests what is left and deletes those bodies; then deletes undigested
 * bodies and reports data loss.
 */
function overflow(context: RetainContext, report: RetainReport): void {
  const { ledger, clock, config } = context
  context.digestRemaining()
  const done = fit(context, config.retain.hardBytes, (body) => isProcessed(body, config))
  report.unlearned = fit(context, config.retain.hardBytes, ({ isDigested }) => isDigested)
  report.overflow = [...done, ...report.unlearned]
  let excess = totalBytes(storeSizes(ledger)) - config.retain.hardBytes
  const chosen: StoredBody[] = []
  for (const session of storedBodies(ledger)) {
    if (excess <= 0) break
    chosen.push(session)
    excess -= session.bytes
  }
  report.dataLoss = evictBodies(ledger, clock, chosen)
}

function evictBodies(ledger: Ledger, clock: Clock, sessions: StoredBody[]): string[] {
  if (sessions.length === 0) return []
  ledger.transaction(() => {
    for (const session of sessions) evictBody(ledger, session, isoTime(clock.nowMs()))
  })
  return sessions.map((session) => session.uid)
}

function alerts({ config }: RetainContext, report: RetainReport, { bodies: _, ...rest }: StoreSizes): string[] {
  const distilled = Object.values(rest).reduce((sum, size) => sum + size, 0)
  const found: string[] = []
  if (report.dataLoss.length > 0)
    found.push(`${report.dataLoss.length} sessions lost their bodies before they were digested`)
  if (report.unlearned.length > 0)
    found.push(`${report.unlearned.length} sessions lost their bodies before anything was learned from them`)
  if (distilled > config.retain.distilledBytes) {
    found.push(`permanent data takes ${formatSize(distilled)}, more than ${formatSize(config.retain.distilledBytes)}`)
  }
  return found
}
