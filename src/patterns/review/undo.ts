// Taking back what was decided last about a pattern: the catalogue is then as it was, and the pattern waits again.
import { UserError } from '../../core/errors.ts'
import { openVault, statVaultFile, writeVaultFile } from '../../core/vault.ts'
import {
  deletePracticeFileRow,
  listReviews,
  practiceFileRows,
  type Review,
  savePracticeFileRow,
  undoReview,
} from '../../store/patterns/practices.ts'
import { fileOf, practiceBytes, removePractice, savePractice } from '../catalogue.ts'
import type { Practice } from '../practice.ts'
import { type ReviewContext, withPracticesLock } from './context.ts'
import { hashOf, today, withStatus } from './decide.ts'
import { idNamed, idOfFile } from './named.ts'
import { know, settleHeld } from './settle.ts'

/** The last decision about the pattern or practice that is named, or the last of all. */
export async function undoDecision(context: ReviewContext, name?: string): Promise<Review> {
  return withPracticesLock(context, async () => {
    const { practices } = await settleHeld(context)
    const held = listReviews(context.ledger).filter(({ undoneAtMs }) => undoneAtMs === null)
    if (held.length === 0)
      throw new UserError('Nothing has been decided', 'recollect patterns review shows what waits.', 1)
    const ids = held.map(({ pattern }) => pattern)
    const id = name === undefined ? ids[0]! : idNamed(idOfFile(name, practices), ids)
    const [last, before] = held.filter(({ pattern }) => pattern === id) as [Review, Review?]
    const practice = practices.find((one) => one.id === last.pattern)
    await takeBack(context, last, practice, before)
    undoReview(context.ledger, last.id, context.clock.nowMs())
    return last
  })
}

async function takeBack(
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
      if (before?.verdict === 'retired') return put(context, withStatus(practice, 'retired', today(context)))
      return removeUnedited(context, review, practice)
    case 'retired':
      if (practice?.status === 'retired') await put(context, withStatus(practice, 'approved', today(context)))
      return
    case 'deleted':
      return bringBack(context, review.pattern)
    default:
      return review.verdict satisfies never
  }
}

async function put({ ledger }: ReviewContext, practice: Practice): Promise<void> {
  await savePractice(ledger.layout, practice)
  know(ledger, practice)
}

/** What a person wrote into it would be lost with the file. */
function removeUnedited({ ledger }: ReviewContext, { evidence }: Review, { id, path }: Practice): void {
  if (hashOf(practiceBytes(ledger.layout, path)!) !== evidence.file)
    throw new UserError(
      `${fileOf(path)} was edited since it was approved`,
      `Delete the file yourself, or run: recollect patterns retire ${id}`,
      1,
    )
  removePractice(ledger.layout, path)
  deletePracticeFileRow(ledger, id)
}

function bringBack({ ledger }: ReviewContext, id: string): void {
  const known = practiceFileRows(ledger).get(id)
  if (!known?.isDeleted) return
  const vault = openVault(ledger.layout.vault)
  if (statVaultFile(vault, fileOf(known.path)).kind !== 'missing')
    throw new UserError(`There is another ${fileOf(known.path)}`, 'Move it away, and try again.', 1)
  if (writeVaultFile(vault, fileOf(known.path), known.content) === undefined)
    throw new UserError(`${fileOf(known.path)} is behind a link`, 'Nothing is written outside of the vault.', 3)
  savePracticeFileRow(ledger, { ...known, isDeleted: false })
}
