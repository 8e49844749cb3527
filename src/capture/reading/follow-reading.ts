// Follows a large sweep: notes what is still unread, and says when the recent sessions can be searched.
import type { Ledger } from '../../store/ledger.ts'
import { saveUnread } from '../../store/unread.ts'
import type { DiscoveredTranscript } from '../context.ts'
import type { PreparedBatch } from '../prepare.ts'

export interface ReadingFollower {
  /** After a batch was written; `bytes` were read for it. */
  onWritten(batch: Pick<PreparedBatch, 'ends'>, bytes: number): Promise<void>
  onFailed(path: string): void
}

export interface FollowOptions {
  /** Called once: when all recent transcripts are read, or after `maxWaitMs`. */
  onRecent?(): void | Promise<void>
  maxWaitMs?: number
}

/** What changed within so many days before the newest change is recent. */
const recentDays = 7

/** Nobody should wait longer for a first answer: with the start of the program it is there within 5 s. */
const defaultWaitMs = 4000

export function followReading(
  ledger: Ledger,
  changed: readonly DiscoveredTranscript[],
  { onRecent, maxWaitMs = defaultWaitMs }: FollowOptions,
): ReadingFollower {
  const begun = performance.now()
  const ofBytes = changed.reduce((sum, { size }) => sum + size, 0)
  const recentMs = changed.reduce((newest, { changedMs }) => Math.max(newest, changedMs), 0) - recentDays * 86_400_000
  const unread = new Set(changed.map(({ transcript }) => transcript.path))
  const recent = new Set(
    changed.filter(({ changedMs }) => changedMs >= recentMs).map(({ transcript }) => transcript.path),
  )
  let bytes = ofBytes
  let isTold = false
  const save = () => saveUnread(ledger, { transcripts: unread.size, bytes, ofTranscripts: changed.length, ofBytes })
  const finish = (path: string) => {
    unread.delete(path)
    recent.delete(path)
  }
  save()
  return {
    async onWritten({ ends }, read) {
      bytes = Math.max(0, bytes - read)
      for (const { cursor } of ends) if (cursor.stamp !== '') finish(cursor.path)
      save()
      if (isTold || (recent.size > 0 && performance.now() - begun < maxWaitMs)) return
      isTold = true
      await onRecent?.()
    },
    onFailed: finish,
  }
}
