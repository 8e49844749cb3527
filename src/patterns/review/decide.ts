// What a person decides about a pattern, and what comes of it. Every decision is kept, and can be taken back.
import { createHash } from 'node:crypto'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import {
  addReview,
  practiceFileRows,
  type ReviewedEvidence,
  type ReviewVerdict,
} from '../../store/patterns/practices.ts'
import { type Catalogue, fileOf, practiceBytes, savePractice } from '../catalogue.ts'
import type { Pattern } from '../pattern.ts'
import type { Practice } from '../practice.ts'
import { type ReviewContext, withPracticesLock } from './context.ts'
import { type Draft, practiceFrom, withNote } from './draft.ts'
import { approvalGate } from './gates.ts'
import { idNamed, idOfFile } from './named.ts'
import { evidenceOf } from './news.ts'
import { know, settleCatalogue, settleHeld } from './settle.ts'

export interface Said {
  note?: string | undefined
}

/** The pattern as a practice in the catalogue. One that was retired holds again, as its file says it. */
export async function approve(
  context: ReviewContext,
  pattern: Pattern,
  draft: Draft,
  { note = '' }: Said = {},
): Promise<Practice> {
  const gate = approvalGate(pattern)
  if (gate.kind === 'closed')
    throw new UserError(
      `${pattern.id} cannot be approved yet: ${gate.reason}`,
      'It comes up when it was seen again.',
      1,
    )
  return withPracticesLock(context, async () => {
    const { practices, problems } = await settleHeld(context)
    checkReadable(context, pattern.id, problems)
    const existing = practices.find(({ id }) => id === pattern.id)
    if (existing?.status === 'approved')
      throw new UserError(`${pattern.id} is a practice already: ${existing.path}.md`, 'Edit its file, or retire it.', 1)
    const day = today(context)
    const practice = existing
      ? withStatus(existing, 'approved', day, note)
      : practiceFrom(context.ledger.layout, pattern, draft, { day, note })
    await keep(context, practice, 'approved', evidenceOf(pattern), note)
    return practice
  })
}

/** A second file of the same practice beside one that its person has to repair would be two of them. */
function checkReadable({ ledger }: ReviewContext, id: string, problems: Catalogue['problems']): void {
  const known = practiceFileRows(ledger).get(id)
  const problem = known && problems.find(({ file }) => file === fileOf(known.path))
  if (problem)
    throw new UserError(
      `${id} is a practice already: ${problem.file}:${problem.line}: ${problem.reason}`,
      'Repair the file, and try again.',
      3,
    )
}

/** `rejected` holds until the evidence changes, `later` for two weeks at most. */
export async function putOff(
  context: ReviewContext,
  pattern: Pattern,
  verdict: 'rejected' | 'later',
  { note = '' }: Said = {},
): Promise<void> {
  const { ledger, clock } = context
  const { id, title } = pattern
  const { practices } = await settleCatalogue(context)
  if (practices.some((practice) => practice.id === id && practice.status === 'approved'))
    throw new UserError(`${id} is a practice`, `To take it out of use: recollect patterns retire ${id}`, 1)
  addReview(ledger, { pattern: id, verdict, title, evidence: evidenceOf(pattern), note, atMs: clock.nowMs() })
}

/** It stays in the catalogue with its history; agents are not told it any more. */
export async function retire(context: ReviewContext, name: string, { note = '' }: Said = {}): Promise<Practice> {
  return withPracticesLock(context, async () => {
    const { practices } = await settleHeld(context)
    const ids = practices.map((one) => one.id)
    const id = idNamed(idOfFile(name, practices), ids)
    const practice = practices.find((one) => one.id === id)!
    if (practice.status === 'retired')
      throw new UserError(`${id} is retired already`, 'recollect patterns undo takes that back.', 1)
    const retired = withStatus(practice, 'retired', today(context), note)
    const { evidence, frequency, agents } = practice.provenance
    await keep(context, retired, 'retired', { evidence, frequency, agents, projects: null }, note)
    return retired
  })
}

export function withStatus(practice: Practice, status: Practice['status'], day: string, note = ''): Practice {
  const what = withNote(status === 'retired' ? 'retired' : 'approved again', note)
  return { ...practice, status, history: [...practice.history, { version: practice.version, day, what }] }
}

export function today({ clock, zone }: ReviewContext): string {
  return zone.day(isoTime(clock.nowMs()))
}

/** The file first: one without its review is a practice all the same, a review without its file is none. */
async function keep(
  { ledger, clock }: ReviewContext,
  practice: Practice,
  verdict: ReviewVerdict,
  evidence: ReviewedEvidence,
  note: string,
): Promise<void> {
  await savePractice(ledger.layout, practice)
  const { id, title, path } = practice
  const file = hashOf(practiceBytes(ledger.layout, path)!)
  ledger.transaction(() => {
    know(ledger, practice)
    addReview(ledger, { pattern: id, verdict, title, evidence: { ...evidence, file }, note, atMs: clock.nowMs() })
  })
}

export function hashOf(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
