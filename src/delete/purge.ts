// Removes what was deleted for good: the archive after a day, and every trace of it in the ledger.
import { existsSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../core/clock.ts'
import { deleteLeftovers } from '../core/leftovers.ts'
import type { Layout, Machine } from '../core/paths.ts'
import { hasClockMoved, readRetentionClock } from '../retain/check-clock.ts'
import { readRetentionState } from '../retain/state.ts'
import {
  type Deletion,
  forgetDeletedFiles,
  forgetTranscripts,
  listDeletions,
  restartHolds,
  setDeletionState,
} from '../store/deletion/deletions.ts'
import { rewriteLedger } from '../store/deletion/scrub.ts'
import { deleteValue, readValue, writeValue } from '../store/key-values.ts'
import type { Ledger } from '../store/ledger.ts'
import { isOwnRepository, restartHistory } from '../wiki/git.ts'
import { forgetMissingInLog } from '../wiki/index-and-log.ts'
import { archivesIn, removeArchive } from './archive.ts'
import type { DeletionContext } from './delete.ts'
import { isPurgeDue } from './due.ts'

/**
 * Requires the sweep lock. Deletions in `now` are purged before their day is over. Returns how many
 * were purged.
 */
export function purgeDeletions({ ledger, clock }: DeletionContext, now: readonly number[] = []): number {
  const hasMoved = isClockSuspect(ledger, clock)
  const isDue = (one: Deletion) => isPurgeDue(one, clock.nowMs()) && !hasMoved
  const due = listDeletions(ledger, ['held', 'purging']).filter(
    (one) => one.state === 'purging' || now.includes(one.change) || isDue(one),
  )
  // With a wrong clock the day begins again: nothing is lost, and text stays a day longer at most.
  if (hasMoved) restartHolds(ledger, clock.nowMs())
  removeUnknownArchives(ledger)
  if (due.length === 0 || (now.length === 0 && isTooEarly(ledger, clock, due))) return 0
  ledger.transaction(() => {
    for (const { change } of due) {
      setDeletionState(ledger, change, 'purging')
      forgetDeletedFiles(ledger, change)
      forgetTranscripts(ledger, change)
    }
  })
  forgetMissingInLog({ ledger })
  for (const { change } of due) removeArchive(ledger.layout, change)
  removeIfEmpty(ledger.layout.deleted)
  writeValue(ledger, triedKey, clock.nowMs())
  if (!rewriteLedger(ledger)) return 0
  deleteValue(ledger, triedKey)
  for (const { change } of due) setDeletionState(ledger, change, 'purged')
  return due.length
}

const triedKey = 'purge tried'
/** Rewriting takes as long as the ledger is large, and sweeps follow every turn. */
const retryMs = 3_600_000

/** Whether nothing but a purge that has just failed is to be done. */
function isTooEarly(ledger: Ledger, clock: Clock, due: readonly Deletion[]): boolean {
  const triedMs = readValue(ledger, triedKey)
  const isRecent = typeof triedMs === 'number' && Math.abs(clock.nowMs() - triedMs) < retryMs
  return isRecent && due.every(({ state }) => state === 'purging')
}

function isClockSuspect(ledger: Ledger, clock: Clock): boolean {
  const last = readRetentionState(ledger).clock
  return last !== undefined && hasClockMoved(last, readRetentionClock(clock))
}

/** Of a deletion that was killed before it was committed, or of an undo that was killed at its end. */
function removeUnknownArchives(ledger: Ledger): void {
  const known = new Set(listDeletions(ledger, ['deleting', 'held', 'restoring']).map(({ change }) => change))
  for (const change of archivesIn(ledger.layout)) if (!known.has(change)) removeArchive(ledger.layout, change)
  removeIfEmpty(ledger.layout.deleted)
}

/** The folder tells the next sweep that there may be something to purge. */
function removeIfEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder)
}

/** Copies of the ledger and the vault in which deleted text may still be found. */
export interface OldCopies {
  /** Folders and files below `backups`. */
  backups: string[]
  /** The history of the wiki: ours can be started again, one of the user is not touched. */
  wikiHistory: 'none' | 'ours' | 'of the user'
}

export function findOldCopies(layout: Layout, machine: Machine): OldCopies {
  const backups = existsSync(layout.backups) ? readdirSync(layout.backups) : []
  const hasHistory = existsSync(join(layout.vault, '.git'))
  const isOurs = hasHistory && isOwnRepository({ vault: layout.vault, env: machine.env })
  return {
    backups: backups.filter((name) => /^(?:ledger-v\d+\.db|damaged-)/.test(name)),
    wikiHistory: !hasHistory ? 'none' : isOurs ? 'ours' : 'of the user',
  }
}

/**
 * Deletes copies of earlier ledgers, what killed processes have left, and reports that may quote sessions
 * (unreadable hook events, logs), and starts the history of the wiki again. Requires both pipeline locks.
 */
export function removeOldCopies(
  { ledger, machine }: { ledger: Ledger; machine: Machine },
  { backups, wikiHistory }: OldCopies,
): void {
  const { layout } = ledger
  for (const name of backups) rmSync(join(layout.backups, name), { recursive: true, force: true })
  // A judge at work would hold the learn lock.
  const forks = readdirSync(layout.run).filter((name) => name.startsWith('fork-'))
  for (const folder of [join(layout.spool, 'bad'), layout.logs, ...forks.map((name) => join(layout.run, name))])
    rmSync(folder, { recursive: true, force: true })
  deleteLeftovers(layout)
  if (wikiHistory === 'ours') restartHistory({ vault: layout.vault, env: machine.env })
}
