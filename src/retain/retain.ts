// retain: the storage governor. Bodies go, oldest first, and only after they were digested and learned from; what goes without
// a digest is reported as data loss. What is distilled is never deleted.
import { type Clock, isoTime } from '../core/clock.ts'
import type { Config } from '../core/config.ts'
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
  /** Digests what is not digested yet; needed when even that is not enough. */
  digestNow(): void
}

export interface RetainReport {
  usedBytes: number
  freedBytes: number
  /** Sessions whose bodies were let go, by pass. */
  age: string[]
  budget: string[]
  overflow: string[]
  /** Those of them that nobody had learned from. */
  unlearned: string[]
  /** Sessions whose bodies went before they were digested. */
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
  // Measuring walks folders: where nothing went by age and all of it fits, once is enough.
  if (report.age.length > 0 || before > config.retain.softBytes) {
    report.budget = fit(context, config.retain.softBytes, (body) => isDone(body, config))
    if (totalBytes(storeSizes(ledger)) > config.retain.hardBytes) overflow(context, report)
  }
  const isSmaller = report.age.length + report.budget.length + report.overflow.length + report.dataLoss.length > 0
  if (!isSmaller) return { ...report, alerts: alerts(context, report, sizes) }
  deleteScheduledBodies(ledger)
  releaseFreePages(ledger)
  const after = storeSizes(ledger)
  report.usedBytes = totalBytes(after)
  report.freedBytes = Math.max(0, before - report.usedBytes)
  return { ...report, alerts: alerts(context, report, after) }
}

/** Age counts from when the body last grew here, so that a first sweep over years of history keeps what it found. */
function ageOut({ ledger, clock, config }: RetainContext): string[] {
  if (config.retain.maxAgeDays === 0) return []
  const oldest = isoTime(clock.nowMs() - config.retain.maxAgeDays * dayMs)
  return letGo(
    ledger,
    clock,
    storedBodies(ledger).filter((session) => isDone(session, config) && session.capturedAt < oldest),
  )
}

function isDone({ isDigested, isLearned }: StoredBody, { learn }: Config): boolean {
  return isDigested && (isLearned || !learn.isOn)
}

/** Bodies that may go, oldest first, until the store fits. */
function fit({ ledger, clock }: RetainContext, budgetBytes: number, mayGo: (body: StoredBody) => boolean): string[] {
  let excess = totalBytes(storeSizes(ledger)) - budgetBytes
  if (excess <= 0) return []
  const chosen: StoredBody[] = []
  for (const session of storedBodies(ledger)) {
    if (excess <= 0) break
    if (!mayGo(session)) continue
    chosen.push(session)
    excess -= session.bytes
  }
  return letGo(ledger, clock, chosen)
}

/** Still too much: digest what is left and try again; then bodies go undigested, and it is said. */
function overflow(context: RetainContext, report: RetainReport): void {
  const { ledger, clock, config } = context
  context.digestNow()
  const done = fit(context, config.retain.hardBytes, (body) => isDone(body, config))
  report.unlearned = fit(context, config.retain.hardBytes, ({ isDigested }) => isDigested)
  report.overflow = [...done, ...report.unlearned]
  let excess = totalBytes(storeSizes(ledger)) - config.retain.hardBytes
  const chosen: StoredBody[] = []
  for (const session of storedBodies(ledger)) {
    if (excess <= 0) break
    chosen.push(session)
    excess -= session.bytes
  }
  report.dataLoss = letGo(ledger, clock, chosen)
}

function letGo(ledger: Ledger, clock: Clock, sessions: StoredBody[]): string[] {
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
    found.push(
      `what is kept for good takes ${formatSize(distilled)}, more than ${formatSize(config.retain.distilledBytes)}`,
    )
  }
  return found
}
