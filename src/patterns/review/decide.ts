// Decisions of a person about patterns: approve, decline, retire, undo. Every decision is recorded.
import { createHash } from 'node:crypto'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { openVault, statVaultFile, writeVaultFile } from '../../core/vault/files.ts'
import {
  addReview,
  deletePracticeFileRow,
  listReviews,
  practiceFileRows,
  type Review,
  type ReviewedEvidence,
  type ReviewVerdict,
  savePracticeFileRow,
  undoReview,
} from '../../store/patterns/practices.ts'
import { type PracticeCatalogue, practiceBytes, practiceFile, removePractice, savePractice } from '../catalogue.ts'
import type { Pattern, Practice } from '../types.ts'
import { checkApproval, reviewedEvidence } from './approval-rules.ts'
import { type ReviewContext, withPracticesLock } from './context.ts'
import { type PracticeDraft, practiceFromDraft, withNote } from './draft.ts'
import { recordFile, refreshCatalogue, refreshLocked } from './refresh-catalogue.ts'
import { idOfPracticeFile, resolveId } from './resolve-id.ts'

export interface DecisionOptions {
  note?: string | undefined
}

/** Adds the pattern to the catalogue as a practice, or re-approves a retired one as its file is. */
export async function approvePattern(
  context: ReviewContext,
  pattern: Pattern,
  draft: PracticeDraft,
  { note = '' }: DecisionOptions = {},
): Promise<Practice> {
  const gate = checkApproval(pattern)
  if (gate.kind === 'closed')
    throw new UserError(
      `${pattern.id} cannot be approved yet: ${gate.reason}`,
      'It returns to the queue when there is more evidence.',
      1,
    )
  return withPracticesLock(context, async () => {
    const { practices, problems } = await refreshLocked(context)
    checkReadable(context, pattern.id, problems)
    const existing = practices.find(({ id }) => id === pattern.id)
    if (existing?.status === 'approved')
      throw new UserError(`${pattern.id} is a practice already: ${existing.path}.md`, 'Edit its file, or retire it.', 1)
    const day = today(context)
    const practice = existing
      ? withStatus(existing, 'approved', day, note)
      : practiceFromDraft(context.ledger.layout, pattern, draft, { day, note })
    await saveDecision(context, practice, 'approved', reviewedEvidence(pattern), note)
    return practice
  })
}

/** Refuses to create a second file while the existing one cannot be read. */
function checkReadable({ ledger }: ReviewContext, id: string, problems: PracticeCatalogue['problems']): void {
  const known = practiceFileRows(ledger).get(id)
  const problem = known && problems.find(({ file }) => file === practiceFile(known.path))
  if (problem)
    throw new UserError(
      `${id} is a practice already: ${problem.file}:${problem.line}: ${problem.reason}`,
      'Repair the file, and try again.',
      3,
    )
}

/** `rejected` holds until the evidence changes, `later` for at most two weeks. */
export async function declinePattern(
  context: ReviewContext,
  pattern: Pattern,
  verdict: 'rejected' | 'later',
  { note = '' }: DecisionOptions = {},
): Promise<void> {
  const { ledger, clock } = context
  const { id, title } = pattern
  const { practices } = await refreshCatalogue(context)
  if (practices.some((practice) => practice.id === id && practice.status === 'approved'))
    throw new UserError(`${id} is a practice`, `To take it out of use: recollect patterns retire ${id}`, 1)
  addReview(ledger, { pattern: id, verdict, title, evidence: reviewedEvidence(pattern), note, atMs: clock.nowMs() })
}

