// The order in which transcripts are read, and what follows from it. A large sweep reads the newest
// first and several at once, so that recent sessions can be searched soon. A fork repeats events of an
// earlier session, which has to keep them: if the fork was captured first, it is released, and its
// transcript is read again at the end.
import type { Ledger } from '../../store/ledger.ts'
import { scheduleBodyDeletion } from '../../store/sessions/evictions.ts'
import { bodyFileOf, detachBody, forksOf, resetSession } from '../../store/sessions/sessions.ts'
import { deleteCursor } from '../../store/sessions/transcripts.ts'
import type { DiscoveredTranscript } from '../context.ts'

export function newestFirst(changed: readonly DiscoveredTranscript[]): DiscoveredTranscript[] {
  return changed.toSorted((a, b) => b.changedMs - a.changedMs || (a.transcript.path < b.transcript.path ? -1 : 1))
}

export interface ReadOrder {
  /** Notes that a session was read from a transcript. */
  noteWrite(session: number, path: string): void
  /**
   * Whether a session was captured in this sweep, and only from transcripts that are younger than this
   * one: it may be a fork of what this one tells.
   */
  isTooEarly(session: number, path: string): boolean
  /** Removes what was captured of a session; its transcripts are to be read again. Inside a transaction. */
  release(ledger: Ledger, session: number): void
  /** Transcripts to be read again; what else arrives of them in this pass is left out. */
  readonly releasedPaths: ReadonlySet<string>
  readonly releasedSessions: ReadonlySet<number>
}

/**
 * `changed` is sorted by age, oldest first. `isFresh` tells whether nothing of a transcript was captured
 * before this sweep.
 */
export function createReadOrder(
  changed: readonly DiscoveredTranscript[],
  isFresh: (path: string) => boolean,
): ReadOrder {
  const places = new Map(changed.map(({ transcript }, place) => [transcript.path, place]))
  const sources = new Map<number, Set<string>>()
  const releasedPaths = new Set<string>()
  const releasedSessions = new Set<number>()
  return {
    releasedPaths,
    releasedSessions,
    noteWrite(session, path) {
      const paths = sources.get(session)
      if (paths) paths.add(path)
      else sources.set(session, new Set([path]))
    },
    isTooEarly(session, path) {
      const paths = sources.get(session)
      const place = places.get(path)
      if (!paths || place === undefined || paths.has(path)) return false
      return [...paths].every((other) => isFresh(other) && (places.get(other) ?? -1) > place)
    },
    release(ledger, session) {
      const paths = sources.get(session)
      if (!paths) return
      sources.delete(session)
      const forks = forksOf(ledger, session)
      const file = bodyFileOf(ledger, session)
      if (file !== null) scheduleBodyDeletion(ledger, file)
      detachBody(ledger, session)
      resetSession(ledger, session)
      for (const path of paths) {
        deleteCursor(ledger, path)
        releasedPaths.add(path)
      }
      releasedSessions.add(session)
      ledger.onRollback(() => {
        for (const path of paths) releasedPaths.delete(path)
        releasedSessions.delete(session)
        sources.set(session, paths)
      })
      // They have noted that they inherit from it.
      for (const fork of forks) this.release(ledger, fork)
    },
  }
}
