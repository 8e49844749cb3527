// What a model makes of sessions that have come to rest. Their entries from the digest are already there: whatever fails here
// costs nothing but the better words, and is tried again later.
import { isoTime } from '../core/clock.ts'
import type { ModelResponse, ProviderReason } from '../models/context.ts'
import { readValue, writeValue } from '../store/key-values.ts'
import { dueDeadLetters, saveDeadLetter } from '../store/memories/model-calls.ts'
import {
  deleteJournalDeadLetter,
  type JournalSession,
  memoriesOfSessions,
  saveJournalRow,
  sessionAwaitingModel,
  sessionsForModelEntry,
} from '../store/wiki/journal.ts'
import { escapeMarkdown } from '../text/markdown.ts'
import { entryText, learnedParts, type Part } from './entry.ts'
import { happened } from './happened.ts'
import type { Ask, JournalContext } from './journal.ts'
import { type Material, materialOf } from './material.ts'
import type { Summary } from './question.ts'
import { underJournalLock, writeDay } from './write-day.ts'

/** A session that nothing has been added to for so long has come to rest. */
const quietMs = 30 * 60_000
/** So many questions in one run, and of those that failed before; the rest waits for the next. */
const maxAsked = 10
const maxRetried = 2
/** Where there was nobody to ask, nobody is asked for so long: most sweeps find no change in that. */
const pauseMs = 3_600_000
const pauseNote = 'journal found no model'

/** Gives back the sessions whose entry has changed. */
export async function writeByModel(context: JournalContext & { ask: Ask }): Promise<string[]> {
  const { ledger, clock } = context
  const sessions = toAsk(context)
  if (sessions.length === 0) return []
  const { journalQuestion } = await import('./question.ts')
  const learned = memoriesOfSessions(ledger, sessions)
  const changed: string[] = []
  for (const session of sessions) {
    const material = materialOf(context, session, learned.get(session.uid))
    if (!material) continue
    const question = journalQuestion(material)
    const answer = await context.ask(question)
    if (answer.kind === 'unavailable') {
      writeValue(ledger, pauseNote, clock.nowMs())
      break
    }
    if (answer.kind === 'failed') {
      keep(context, session, question.text, answer.reasons)
      break // what ails one is likely to ail the next
    }
    const isWritten = await underJournalLock(ledger.layout, clock, () => write(context, material, answer))
    if (isWritten) changed.push(session.uid)
  }
  return changed
}

function toAsk({ ledger, clock, freshDays = 3 }: JournalContext): JournalSession[] {
  const nowMs = clock.nowMs()
  const since = nowMs - Number(readValue(ledger, pauseNote) ?? 0)
  if (since >= 0 && since < pauseMs) return []
  const fresh = sessionsForModelEntry(ledger, {
    sinceMs: nowMs - freshDays * 86_400_000,
    quietMs: nowMs - quietMs,
    limit: maxAsked,
  })
  const failed = dueDeadLetters(ledger, 'journal', nowMs, maxRetried)
    .filter((letter) => !fresh.some(({ uid }) => uid === letter.session))
    .flatMap(({ session }) => sessionAwaitingModel(ledger, session) ?? settled(ledger, session))
  return [...fresh, ...failed]
}

function settled(ledger: JournalContext['ledger'], uid: string): [] {
  deleteJournalDeadLetter(ledger, uid)
  return []
}

function keep(
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

/** Whether the entry is another one now. A session that has gone on meanwhile keeps its own, and is asked for again later. */
function write(
  { ledger, clock }: JournalContext,
  material: Material,
  { value, provider, model }: Extract<ModelResponse<Summary>, { kind: 'answered' }>,
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
  const author = `${provider} ${model}`
  const text = () => entryText(material, parts, `written by ${escapeMarkdown(author, 80)}`)
  return writeDay(ledger, clock, now.entry!.day, [{ session: now, text, author: `model ${author}` }]).length > 0
}

/** Undefined where there is nothing to tell beyond what the digest tells. */
function summaryParts(summary: Summary, material: Material): Part[] | undefined {
  const items = (texts: readonly string[]) =>
    texts.map((text) => escapeMarkdown(text, 500)).filter((text) => text !== '')
  const decisions = summary.decisions.map(({ what, why }) => (why.trim() ? `${sentence(what)} Why: ${why}` : what))
  const said = {
    context: escapeMarkdown(summary.context, 600),
    exchanges: items(summary.keyExchanges).slice(0, 12),
    decisions: items(decisions).slice(0, 12),
    lessons: items(summary.lessons).slice(0, 12),
    actionItems: items(summary.actionItems).slice(0, 12),
  }
  const isEmpty = Object.values(said).every(({ length }) => length === 0)
  if (summary.nothingWorthKeeping || isEmpty) return undefined
  const known = learnedParts(material.learned)
  return [
    { title: 'Context', says: said.context },
    { title: 'Key exchanges', says: said.exchanges },
    { title: 'What happened', says: happened(material.digest, material.session.cwd, true) },
    { title: 'Decisions', says: said.decisions.length > 0 ? said.decisions : known.decisions },
    { title: 'Lessons', says: said.lessons.length > 0 ? said.lessons : known.lessons },
    { title: 'Action items', says: said.actionItems },
  ]
}

function sentence(text: string): string {
  return /[.!?]\s*$/.test(text) ? text.trim() : `${text.trim()}.`
}
