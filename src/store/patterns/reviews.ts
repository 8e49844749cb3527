// What people said of patterns, and the files of practices as they were when they were last looked at.
import type { Ledger } from '../ledger.ts'
import { enqueue, ownSpace } from '../sync/outbox.ts'

export type ReviewVerdict = 'approved' | 'rejected' | 'later' | 'retired' | 'deleted'

/** What a pattern stood on when somebody decided about it. */
export interface ReviewedEvidence {
  evidence: string
  frequency: number
  agents: string[]
  /** How many; null where that is not known any more. */
  projects: number | null
  /** The hash of the file that an approval made: whether anybody has changed it since. */
  file?: string
}

export interface Review {
  id: number
  pattern: string
  verdict: ReviewVerdict
  title: string
  evidence: ReviewedEvidence
  note: string
  atMs: number
  undoneAtMs: number | null
}

export function addReview(ledger: Ledger, review: Omit<Review, 'id' | 'undoneAtMs'>): void {
  ledger
    .sql('INSERT INTO pattern_reviews (pattern, verdict, title, evidence, note, at) VALUES (?, ?, ?, ?, ?, ?)')
    .run(
      review.pattern,
      review.verdict,
      review.title,
      JSON.stringify(review.evidence),
      review.note,
      Math.trunc(review.atMs),
    )
  enqueue(ledger, ownSpace, 'pattern', `pattern:${review.pattern}`)
}

/** Every one, the latest first, also those that were taken back. */
export function listReviews(ledger: Ledger): Review[] {
  return ledger
    .sql('SELECT * FROM pattern_reviews ORDER BY id DESC')
    .all()
    .map((row) => ({
      id: Number(row.id),
      pattern: String(row.pattern),
      verdict: row.verdict as ReviewVerdict,
      title: String(row.title),
      evidence: JSON.parse(String(row.evidence)) as ReviewedEvidence,
      note: String(row.note),
      atMs: Number(row.at),
      undoneAtMs: row.undone_at === null ? null : Number(row.undone_at),
    }))
}

/** The ones that hold, the latest first, by pattern. */
export function reviewsByPattern(ledger: Ledger): Map<string, Review[]> {
  return Map.groupBy(
    listReviews(ledger).filter(({ undoneAtMs }) => undoneAtMs === null),
    ({ pattern }) => pattern,
  )
}

export function undoReview(ledger: Ledger, id: number, atMs: number): void {
  const row = ledger
    .sql('UPDATE pattern_reviews SET undone_at = ? WHERE id = ? RETURNING pattern')
    .get(Math.trunc(atMs), id)
  if (row) enqueue(ledger, ownSpace, 'pattern', `pattern:${row.pattern}`)
}

export interface PracticeFileRow {
  id: string
  path: string
  content: Buffer
  /** Deleted by hand; its content is kept for whoever wants it back. */
  isDeleted: boolean
}

export function practiceFileRows(ledger: Ledger): Map<string, PracticeFileRow> {
  const rows = ledger.sql('SELECT id, path, content, is_gone FROM practices ORDER BY id').all()
  return new Map(
    rows.map((row) => [
      String(row.id),
      {
        id: String(row.id),
        path: String(row.path),
        content: Buffer.from(row.content as Uint8Array),
        isDeleted: row.is_gone === 1,
      },
    ]),
  )
}

export function savePracticeFileRow(ledger: Ledger, { id, path, content, isDeleted: isGone }: PracticeFileRow): void {
  ledger
    .sql('INSERT OR REPLACE INTO practices (id, path, content, is_gone) VALUES (?, ?, ?, ?)')
    .run(id, path, content, isGone ? 1 : 0)
  enqueue(ledger, ownSpace, 'practice', `practice:${id}`)
}

export function deletePracticeFileRow(ledger: Ledger, id: string): void {
  ledger.sql('DELETE FROM practices WHERE id = ?').run(id)
  enqueue(ledger, ownSpace, 'practice', `practice:${id}`)
}
