// Writes a journal file first and then the ledger. The caller holds the journal's lock during both.
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
import { type EntryResult, type EntryToWrite, writeEntries } from './day-file.ts'

/** An entry with its session and author. */
export interface JournalEntry {
  session: JournalSession
  text: EntryToWrite['text']
  author: EntryAuthor
}

/**
 * Returns the sessions whose entry has changed. A file that cannot be written is reported and
 * retried next time.
 */
export function writeDay(ledger: Ledger, clock: Clock, day: string, entries: readonly JournalEntry[]): string[] {
  const path = journalPath(ledger.layout, day)
  const now = isoTime(clock.nowMs())
  try {
    const results = writeEntriesToFile(path, day, entries.map(entryToWrite))
    ledger.transaction(() => {
      for (const { session, author } of entries) {
        const row = { day, ...rowOf(results.get(session.uid)!, session, author) }
        saveJournalRow(ledger, session.id, row, now)
        markJournaled(ledger, session)
      }
      clearProblems(ledger, path, 0)
    })
    return entries.map(({ session }) => session.uid).filter((uid) => results.get(uid)!.kind === 'written')
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).syscall) throw error
    reportProblem(ledger, { path, offset: wholeFileOffset, reason: messageOf(error), seenAt: now })
    return []
  }
}

/**
 * Writes entries into the file of a day; creates it if needed, and does not write it if nothing has
 * changed. Starts again if a person saves the file in the meantime.
 */
export function writeEntriesToFile(
  path: string,
  day: string,
  wanted: readonly EntryToWrite[],
): Map<string, EntryResult> {
  for (let tries = 1; ; tries++) {
    const old = readIfExists(path)
    const { content, placed } = writeEntries(old, day, wanted)
    if ([...placed.values()].every(({ kind }) => kind !== 'written')) return placed
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    if (tries < 5 && !isSame(old, readIfExists(path))) continue
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

export async function withJournalLock<T>(layout: Layout, clock: Clock, work: () => T): Promise<T> {
  return withLock(layout, 'journal', { clock }, () => {
    removeLeftovers(journalFolder(layout))
    return work()
  })
}

/**
 * Removes temporary files of killed runs: people see them in the vault. The lock excludes other
 * writers.
 */
function removeLeftovers(folder: string): void {
  for (const name of fileNamesIn(folder)) {
    if (/^\d{4}-\d\d-\d\d\.md\.\d+\.tmp$/.test(name)) rmSync(join(folder, name), { force: true })
  }
}

export function fileNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function entryToWrite({ session, text }: JournalEntry): EntryToWrite {
  return { session: session.uid, start: session.started ?? session.capturedAt, isKnown: session.entry !== null, text }
}

/** Marks an entry that a person edited or deleted, so that it is not written again. */
function rowOf(
  placed: EntryResult,
  session: JournalSession,
  author: EntryAuthor,
): { hash: string; writtenBy: EntryAuthor } {
  if (!('hash' in placed)) return { hash: session.entry?.hash ?? '', writtenBy: 'person' }
  return { hash: placed.hash, writtenBy: author }
}

export function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
