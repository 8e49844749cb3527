// Rebuilds the search index from the stored bodies and the ledger.
import { join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { isLedgerFault } from '../core/sqlite.ts'
import { deleteValue, readValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { reindexMemories } from '../store/memories/rows.ts'
import { indexEvent } from '../store/search/index-session.ts'
import { deleteAllPassages } from '../store/search/passages.ts'
import { readableEvents } from '../store/sessions/bodies.ts'
import { reindexCommits } from '../store/sessions/commits.ts'
import { reindexDigests } from '../store/sessions/digests.ts'
import { summariseEvent } from '../store/sessions/events.ts'
import { type StoredBody, storedBodies } from '../store/sessions/evictions.ts'
import { reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { reindexPages } from '../store/wiki/articles.ts'

export interface ReindexContext {
  ledger: Ledger
  clock: Clock
}

/**
 * Returns the number of indexed events. A part of a body that cannot be read is reported; the rest
 * is indexed.
 */
export function reindex({ ledger, clock }: ReindexContext, onProgress?: (done: number, of: number) => void): number {
  const all = storedBodies(ledger)
  let indexed = 0
  ledger.transaction(() => {
    deleteAllPassages(ledger)
    for (const [done, body] of all.entries()) {
      const path = join(ledger.layout.bodies, body.file)
      const onDamage = (reason: string) =>
        reportProblem(ledger, { path, offset: wholeFileOffset, reason, seenAt: isoTime(clock.nowMs()) })
      try {
        indexed += indexBody(ledger, body, onDamage)
      } catch (error) {
        if (isLedgerFault(error)) throw error
        onDamage(messageOf(error))
      }
      onProgress?.(done + 1, all.length)
    }
    reindexDigests(ledger)
    reindexMemories(ledger)
    reindexCommits(ledger)
    reindexPages(ledger)
    deleteValue(ledger, dueNote)
  })
  return indexed
}

/** Indexes the events of a body, which must not be in the index; returns their number. */
export function indexBody(
  ledger: Ledger,
  { id, file, bytes }: IndexedBody,
  onDamage: (reason: string) => void = () => {},
): number {
  let indexed = 0
  let last: number | null = null
  for (const { seq, ...event } of readableEvents(ledger.layout.bodies, file, bytes, { onDamage })) {
    last = indexEvent(ledger, { session: id, seq }, summariseEvent(event), last)
    indexed++
  }
  return indexed
}

type IndexedBody = Pick<StoredBody, 'id' | 'file' | 'bytes'>

/** Set by the migration from versions that had no index. */
const dueNote = 'index is due'

export function isIndexDue(ledger: Ledger): boolean {
  return readValue(ledger, dueNote) !== undefined
}
