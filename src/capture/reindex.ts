// The search index anew, from the bodies in the store and what the ledger holds.
import { join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { reindexPages } from '../store/articles.ts'
import { readBody } from '../store/bodies.ts'
import { reindexCommits } from '../store/commits.ts'
import { reindexDigests } from '../store/digests.ts'
import { storedBodies } from '../store/evictions.ts'
import { indexEvent } from '../store/index-event.ts'
import type { Ledger } from '../store/ledger.ts'
import { lighten } from '../store/light.ts'
import { reindexMemories } from '../store/memory-rows.ts'
import { forgetNote, readNote } from '../store/notes.ts'
import { clearPassages } from '../store/passages.ts'
import { reportProblem, wholeFile } from '../store/problems.ts'

export interface ReindexContext {
  ledger: Ledger
  clock: Clock
}

/** A body that cannot be read is told of; the others are indexed. Gives back how many events are in the index. */
export function reindex({ ledger, clock }: ReindexContext, onProgress?: (done: number, of: number) => void): number {
  const all = storedBodies(ledger)
  let indexed = 0
  ledger.transaction(() => {
    clearPassages(ledger)
    for (const [done, { id, file, bytes }] of all.entries()) {
      try {
        let last: number | null = null
        for (const { seq, ...event } of readBody(ledger.layout.bodies, file, bytes)) {
          last = indexEvent(ledger, { session: id, seq }, lighten(event), last)
          indexed++
        }
      } catch (error) {
        const path = join(ledger.layout.bodies, file)
        reportProblem(ledger, { path, offset: wholeFile, reason: messageOf(error), seenAt: isoTime(clock.nowMs()) })
      }
      onProgress?.(done + 1, all.length)
    }
    reindexDigests(ledger)
    reindexMemories(ledger)
    reindexCommits(ledger)
    reindexPages(ledger)
    forgetNote(ledger, dueNote)
  })
  return indexed
}

/** A ledger of an earlier version has nothing in the index. */
const dueNote = 'index is due'

export function isIndexDue(ledger: Ledger): boolean {
  return readNote(ledger, dueNote) !== undefined
}
