// Writes the journal: one file per day with one entry per session. An entry is made from the digest
// at once and rewritten by a model when the session is idle. The file is written before the ledger:
// a run that was killed in between finds its own entry in the file, and neither loses nor
// duplicates it.
import type { Zone } from '../core/units.ts'
import type { Ledger } from '../store/ledger.ts'
import {
  hasSessionsToJournal,
  type JournalSession,
  markJournaled,
  memoriesOfSessions,
  sessionsToJournal,
} from '../store/wiki/journal.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { writeByModel, writeFromSummaries } from './by-model.ts'
import type { JournalContext } from './context.ts'
import { digestParts, entryText, replaceHead } from './entry.ts'
import { type EntryInputs, loadEntryInputs } from './inputs.ts'
import { type JournalEntry, withJournalLock, writeDay } from './write-day.ts'

/** Writes the entries of all sessions that have grown; returns how many entries have changed. */
export async function writeJournal(context: JournalContext): Promise<{ entries: number }> {
  const written = await writeFromDigests(context)
  const judged = await writeFromSummaries(context)
  const improved = context.ask ? await writeByModel({ ...context, ask: context.ask }) : []
  return { entries: new Set([...written, ...judged, ...improved]).size }
}

async function writeFromDigests(context: JournalContext): Promise<string[]> {
  const { ledger, clock, zone } = context
  if (!hasSessionsToJournal(ledger)) return []
  return await withJournalLock(ledger.layout, clock, () => {
    const due = sessionsToJournal(ledger)
    const journaled = due.filter(hasEntry)
    markOthersJournaled(ledger, due)
    const learned = memoriesOfSessions(ledger, journaled)
    const days = Map.groupBy(journaled, (session) => dayOf(session, zone))
    return [...days].flatMap(([day, sessions]) =>
      writeDay(
        ledger,
        clock,
        day,
        sessions.flatMap((session) => entriesFor(loadEntryInputs(context, session, learned.get(session.uid)))),
      ),
    )
  })
}

/** No entries for subagents, for empty sessions, and for entries that a person has edited. */
function hasEntry({ lineage, kind, entry }: JournalSession): boolean {
  return lineage !== 'subagent' && kind !== 'empty' && kind !== 'health-check' && entry?.writtenBy !== 'person'
}

function markOthersJournaled(ledger: Ledger, due: readonly JournalSession[]): void {
  const others = due.filter((session) => !hasEntry(session))
  if (others.length === 0) return
  ledger.transaction(() => {
    for (const session of others) markJournaled(ledger, session)
  })
}

/** An entry keeps its day, even if the time zone changes later. */
function dayOf({ entry, started, capturedAt }: JournalSession, zone: Zone): string {
  return entry?.day ?? zone.day(started ?? capturedAt)
}

/**
 * A session that continues after a model wrote its entry keeps the model's text until one is asked
 * again.
 */
function entriesFor(material: EntryInputs | undefined): JournalEntry | [] {
  if (!material) return []
  const { session } = material
  const author = session.entry?.writtenBy
  const fromDigest = () => entryText(material, digestParts(material))
  if (!author?.startsWith('model ')) return { session, text: fromDigest, author: 'digest' }
  const model = author.slice('model '.length).replace(/, grown$/, '')
  return {
    session,
    author: `model ${model}, grown`,
    text: (existing) =>
      existing
        ? replaceHead(material, existing, `written by ${escapeMarkdown(model, 80)}, went on since`)
        : fromDigest(),
  }
}
