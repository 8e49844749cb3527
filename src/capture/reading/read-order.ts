// The order in which transcripts are read, and what follows from it. A large sweep reads the newest
// first and several at once, so that recent sessions can be searched soon. A fork repeats events of an
// earlier session, which has to keep them: if the fork was captured first, it is released, and its
// transcript is read again at the end.
import type { Ledger } from '../../store/ledger.ts'
import { detachBody, forksOf, resetSession } from '../../store/sessions/sessions.ts'
import { deleteCursor } from '../../store/sessions/transcripts.ts'
import { type StoredUsage, saveHashedUsage, sessionUsage } from '../../store/sessions/usage.ts'
import { markAdoptionDue } from '../adoption-note.ts'
import type { DiscoveredTranscript } from '../context.ts'

export function newestFirst(changed: readonly DiscoveredTranscript[]): DiscoveredTranscript[] {
  return changed.toSorted((a, b) => b.changedMs - a.changedMs || (a.transcript.path < b.transcript.path ? -1 : 1))
}

export interface ReadOrder {
  /** Notes that a session was read from a transcript; `isNew` if the ledger had nothing of it. Inside a transaction. */
  noteWrite(ledger: Ledger, session: number, path: string, isNew: boolean): void
  /**
   * Whether all that is captured of a session is of this sweep and from transcripts that are younger than
   * this one: it may be a fork of what this one tells. What earlier sweeps captured stays where it is,
   * because transcripts that it was read from may be gone.
   */
  isTooEarly(session: number, path: string): boolean
  /**
   * Removes what was captured of a session; its transcripts are to be read again. Its body is adopted
   * afterwards, in case one of them is deleted meanwhile. Inside a transaction.
   */
  release(ledger: Ledger, session: number): void
  /** After the last pass: saves again what released sessions used, where no transcript told it again. */
  restoreUsage(ledger: Ledger): void
  /** Whether a transcript is to be read again; what else arrives of it in this pass is left out. */
  isReleased(path: string): boolean
  /** Whether a session was released in this pass. */
  hasReleased(session: number): boolean
  /** The transcripts to be read in the next pass, oldest first. A fork of a released session may follow in another. */
  nextPass(): DiscoveredTranscript[]
}

/** `changed` is sorted by age, oldest first. */
export function createReadOrder(changed: readonly DiscoveredTranscript[]): ReadOrder {
  const places = new Map(changed.map(({ transcript }, place) => [transcript.path, place]))
  /** Of the sessions that are new in this sweep. */
  const sources = new Map<number, Set<string>>()
  const releasedPaths = new Set<string>()
  const releasedSessions = new Set<number>()
  const usages = new Map<number, StoredUsage[]>()
  return {
    isReleased: (path) => releasedPaths.has(path),
    hasReleased: (session) => releasedSessions.has(session),
    nextPass() {
      const again = changed.filter(({ transcript }) => releasedPaths.has(transcript.path))
      releasedPaths.clear()
      releasedSessions.clear()
      return again
    },
    noteWrite(ledger, session, path, isNew) {
      const paths = sources.get(session)
      if (paths) paths.add(path)
      else if (isNew) {
        sources.set(session, new Set([path]))
        ledger.onRollback(() => sources.delete(session)) // another session may get the number
      }
    },
    isTooEarly(session, path) {
      const paths = sources.get(session)
      const place = places.get(path)
      if (!paths || place === undefined || paths.has(path)) return false
      return [...paths].every((other) => (places.get(other) ?? -1) > place)
    },
    release(ledger, session) {
      const paths = sources.get(session)
      if (!paths) return
      sources.delete(session)
      const forks = forksOf(ledger, session)
      usages.set(session, [...(usages.get(session) ?? []), ...sessionUsage(ledger, session, { from: 0, limit: -1 })])
      markAdoptionDue(ledger)
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
    restoreUsage(ledger) {
      ledger.transaction(() => {
        for (const [session, used] of usages)
          for (const { usage, costUsd } of used) saveHashedUsage(ledger, session, usage, costUsd)
      })
    },
  }
}
