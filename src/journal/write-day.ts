// Writing a day: the file first, then the ledger. Whoever writes holds the journal's lock, from the first look at the file to
// the last word in the ledger.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { writeAtomically } from '../core/files.ts'
import { withLock } from '../core/lock.ts'
import type { Layout } from '../core/paths.ts'
import type { Ledger } from '../store/ledger.ts'
import { clearProblems, reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import { type EntryAuthor, type JournalSession, markJournaled, saveJournalRow } from '../store/wiki/journal.ts'
import { type Placed, putEntries, type Wanted } from './day-file.ts'

/** An entry with the session it is about and who has written it. */
export interface Telling {
  session: JournalSession
  text: Wanted['text']
  author: EntryAuthor
}

/** Gives back the sessions whose entry has changed. A file that cannot be written is told of, and tried again next time. */
export function writeDay(ledger: Ledger, clock: Clock, day: string, tellings: readonly Telling[]): string[] {
  const path = journalPath(ledger.layout, day)
  const now = isoTime(clock.nowMs())
  try {
    const placed = putIntoFile(path, day, tellings.map(wantedOf))
    ledger.transaction(() => {
      for (const { session, author } of tellings) {
        const row = { day, ...rowOf(placed.get(session.uid)!, session, author) }
        saveJournalRow(ledger, session.id, row, now)
        markJournaled(ledger, session)
      }
      clearProblems(ledger, path, 0)
    })
    return tellings.map(({ session }) => session.uid).filter((uid) => placed.get(uid)!.kind === 'written')
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).syscall) throw error
    reportProblem(ledger, { path, offset: wholeFileOffset, reason: messageOf(error), seenAt: now })
    return []
  }
}

/**
 * Entries into the file of a day, which is made if need be; a file that stays as it is is not written. A person may save it
 * while we think: then we think again.
 */
export function putIntoFile(path: string, day: string, wanted: readonly Wanted[]): Map<string, Placed> {
  for (let tries = 1; ; tries++) {
    const old = readIfThere(path)
    const { content, placed } = putEntries(old, day, wanted)
    if ([...placed.values()].every(({ kind }) => kind !== 'written')) return placed
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    if (tries < 5 && !isSame(old, readIfThere(path))) continue
    writeAtomically(path, content)
    return placed
  }
}

function isSame(one: Buffer | undefined, other: Buffer | undefined): boolean {
  return one && other ? one.equals(other) : one === other
}

export function journalFolder(layout: Layout): string {
  return join(layout.vault, 'journal')
}

export function journalPath(layout: Layout, day: string): string {
  return join(journalFolder(layout), `${day}.md`)
}

export async function underJournalLock<T>(layout: Layout, clock: Clock, work: () => T): Promise<T> {
  return withLock(layout, 'journal', { clock }, () => {
    removeLeftovers(journalFolder(layout))
    return work()
  })
}

/** A vault is shown to people: what a killed run had begun to write must not stay in it. Nobody else writes while we hold the lock. */
function removeLeftovers(folder: string): void {
  for (const name of namesIn(folder)) {
    if (/^\d{4}-\d\d-\d\d\.md\.\d+\.tmp$/.test(name)) rmSync(join(folder, name), { force: true })
  }
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function wantedOf({ session, text }: Telling): Wanted {
  return { session: session.uid, start: session.started ?? session.capturedAt, isKnown: session.entry !== null, text }
}

/** What is a person's stays as it was known, so that nobody looks at it again. */
function rowOf(placed: Placed, session: JournalSession, author: EntryAuthor): { hash: string; writtenBy: EntryAuthor } {
  if (!('hash' in placed)) return { hash: session.entry?.hash ?? '', writtenBy: 'person' }
  return { hash: placed.hash, writtenBy: author }
}

export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