/** Keeps the practice in the catalogue with its history, but no longer publishes it. */
export async function retirePractice(
  context: ReviewContext,
  name: string,
  { note = '' }: DecisionOptions = {},
): Promise<Practice> {
  return withPracticesLock(context, async () => {
    const { practices } = await refreshLocked(context)
    const ids = practices.map((one) => one.id)
    const id = resolveId(idOfPracticeFile(name, practices), ids)
    const practice = practices.find((one) => one.id === id)!
    if (practice.status === 'retired')
      throw new UserError(`${id} is retired already`, 'recollect patterns undo takes that back.', 1)
    const retired = withStatus(practice, 'retired', today(context), note)
    const { evidence, frequency, agents } = practice.provenance
    await saveDecision(context, retired, 'retired', { evidence, frequency, agents, projects: null }, note)
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

/**
 * Writes the file first: a file without a review is still a practice, a review without a file is
 * not.
 */
async function saveDecision(
  { ledger, clock }: ReviewContext,
  practice: Practice,
  verdict: ReviewVerdict,
  evidence: ReviewedEvidence,
  note: string,
): Promise<void> {
  await savePractice(ledger.layout, practice)
  const { id, title, path } = practice
  const file = contentHash(practiceBytes(ledger.layout, path)!)
  ledger.transaction(() => {
    recordFile(ledger, practice)
    addReview(ledger, { pattern: id, verdict, title, evidence: { ...evidence, file }, note, atMs: clock.nowMs() })
  })
}

export function contentHash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

/** Undoes the last decision about the named pattern or practice, or the last of all. */
export async function undoDecision(context: ReviewContext, name?: string): Promise<Review> {
  return withPracticesLock(context, async () => {
    const { practices } = await refreshLocked(context)
    const held = listReviews(context.ledger).filter(({ undoneAtMs }) => undoneAtMs === null)
    if (held.length === 0)
      throw new UserError('Nothing to undo: no decision was made', 'See: recollect patterns review', 1)
    const ids = held.map(({ pattern }) => pattern)
    const id = name === undefined ? ids[0]! : resolveId(idOfPracticeFile(name, practices), ids)
    const [last, before] = held.filter(({ pattern }) => pattern === id) as [Review, Review?]
    const practice = practices.find((one) => one.id === last.pattern)
    await revertReview(context, last, practice, before)
    undoReview(context.ledger, last.id, context.clock.nowMs())
    return last
  })
}

async function revertReview(
  context: ReviewContext,
  review: Review,
  practice: Practice | undefined,
  before: Review | undefined,
): Promise<void> {
  switch (review.verdict) {
    case 'rejected':
    case 'later':
      return
    case 'approved':
      if (!practice) return
      if (before?.verdict === 'retired')
        return restorePractice(context, withStatus(practice, 'retired', today(context)))
      return removeUnedited(context, review, practice)
    case 'retired':
      if (practice?.status === 'retired')
        await restorePractice(context, withStatus(practice, 'approved', today(context)))
      return
    case 'deleted':
      return restoreDeleted(context, review.pattern)
    default:
      return review.verdict satisfies never
  }
}

async function restorePractice({ ledger }: ReviewContext, practice: Practice): Promise<void> {
  await savePractice(ledger.layout, practice)
  recordFile(ledger, practice)
}

/** Refuses to delete a file that was edited since. */
function removeUnedited({ ledger }: ReviewContext, { evidence }: Review, { id, path }: Practice): void {
  if (contentHash(practiceBytes(ledger.layout, path)!) !== evidence.file)
    throw new UserError(
      `${practiceFile(path)} was edited since it was approved`,
      `Delete the file yourself, or run: recollect patterns retire ${id}`,
      1,
    )
  removePractice(ledger.layout, path)
  deletePracticeFileRow(ledger, id)
}

function restoreDeleted({ ledger }: ReviewContext, id: string): void {
  const known = practiceFileRows(ledger).get(id)
  if (!known?.isDeleted) return
  const vault = openVault(ledger.layout.vault)
  if (statVaultFile(vault, practiceFile(known.path)).kind !== 'missing')
    throw new UserError(`${practiceFile(known.path)} already exists`, 'Move it away, and try again.', 1)
  if (writeVaultFile(vault, practiceFile(known.path), known.content) === undefined)
    throw new UserError(`${practiceFile(known.path)} is behind a link`, 'Nothing is written outside of the vault.', 3)
  savePracticeFileRow(ledger, { ...known, isDeleted: false })
}
