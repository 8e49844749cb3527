// Texts that several commands print about a sweep, a sync or the owner of a lock.
import { UserError } from '../core/errors.ts'
import { type LockOwner, LockTimeoutError } from '../core/lock.ts'
import { formatCount, formatElapsed, formatSize, plural, type Zone } from '../core/units.ts'
import type { SweepReport } from '../pipeline.ts'
import { holdWarning, storageUse } from '../retain/describe.ts'
import { countEvicted, type RetainReport } from '../retain/retain.ts'
import type { Ledger } from '../store/ledger.ts'
import type { MemoryCounts } from '../store/memories/memories.ts'
import type { LedgerRecovery } from '../store/recovery/replace-ledger.ts'
import { unreadNotice } from '../store/unread.ts'
import type { SyncReport } from '../sync/state.ts'
import type { Terminal } from './terminal.ts'

export function syncReportText({ pushed, pulled, conflicts, refused, restored }: SyncReport): string {
  const parts = [
    `${plural(pushed, 'item')} sent`,
    `${pulled} received`,
    conflicts > 0 ? `${conflicts} changed on both sides, both versions kept (recollect inbox)` : '',
    refused > 0 ? `${refused} refused (recollect sync --status)` : '',
    restored > 0 ? `${restored} sent again because the server had lost them or had an older version` : '',
  ]
  return parts.filter(Boolean).join(', ')
}

/** What a search cannot find yet. */
export function sayUnread(ledger: Ledger, { say, style }: Terminal): void {
  const notice = unreadNotice(ledger)
  if (notice) say(style.yellow(notice))
}

/** `12 memories, 40 candidates to review: recollect memories review`. */
export function memoryCountsText({ kept, candidates, inbox }: MemoryCounts): string {
  const counts = [
    plural(kept, 'memory', 'memories'),
    inbox > 0 ? `${inbox} in the inbox (recollect inbox)` : '',
    candidates > 0 ? `${plural(candidates, 'candidate')} to review: recollect memories review` : '',
  ]
  return counts.filter(Boolean).join(', ')
}

export function pendingSharesText(count: number): string {
  return `${plural(count, 'share')} of others to decide about: recollect share received`
}

/** What happened to a damaged ledger, and where it is. */
function recoveryText({ reason, folder, sessions, memories, incomplete }: LedgerRecovery): string {
  const lost = incomplete.length > 0 ? `\nNot all rows could be read of: ${incomplete.join(', ')}` : ''
  return `The ledger was damaged: ${reason}\nIt was moved to ${folder}\nRead from it: ${plural(sessions, 'session')}, ${plural(memories, 'memory', 'memories')}. The rest comes from transcripts, bodies and vault.${lost}`
}

export function lockOwnerText(owner: LockOwner | undefined): string {
  return owner ? `process ${owner.pid} (${owner.command}) since ${owner.since}` : 'an unknown process'
}

/** How long commands wait for another process: longer than models take for a long session. */
export const maxWaitMs = 15 * 60_000

/** A wait that takes too long is an error that says who is waited for. */
export async function withWaitLimit<T>(wait: () => Promise<T>): Promise<T> {
  try {
    return await wait()
  } catch (error) {
    if (!(error instanceof LockTimeoutError)) throw error
    throw new UserError(`Not done after ${maxWaitMs / 60_000} minutes: ${error.message}`, 'Run the command again.', 3)
  }
}

export function printSweepReport(
  terminal: Terminal,
  zone: Zone,
  report: SweepReport & { ms: number },
  isDryRun: boolean,
): void {
  const { tell, say, style } = terminal
  const { ingested, unchanged, events, digested } = report
  const verb = isDryRun ? 'would be read' : 'read'
  tell(
    `${style.bold(`${plural(ingested, 'transcript')} ${verb}`)}, ${formatCount(unchanged)} unchanged, ${plural(events, 'event')}, ${plural(digested, 'session')} digested (${formatElapsed(report.ms)})`,
  )
  if (report.restored > 0) tell(`${plural(report.restored, 'deleted conversation')} restored from transcripts`)
  if (report.recovery) say(style.yellow(recoveryText(report.recovery)))
  if (report.adopted > 0) tell(`${plural(report.adopted, 'session')} restored from stored conversations`)
  const { learned, proposed, merged, superseded, inbox, edited, consolidated, articles } = report
  if (learned + proposed + merged + superseded + inbox + edited + consolidated + articles > 0) {
    const parts = [
      `${plural(learned, 'memory', 'memories')} learned`,
      proposed > 0 ? `${plural(proposed, 'candidate')} to review` : '',
      merged > 0 ? `${merged} confirmed` : '',
      superseded > 0 ? `${superseded} superseded` : '',
      inbox > 0 ? `${inbox} in the inbox (recollect inbox)` : '',
      edited > 0 ? `${edited} edited by hand` : '',
      consolidated > 0 ? `${consolidated} consolidated (recollect undo --list)` : '',
      articles > 0 ? `${plural(articles, 'article')} written (recollect wiki)` : '',
    ]
    tell(parts.filter(Boolean).join(', '))
  }
  const { dropped, missed } = report
  if (dropped > 0)
    tell(`${plural(dropped, 'statement')} of a model dropped for lack of evidence (recollect work --log)`)
  if (missed > 0)
    tell(`${plural(missed, 'exchange')} ${missed === 1 ? 'waits' : 'wait'} for a model (recollect status)`)
  const { synced } = report
  if (Object.values(synced).some((count) => count > 0)) tell(`Server: ${syncReportText(synced)}`)
  if (!isDryRun) printRetention(terminal, zone, report.retention)
  if (report.skipped.length > 0 && !isDryRun)
    say(`${plural(report.skipped.length, 'unreadable part')} skipped; to list them: recollect doctor`)
  // A dry run stores nothing that `doctor` could list.
  if (isDryRun)
    for (const { path, offset, reason } of report.skipped) say(`Unreadable: ${path}, byte ${offset}: ${reason}`)
  for (const { path, offset, reason } of report.failed)
    say(style.red(`Could not read ${path}, byte ${offset}: ${reason}`))
  if (report.failed.length > 0) say('They are tried again when they change, or now with: recollect sweep --full')
  for (const { stage, reason } of report.failedStages) say(style.red(`The stage "${stage}" failed: ${reason}`))
}

/** Sizes are 0 when the stage did not run. */
function printRetention({ tell, say, style }: Terminal, zone: Zone, retention: RetainReport): void {
  if (retention.softBytes + retention.usedBytes === 0) return
  const count = countEvicted(retention)
  const deleted = `${plural(count, 'conversation')} deleted, ${formatSize(retention.freedBytes)} freed`
  tell(`Storage: ${storageUse(retention)}, ${count === 0 ? 'nothing deleted' : deleted}`)
  if (count > 0) {
    const passes = {
      age: 'by age',
      budget: 'over the soft limit',
      overflow: 'over the hard limit',
      dataLoss: 'undigested',
    }
    const counts = Object.entries(passes).map(([pass, text]) => [text, retention[pass as keyof typeof passes].length])
    tell(
      `  ${counts
        .filter(([, number]) => number !== 0)
        .map(([text, number]) => `${number} ${text}`)
        .join(', ')}`,
    )
  }
  for (const alert of retention.alerts) say(style.yellow(`Warning: ${alert}`))
  // The announcement is not repeated in every sweep; `status` and `doctor` show it.
  if (!retention.hold?.isNew) return
  const { problem, keep, confirm } = holdWarning(retention.hold, retention, zone)
  say(style.yellow(['Warning:', ...problem, ...keep, ...confirm].join('\n  ')))
}
