// The confirmed statements that answer a question, best first: the valid one, with what it replaced.
import type { Zone } from '../../core/units.ts'
import { attributionText } from '../../memory/attribution.ts'
import { excluded } from '../../memory/exclusions.ts'
import type { Memory } from '../../memory/memory.ts'
import type { LedgerSources } from '../../recall/ledger-sources.ts'
import type { Ledger } from '../../store/ledger.ts'
import { memoriesSupersededBy, memoryById } from '../../store/memories/memories.ts'
import { oneLine } from '../../text/truncate.ts'
import { endOf, reasonOf } from '../compile/statement-text.ts'
import { subjectsIn } from '../compile/subjects.ts'
import type { Succession } from '../compile/successions.ts'
import { placeOfMessage } from '../message-day.ts'
import type { QuestionSubject } from './question-subject.ts'

export interface StatementAnswer extends Succession {
  text: string
  /** It begins with the subject and mentions all of it, so that it answers whatever else there is. */
  isCertain: boolean
}

/** Share of the subject that a statement must mention, compared with the best one. */
const minShareOfBest = 0.7
const maxHits = 30
const maxStatements = 8

/** Empty if no confirmed statement mentions the subject. */
export function statementsAbout(
  ledger: Ledger,
  finder: Pick<LedgerSources, 'memories'>,
  question: string,
  subject: QuestionSubject,
): StatementAnswer[] {
  const hits = finder.memories(question).slice(0, maxHits)
  const valid = new Map(hits.map(({ memory }) => validSuccessor(ledger, memory)).map((memory) => [memory.id, memory]))
  const weighed = [...valid.values()]
    .filter(({ text, trust }) => excluded({ text, trust }) === undefined)
    .map((memory) => ({ memory, earlier: earlierOf(ledger, memory) }))
    .map((succession) => ({ succession, share: subject.shareIn(textsOf(succession).join('\n')) }))
  const best = Math.max(0, ...weighed.map(({ share }) => share))
  return weighed
    .filter(({ share }) => share > 0 && share >= best * minShareOfBest)
    .map((one) => ({ ...one, lead: leadShare(one.succession, subject) }))
    .sort((a, b) => b.share + b.lead / 2 - (a.share + a.lead / 2))
    .slice(0, maxStatements)
    .map(({ succession, share, lead }) => ({
      ...succession,
      text: statementText(succession),
      isCertain: share === 1 && lead > 0,
    }))
}

/** A statement that begins with the subject is about it, others may only mention it. */
function leadShare({ memory }: Succession, { shareIn }: QuestionSubject): number {
  const lead = subjectsIn(memory.text).filter(({ isLead }) => isLead)
  return shareIn(lead.map(({ words }) => words).join(' '))
}

function textsOf({ memory, earlier }: Succession): string[] {
  return [memory.text, memory.why ?? '', memory.apply ?? '', ...earlier.map(({ text }) => text)]
}

/** The kept memory at the end of the chain; the memory itself if its successor was forgotten. */
function validSuccessor(ledger: Ledger, memory: Memory): Memory {
  const seen = new Set<string>()
  let current = memory
  while (current.supersededBy !== null && !seen.has(current.id)) {
    seen.add(current.id)
    const next = memoryById(ledger, current.supersededBy)
    if (next?.state !== 'kept') return current
    current = next
  }
  return current
}

/** What it replaced, directly or through another, latest first. */
function earlierOf(ledger: Ledger, memory: Memory, seen = new Set([memory.id])): Memory[] {
  const replaced = memoriesSupersededBy(ledger, memory.id).filter(
    ({ id, state, text, trust }) => state === 'kept' && !seen.has(id) && excluded({ text, trust }) === undefined,
  )
  for (const { id } of replaced) seen.add(id)
  return replaced.flatMap((old) => [old, ...earlierOf(ledger, old, seen)])
}

const maxEarlier = 3

function statementText({ memory, earlier }: Succession): string {
  const { text, apply, trust, space, doubt, supersededAt } = memory
  const isUsers = trust === 'user said' && space === null
  const until = supersededAt === null ? '' : `Until ${endOf(memory)}: `
  const why = reasonOf(memory)
  return [
    `${until}${oneLine(text)}${isUsers ? '' : ` (${attributionText(memory)})`}${doubt === null ? '' : ` (doubtful: ${oneLine(doubt)})`}`,
    ...(why === undefined ? [] : [`Why: ${oneLine(why)}`]),
    ...(apply === null || text.includes(apply) ? [] : [`How to apply: ${oneLine(apply)}`]),
    ...earlier.slice(0, maxEarlier).map((old) => `Until ${endOf(old)}: ${oneLine(old.text)}`),
  ].join('\n')
}

/** The message that a statement comes from; seq is null if it is no longer stored. */
export interface StatementMessage {
  session: string
  seq: number | null
  at: string | null
}

/** Undefined for a statement that was told by hand. */
export function messageOf(ledger: Ledger, { evidence }: Memory): StatementMessage | undefined {
  const source = evidence.find(({ session }) => session !== null)
  if (!source) return undefined
  const place = placeOfMessage(ledger, source)
  return { session: source.session!, seq: place?.seq ?? null, at: place?.at ?? null }
}

/** The journal day of a session that has a message of this time; its first day without one. */
export function journalDayAt(days: readonly string[], at: string | null, zone: Zone): string | undefined {
  const day = at === null ? undefined : zone.day(at)
  return day !== undefined && days.includes(day) ? day : days[0]
}
