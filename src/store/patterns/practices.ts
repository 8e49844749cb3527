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

// Where practices were published, and until when: what measuring compares, and what removing looks for.

export interface Publication {
  practice: string
  version: string
  agent: string
  /** Null for the user's own instructions, which hold everywhere. */
  project: string | null
  /** Where it really lies: people link one to another. */
  file: string
  atMs: number
  removedAtMs: number | null
}

/** All that ever was, the earliest first. */
export function allPublications(ledger: Ledger): Publication[] {
  return ledger
    .sql(
      `SELECT practice, version, agent, project, file, at AS atMs, removed_at AS removedAtMs FROM published ORDER BY at, id`,
    )
    .all() as unknown as Publication[]
}

/** What stands in files now, as far as we know. */
export function currentPublications(ledger: Ledger): Publication[] {
  return allPublications(ledger).filter(({ removedAtMs }) => removedAtMs === null)
}

export type PublishedPractice = Pick<Publication, 'practice' | 'version' | 'agent' | 'project'>

/** What stands in a file from now on; what stood there and no longer does is kept with the time until which it did. */
export function savePublications(
  ledger: Ledger,
  file: string,
  standing: readonly PublishedPractice[],
  { atMs, folders }: { atMs: number; folders: readonly string[] },
): void {
  const keyOf = ({ practice, version, agent, project }: PublishedPractice) =>
    JSON.stringify([practice, version, agent, project])
  const wanted = new Set(standing.map(keyOf))
  ledger.transaction(() => {
    const open = ledger
      .sql('SELECT id, practice, version, agent, project FROM published WHERE file = ? AND removed_at IS NULL')
      .all(file) as unknown as (PublishedPractice & { id: number })[]
    const there = new Set(open.map(keyOf))
    for (const row of open)
      if (!wanted.has(keyOf(row))) ledger.sql('UPDATE published SET removed_at = ? WHERE id = ?').run(atMs, row.id)
    for (const { practice, version, agent, project } of standing.filter((row) => !there.has(keyOf(row))))
      ledger
        .sql(
          'INSERT INTO published (practice, version, agent, project, file, at, folders) VALUES (?, ?, ?, ?, ?, ?, ?)',
        )
        .run(practice, version, agent, project, file, atMs, JSON.stringify(folders))
  })
}

/** Every folder that was made for a file. */
export function createdFolders(ledger: Ledger): string[] {
  const rows = ledger.sql('SELECT DISTINCT made.value AS folder FROM published, json_each(folders) made').all()
  return rows.map(({ folder }) => String(folder)).sort()
}

/** Which agents have worked where; a project is null for sessions that belong to none. */
export function agentsInProjects(ledger: Ledger): { agent: string; project: string | null }[] {
  return ledger
    .sql(
      `SELECT DISTINCT s.agent, p.key AS project FROM sessions s LEFT JOIN projects p ON p.id = s.project
       ORDER BY s.agent, p.key`,
    )
    .all() as unknown as { agent: string; project: string | null }[]
}
