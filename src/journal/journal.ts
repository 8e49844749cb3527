// Writes the journal: one file per day with one entry per session that was active on it. An entry is made from the digest
// at once and rewritten by a model when the session is idle. The file is written before the ledger:
// a run that was killed in between finds its own entry in the file, and neither loses nor
// duplicates it.
import { hasSessionsToJournal, markJournaled, memoriesOfSessions, sessionsToJournal } from '../store/wiki/journal.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { writeByModel, writeFromSummaries } from './by-model.ts'
import type { JournalContext } from './context.ts'
import { digestParts, entryText, replaceHead } from './entry.ts'
import { type EntryInputs, loadEntryInputs } from './inputs.ts'
import { partsToWrite } from './parts.ts'
import { dayFinder } from './segments.ts'
import { type JournalEntry, withJournalLock, writeDay } from './write-day.ts'

/** Writes the entries of all sessions that have grown; returns how many entries have changed. */
export async function writeJournal(context: JournalContext): Promise<{ entries: number }> {
  const written = await writeFromDigests(context)
  const judged = await writeFromSummaries(context)
  const improved = context.ask ? await writeByModel({ ...context, ask: context.ask }) : []
  return { entries: new Set([...written, ...judged, ...improved]).size }
}

async function writeFromDigests(context: JournalContext): Promise<string[]> {
  const { ledger, clock } = context
  if (!hasSessionsToJournal(ledger)) return []
  return await withJournalLock(ledger.layout, clock, () => {
    const due = sessionsToJournal(ledger)
    const dayAt = dayFinder(context.zone)
    const parts = due.flatMap((session) => partsToWrite(ledger, session, dayAt))
    const learned = memoriesOfSessions(ledger, [...new Set(parts.map(({ session }) => session))])
    const days = [...Map.groupBy(parts, ({ segment }) => segment.day)].sort(([a], [b]) => (a < b ? -1 : 1))
    const changed: string[] = []
    const failed = new Set<string>()
    for (const [day, ofDay] of days) {
      const entries = ofDay.flatMap(({ session, segment }) =>
        entryFor(loadEntryInputs(context, session, segment, learned.get(session.uid))),
      )
      const written = writeDay(ledger, clock, day, entries)
      changed.push(...written.changed)
      if (written.hasFailed) for (const { session } of ofDay) failed.add(session.uid)
    }
    context.readBefore?.clear()
    ledger.transaction(() => {
      for (const session of due) if (!failed.has(session.uid)) markJournaled(ledger, session)
    })
    return changed
  })
}

/** A start without a result: a health check, or one without an answer whose request is unknown or was asked again. */
function isOnlyCounted({ segment, digest, isTakenUp }: EntryInputs): boolean {
  if (segment.previousDay !== null || segment.nextDay !== null) return false
  return digest.kind === 'health-check' || (digest.kind === 'empty' && (digest.title === '' || isTakenUp))
}

/**
 * A session that continues after a model wrote its entry keeps the model's text until one is asked
 * again.
 */
function entryFor(inputs: EntryInputs | undefined): JournalEntry | [] {
  if (!inputs) return []
  const { session, segment } = inputs
  const row = session.entries.find(({ day }) => day === segment.day)
  const author = row?.writtenBy
  const fromDigest = () => entryText(inputs, digestParts(inputs))
  if ((!author || author === 'none') && isOnlyCounted(inputs))
    return { session, segment, author: 'none', text: () => '' }
  if (author === 'person') return { session, segment, author, text: (existing) => existing ?? fromDigest() }
  if (author === 'digest, asked' && row!.through === segment.toSeq)
    return { session, segment, text: fromDigest, author }
  if (!author?.startsWith('model ')) return { session, segment, text: fromDigest, author: 'digest' }
  const hasGrown = row!.through !== null && row!.through < segment.toSeq
  const model = author.slice('model '.length).replace(/, grown$/, '')
  const note = `written by ${escapeMarkdown(model, 80)}${hasGrown ? ', went on since' : ''}`
  return {
    session,
    segment,
    author: hasGrown ? `model ${model}, grown` : author,
    text: (existing) => (existing ? replaceHead(inputs, existing, note) : fromDigest()),
  }
}
