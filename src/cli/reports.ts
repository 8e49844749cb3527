// Texts that several commands print about a sweep, a sync or the owner of a lock.
import type { LockOwner } from '../core/lock.ts'
import { formatCount, formatSize, plural } from '../core/units.ts'
import type { SweepReport } from '../pipeline.ts'
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

export function pendingSharesText(count: number): string {
  return `${plural(count, 'share')} of others to decide about: recollect share received`
}

export function lockOwnerText(owner: LockOwner | undefined): string {
  return owner ? `process ${owner.pid} (${owner.command}) since ${owner.since}` : 'an unknown process'
}

export function printSweepReport(
  { print, say, style }: Terminal,
  report: SweepReport & { ms: number },
  isDryRun: boolean,
): void {
  const { ingested, unchanged, events, digested, retention } = report
  const verb = isDryRun ? 'would be read' : 'read'
  print(
    `${style.bold(`${plural(ingested, 'transcript')} ${verb}`)}, ${formatCount(unchanged)} unchanged, ${plural(events, 'event')}, ${plural(digested, 'session')} digested (${report.ms} ms)`,
  )
  const { learned, merged, superseded, inbox, edited, consolidated, articles } = report
  if (learned + merged + superseded + inbox + edited + consolidated + articles > 0) {
    const parts = [
      `${plural(learned, 'memory', 'memories')} learned`,
      merged > 0 ? `${merged} confirmed` : '',
      superseded > 0 ? `${superseded} superseded` : '',
      inbox > 0 ? `${inbox} in the inbox (recollect inbox)` : '',
      edited > 0 ? `${edited} edited by hand` : '',
      consolidated > 0 ? `${consolidated} consolidated (recollect undo --list)` : '',
      articles > 0 ? `${plural(articles, 'article')} written (recollect wiki)` : '',
    ]
    print(parts.filter(Boolean).join(', '))
  }
  const { synced } = report
  if (Object.values(synced).some((count) => count > 0)) print(`Server: ${syncReportText(synced)}`)
  const evicted = retention.age.length + retention.budget.length + retention.overflow.length + retention.dataLoss.length
  if (evicted > 0) print(`${plural(evicted, 'old conversation')} deleted, ${formatSize(retention.freedBytes)} freed`)
  for (const alert of retention.alerts) say(style.yellow(`Warning: ${alert}`))
  if (report.skipped.length > 0)
    say(`${plural(report.skipped.length, 'unreadable part')} skipped; to list them: recollect doctor`)
  for (const { path, reason } of report.failed) say(style.red(`Could not read ${path}: ${reason}`))
  if (report.failed.length > 0) say('The next sweep tries them again.')
}
