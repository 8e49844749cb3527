// Writes a journal file first and then the ledger. The caller holds the journal's lock during both.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Clock, isoTime } from '../core/clock.ts'
import { messageOf } from '../core/errors.ts'
import { writeAtomically } from '../core/files.ts'
import { withLock } from '../core/lock.ts'
import type { Layout } from '../core/paths.ts'
import { plural } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import { clearProblems, reportProblem, wholeFileOffset } from '../store/sessions/transcripts.ts'
import {
  type DayTotals,
  type EntryAuthor,
  type JournalSession,
  type Spend,
  saveJournalRow,
  totalsOfDay,
} from '../store/wiki/journal.ts'
import { type EntryResult, type EntryToWrite, writeEntries } from './day-file.ts'
import { spendText } from './entry.ts'
import type { DaySegment } from './segments.ts'

/** An entry with its session, its part of the session and its author. */
export interface JournalEntry {
  session: JournalSession
  segment: DaySegment
  text: EntryToWrite['text']
  author: EntryAuthor
}

export interface WrittenDay {
  /** The entries that have changed, by session and day. */
  changed: string[]
  /** Whether the file could not be written; that is reported, and the day is written again later. */
  hasFailed: boolean
}

/** Writes entries of a day: first the file, then the ledger. */
export function writeDay(ledger: Ledger, clock: Clock, day: string, entries: readonly JournalEntry[]): WrittenDay {
  const path = journalPath(ledger.layout, day)
  const now = isoTime(clock.nowMs())
  try {
    const told = entries.filter(({ author }) => author !== 'none')
    const known = totalsOfDay(
      ledger,
      day,
      entries.map(({ session }) => session.id),
    )
    const totals = totalsText(totalsWith(known, entries))
    const isNewDay = known.sessions + known.starts === 0 && entries.every(({ session }) => !isKnownOn(session, day))
    const results = writeEntriesToFile(path, day, told.map(entryToWrite), { totals, isNewDay })
    ledger.transaction(() => {
      for (const { session, segment, author } of entries) {
        const row = rowOf(results.get(session.uid), session, day, author)
        saveJournalRow(ledger, session.id, { day, through: segment.toSeq, spend: segment.spend, ...row }, now)
      }
      clearProblems(ledger, path, 0)
    })
    const changed = told.filter(({ session }) => results.get(session.uid)!.kind === 'written')
    return { changed: changed.map(({ session }) => `${session.uid} ${day}`), hasFailed: false }
  } catch (error) {
    if (!(error as NodeJS.ErrnoException).syscall) throw error
    reportProblem(ledger, { path, offset: wholeFileOffset, reason: messageOf(error), seenAt: now })
    return { changed: [], hasFailed: true }
  }
}

/** Totals of the day as they will be with these entries. */
function totalsWith(others: DayTotals, entries: readonly JournalEntry[]): DayTotals {
  const starts = entries.filter(({ author }) => author === 'none').length
  const sum = (name: keyof Spend) => entries.reduce((total, { segment }) => total + segment.spend[name], others[name])
  return {
    sessions: others.sessions + entries.length - starts,
    starts: others.starts + starts,
    ...{ costUsd: sum('costUsd'), responses: sum('responses'), unpriced: sum('unpriced') },
  }
}

/** What stands under the title of a day. */
export function totalsText(totals: DayTotals): string {
  const { sessions, starts } = totals
  const texts = [
    sessions > 0 || starts === 0 ? plural(sessions, 'session') : '',
    starts > 0 ? plural(starts, 'short or failed start') : '',
    spendText(totals),
  ]
  return texts.filter((text) => text !== '').join(' · ')
}

/**
 * Writes entries into the file of a day; creates it if needed, and does not write it if nothing has
 * changed. Starts again if a person saves the file in the meantime.
 */
export function writeEntriesToFile(
  path: string,
  day: string,
  wanted: readonly EntryToWrite[],
  { totals = '', isNewDay = false }: { totals?: string; isNewDay?: boolean } = {},
): Map<string, EntryResult> {
  for (let tries = 1; ; tries++) {
    const old = readIfExists(path)
    const { content, placed } = writeEntries(old, day, wanted, totals)
    // A file that a person deleted stays deleted.
    const isUnchanged = old
      ? old.equals(content)
      : !isNewDay && [...placed.values()].every(({ kind }) => kind !== 'written')
    if (isUnchanged) return placed
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

function entryToWrite({ session, segment, text }: JournalEntry): EntryToWrite {
  const start = segment.startMs === null ? (session.started ?? session.capturedAt) : isoTime(segment.startMs)
  return { session: session.uid, start, isKnown: isKnownOn(session, segment.day), text }
}

/** Whether it had an entry on this day. */
function isKnownOn({ entries }: JournalSession, day: string): boolean {
  return entries.some((entry) => entry.day === day && entry.writtenBy !== 'none')
}

/** Marks an entry that a person edited or deleted, so that it is not written again. */
function rowOf(
  placed: EntryResult | undefined,
  { entries }: JournalSession,
  day: string,
  author: EntryAuthor,
): { hash: string; writtenBy: EntryAuthor } {
  if (!placed) return { hash: '', writtenBy: author }
  if ('hash' in placed) return { hash: placed.hash, writtenBy: author }
  return { hash: entries.find((entry) => entry.day === day)?.hash ?? '', writtenBy: 'person' }
}

export function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
