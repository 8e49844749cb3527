import { plural } from '../core/units.ts'
import type { SyncReport } from '../sync/report.ts'

/** What one exchange with the server did, in words. */
export function syncedText({ pushed, pulled, conflicts, refused, restored }: SyncReport): string {
  const parts = [
    `${plural(pushed, 'item')} sent`,
    `${pulled} taken in`,
    conflicts > 0 ? `${conflicts} changed on both sides, both kept (recollect inbox, recollect history)` : '',
    refused > 0 ? `${refused} refused (recollect sync --status)` : '',
    restored > 0
      ? `${restored} older on the server than before, or lost there, as after a restore from a backup: put right from here`
      : '',
  ]
  return parts.filter(Boolean).join(', ')
}
