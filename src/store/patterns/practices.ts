// User decisions about patterns, practice files as last seen, and where practices were published.
import type { Ledger } from '../ledger.ts'
import { enqueue, ownSpace } from '../sync/outbox.ts'

export type ReviewVerdict = 'approved' | 'rejected' | 'later' | 'retired' | 'deleted'

/** The evidence of a pattern at the time of a decision. */
export interface ReviewedEvidence {
  evidence: string
  frequency: number
  agents: string[]
  /** Number of projects; null when it is no longer known. */
  projects: number | null
  /** Hash of the file that an approval created, to detect later edits. */
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

/** All reviews, latest first, including undone ones. */
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

/** Reviews that are not undone, latest first, by pattern. */
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
  /** Deleted by the user; the content is kept so that it can be restored. */
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

export interface Publication {
  practice: string
  version: string
  agent: string
  /** Null for the user-wide instructions, which apply to every project. */
  project: string | null
  /** The file after links are resolved, because people link one instruction file to another. */
  file: string
  atMs: number
  removedAtMs: number | null
}

/** All publications, earliest first, including removed ones. */
export function allPublications(ledger: Ledger): Publication[] {
  return ledger
    .sql(
      `SELECT practice, version, agent, project, file, at AS atMs, removed_at AS removedAtMs FROM published ORDER BY at, id`,
    )
    .all() as unknown as Publication[]
}

/** Publications that are in files now, as far as we know. */
export function currentPublications(ledger: Ledger): Publication[] {
  return allPublications(ledger).filter(({ removedAtMs }) => removedAtMs === null)
}

export type PublishedPractice = Pick<Publication, 'practice' | 'version' | 'agent' | 'project'>

/**
 * Records the practices in a file. Those no longer in it are kept with the time of their removal.
 */
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

/** Folders that were created for published files. */
export function createdFolders(ledger: Ledger): string[] {
  const rows = ledger.sql('SELECT DISTINCT made.value AS folder FROM published, json_each(folders) made').all()
  return rows.map(({ folder }) => String(folder)).sort()
}

/** Agents by project; the project is null for sessions without one. */
export function agentsInProjects(ledger: Ledger): { agent: string; project: string | null }[] {
  return ledger
    .sql(
      `SELECT DISTINCT s.agent, p.key AS project FROM sessions s LEFT JOIN projects p ON p.id = s.project
       ORDER BY s.agent, p.key`,
    )
    .all() as unknown as { agent: string; project: string | null }[]
}
