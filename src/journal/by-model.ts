// Rewrites entries by what a model wrote. A session that was judged as a whole has its parts already;
// for others a model is asked. The entries from digests exist, so a failure loses nothing and is
// retried later.
import { isoTime } from '../core/clock.ts'
import type { ProviderReason } from '../models/context.ts'
import { readValue, writeValue } from '../store/key-values.ts'
import { dueDeadLetters, saveDeadLetter } from '../store/memories/dead-letters.ts'
import { summaryOfSession } from '../store/sessions/summaries.ts'
import {
  deleteJournalDeadLetter,
  type JournalSession,
  memoriesOfSessions,
  saveJournalRow,
  sessionAwaitingModel,
  sessionsForModelEntry,
  sessionsWithNewSummary,
} from '../store/wiki/journal.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { describeActivity } from './activity.ts'
import type { AskModel, JournalContext } from './context.ts'
import { type EntryPart, entryText, learnedParts } from './entry.ts'
import { type EntryInputs, loadEntryInputs } from './inputs.ts'
import type { JournalSummary } from './question.ts'
import { withJournalLock, writeDay } from './write-day.ts'

/** A session is idle after this time without events. */
const quietMs = 30 * 60_000
/** Questions per run, and how many of them may be retries. */
const maxQuestions = 10
const maxRetries = 2
/** After no model was available, do not try again for this time. */
const pauseMs = 3_600_000
const pauseKey = 'journal found no model'

/**
 * Writes the entries of sessions that a model has judged as a whole. Returns those that have changed.
 */
export async function writeFromSummaries(context: JournalContext): Promise<string[]> {
  const { ledger, clock } = context
  const sessions = sessionsWithNewSummary(ledger)
  if (sessions.length === 0) return []
  const { journalPart } = await import('../learn/model/answer.ts')
  const learned = memoriesOfSessions(ledger, sessions)
  const changed: string[] = []
  for (const session of sessions) {
    const material = loadEntryInputs(context, session, learned.get(session.uid))
    const summary = summaryOfSession(ledger, session.id)
    if (!material || !summary) continue
    const parts = journalPart.safeParse(JSON.parse(summary.journal ?? '{}')).data
    const value = { nothingWorthKeeping: !parts, ...(parts ?? noParts) }
    const isWritten = await withJournalLock(ledger.layout, clock, () =>
      writeAnswer(context, material, value, summary.author),
    )
    if (isWritten) changed.push(session.uid)
  }
  return changed
}

const noParts = { context: '', keyExchanges: [], decisions: [], lessons: [], actionItems: [] }

/** Returns the sessions whose entry has changed. */
export async function writeByModel(context: JournalContext & { ask: AskModel }): Promise<string[]> {
  const { ledger, clock } = context
  const sessions = sessionsToAsk(context)
  if (sessions.length === 0) return []
  const { journalQuestion } = await import('./question.ts')
  const learned = memoriesOfSessions(ledger, sessions)
  const changed: string[] = []
  for (const session of sessions) {
    const material = loadEntryInputs(context, session, learned.get(session.uid))
    if (!material) continue
    const question = journalQuestion(material)
    const answer = await context.ask(question)
    if (answer.kind === 'unavailable') {
      writeValue(ledger, pauseKey, clock.nowMs())
      break
    }
    if (answer.kind === 'failed') {
      saveFailure(context, session, question.text, answer.reasons)
      break // the next question would probably fail for the same reason
    }
    const isWritten = await withJournalLock(ledger.layout, clock, () =>
      writeAnswer(context, material, answer.value, `${answer.provider} ${answer.model}`),
    )
    if (isWritten) changed.push(session.uid)
  }
  return changed
}

function sessionsToAsk({ ledger, clock, freshDays = 3 }: JournalContext): JournalSession[] {
  const nowMs = clock.nowMs()
  const since = nowMs - Number(readValue(ledger, pauseKey) ?? 0)
  if (since >= 0 && since < pauseMs) return []
  const fresh = sessionsForModelEntry(ledger, {
    sinceMs: nowMs - freshDays * 86_400_000,
    quietMs: nowMs - quietMs,
    limit: maxQuestions,
  })
  const failed = dueDeadLetters(ledger, 'journal', { nowMs, limit: maxRetries })
    .filter((letter) => !fresh.some(({ uid }) => uid === letter.session))
    .flatMap(({ session }) => sessionAwaitingModel(ledger, session) ?? dropDeadLetter(ledger, session))
  return [...fresh, ...failed]
}

function dropDeadLetter(ledger: JournalContext['ledger'], uid: string): [] {
  deleteJournalDeadLetter(ledger, uid)
  return []
}

function saveFailure(
  { ledger, clock }: JournalContext,
  session: JournalSession,
  input: string,
  reasons: ProviderReason[],
): void {
  const atMs = clock.nowMs()
  saveDeadLetter(ledger, {
    purpose: 'journal',
    session: session.uid,
    fromSeq: 0,
    toSeq: session.events,
    input,
    reason: reasons.map(({ provider, reason }) => `${provider}: ${reason}`).join('; '),
    atMs,
    at: isoTime(atMs),
  })
}

/**
 * Returns whether the entry has changed. A session that has grown in the meantime is asked about
 * again later.
 */
function writeAnswer(
  { ledger, clock }: JournalContext,
  material: EntryInputs,
  value: JournalSummary,
  author: string,
): boolean {
  const { session } = material
  const now = sessionAwaitingModel(ledger, session.uid)
  if (now?.events !== session.events) return false
  deleteJournalDeadLetter(ledger, session.uid)
  const parts = summaryParts(value, material)
  if (!parts) {
    saveJournalRow(ledger, session.id, { ...now.entry!, writtenBy: 'digest, asked' }, isoTime(clock.nowMs()))
    return false
  }
  const text = () => entryText(material, parts, `written by ${escapeMarkdown(author, 80)}`)
  return writeDay(ledger, clock, now.entry!.day, [{ session: now, text, author: `model ${author}` }]).length > 0
}

/** Undefined if the summary adds nothing to the digest. */
function summaryParts(summary: JournalSummary, material: EntryInputs): EntryPart[] | undefined {
  const items = (texts: readonly string[]) =>
    texts.map((text) => escapeMarkdown(text, 500)).filter((text) => text !== '')
  const decisions = summary.decisions.map(({ what, why }) => (why.trim() ? `${endSentence(what)} Why: ${why}` : what))
  const parts = {
    context: escapeMarkdown(summary.context, 600),
    exchanges: items(summary.keyExchanges).slice(0, 12),
    decisions: items(decisions).slice(0, 12),
    lessons: items(summary.lessons).slice(0, 12),
    actionItems: items(summary.actionItems).slice(0, 12),
  }
  const isEmpty = Object.values(parts).every(({ length }) => length === 0)
  if (summary.nothingWorthKeeping || isEmpty) return undefined
  const known = learnedParts(material.learned)
  return [
    { title: 'Context', content: parts.context },
    { title: 'Key exchanges', content: parts.exchanges },
    { title: 'What happened', content: describeActivity(material.digest, material.session.cwd, true) },
    { title: 'Decisions', content: parts.decisions.length > 0 ? parts.decisions : known.decisions },
    { title: 'Lessons', content: parts.lessons.length > 0 ? parts.lessons : known.lessons },
    { title: 'Action items', content: parts.actionItems },
  ]
}

function endSentence(text: string): string {
  return /[.!?]\s*$/.test(text) ? text.trim() : `${text.trim()}.`
}
