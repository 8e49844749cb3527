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
  type JournalMemory,
  type JournalSession,
  memoriesOfSessions,
  saveJournalRow,
  sessionAwaitingModel,
  sessionsForModelEntry,
  sessionsWithNewSummary,
} from '../store/wiki/journal.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { jaccard } from '../text/similarity.ts'
import { statementTermSet } from '../text/statement.ts'
import { describeActivity } from './activity.ts'
import type { AskModel, JournalContext } from './context.ts'
import { exchangesOf } from './conversation.ts'
import { askedLines, type EntryPart, entryText, escaped, learnedParts } from './entry.ts'
import { type EntryInputs, loadEntryInputs } from './inputs.ts'
import { openItems } from './open-items.ts'
import { firstSentences } from './prose.ts'
import type { JournalSummary } from './question.ts'
import { dayFinder, segmentsOf } from './segments.ts'
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
 * Writes the entries of sessions that a model has judged as a whole. Returns the entries that have changed.
 */
export async function writeFromSummaries(context: JournalContext): Promise<string[]> {
  const { ledger, clock } = context
  const sessions = sessionsWithNewSummary(ledger)
  if (sessions.length === 0) return []
  const { journalPart } = await import('../learn/model/answer.ts')
  const learned = memoriesOfSessions(ledger, sessions)
  const changed: string[] = []
  for (const session of sessions) {
    const inputs = loadLastDay(context, session, learned.get(session.uid))
    const summary = summaryOfSession(ledger, session.id)
    if (!inputs || !summary) continue
    const parts = journalPart.safeParse(JSON.parse(summary.journal ?? '{}')).data
    const value = { nothingWorthKeeping: !parts, ...(parts ?? noParts) }
    const written = await withJournalLock(ledger.layout, clock, () =>
      writeAnswer(context, inputs, value, summary.author),
    )
    changed.push(...written)
  }
  return changed
}

const noParts = { context: '', keyExchanges: [], decisions: [], lessons: [], actionItems: [] }

/** Returns the entries that have changed. */
export async function writeByModel(context: JournalContext & { ask: AskModel }): Promise<string[]> {
  const { ledger, clock } = context
  const sessions = sessionsToAsk(context)
  if (sessions.length === 0) return []
  const { journalQuestion } = await import('./question.ts')
  const learned = memoriesOfSessions(ledger, sessions)
  const changed: string[] = []
  for (const session of sessions) {
    const inputs = loadLastDay(context, session, learned.get(session.uid))
    if (!inputs) continue
    const question = journalQuestion(inputs, exchangesOf(ledger, session.uid, inputs.segment))
    const answer = await context.ask(question)
    if (answer.kind === 'unavailable') {
      writeValue(ledger, pauseKey, clock.nowMs())
      break
    }
    if (answer.kind === 'failed') {
      saveFailure(context, session, question.text, answer.reasons)
      break // the next question would probably fail for the same reason
    }
    const written = await withJournalLock(ledger.layout, clock, () =>
      writeAnswer(context, inputs, answer.value, `${answer.provider} ${answer.model}`),
    )
    changed.push(...written)
  }
  return changed
}

/** A model writes about the last day of a session: it has answered about earlier ones before. */
function loadLastDay(
  context: JournalContext,
  session: JournalSession,
  learned: readonly JournalMemory[] | undefined,
): EntryInputs | undefined {
  const segment = segmentsOf(context.ledger, session, dayFinder(context.zone)).at(-1)
  return segment && session.entries.some(({ day }) => day === segment.day)
    ? loadEntryInputs(context, session, segment, learned)
    : undefined
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
 * Returns the entry if it has changed. A session that has grown in the meantime is asked about again
 * later.
 */
function writeAnswer(
  { ledger, clock }: JournalContext,
  inputs: EntryInputs,
  value: JournalSummary,
  author: string,
): string[] {
  const { session, segment } = inputs
  const now = sessionAwaitingModel(ledger, session.uid)
  const entry = now?.entries.find(({ day }) => day === segment.day)
  if (now?.events !== session.events || !entry) return []
  deleteJournalDeadLetter(ledger, session.uid)
  const parts = summaryParts(value, inputs)
  if (!parts) {
    saveJournalRow(ledger, session.id, { ...entry, writtenBy: 'digest, asked' }, isoTime(clock.nowMs()))
    return []
  }
  const text = () => entryText(inputs, parts, `written by ${escapeMarkdown(author, 80)}`)
  return writeDay(ledger, clock, entry.day, [{ session: now, segment, text, author: `model ${author}` }]).changed
}

/** Undefined if the summary adds nothing to the digest. */
function summaryParts(summary: JournalSummary, inputs: EntryInputs): EntryPart[] | undefined {
  const lines = (texts: readonly string[]) =>
    texts
      .map((text) => escapeMarkdown(firstSentences(text, 400), 1200))
      .filter((text) => text !== '')
      .slice(0, 12)
  const decisions = summary.decisions.map(({ what, why }) =>
    why.trim() ? `${endSentence(what)} Why: ${endSentence(why)}` : what,
  )
  const told = {
    about: escapeMarkdown(firstSentences(summary.context, 600), 1800),
    asked: lines(summary.keyExchanges),
    decided: lines(decisions),
    found: lines(summary.lessons),
    open: lines(summary.actionItems),
  }
  const isEmpty = Object.values(told).every(({ length }) => length === 0)
  if (summary.nothingWorthKeeping || isEmpty) return undefined
  const { session, digest, isTested } = inputs
  const known = learnedParts(inputs.learned)
  return [
    { title: 'About', content: told.about },
    { title: 'Asked', content: told.asked.length > 0 ? told.asked : askedLines(inputs) },
    { title: 'Done', content: describeActivity(digest, { cwd: session.cwd, isTested }) },
    { title: 'Decided', content: withKnown(told.decided, known.decided) },
    { title: 'Found', content: withKnown(told.found, known.found) },
    { title: 'Left open', content: told.open.length > 0 ? told.open : escaped(openItems(inputs)) },
  ]
}

/** What was learned is kept, unless the model says the same. */
function withKnown(told: readonly string[], known: readonly string[]): string[] {
  const terms = told.map(statementTermSet)
  const isTold = (text: string) => terms.some((one) => jaccard(one, statementTermSet(text)) >= 0.5)
  return [...told, ...known.filter((text) => !isTold(text))]
}

function endSentence(text: string): string {
  return /[.!?]\s*$/.test(text) ? text.trim() : `${text.trim()}.`
}
