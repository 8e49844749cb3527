// Commit messages of repositories and the files they changed. Call functions that write inside a
// transaction.
import { hash } from 'node:crypto'
import { isoTime } from '../../core/clock.ts'
import type { Ledger } from '../ledger.ts'
import { deleteStandalone, writePassages } from '../search/passages.ts'

export interface StoredCommit {
  hash: string
  at: string
  message: string
  files: string[]
}

export interface CommitCursor {
  /** All commits reachable from this one and not from `base` have been read. */
  head: string
  /** Commit at which the first read began. */
  base: string
  /** Number of commits read from there, in git's order. */
  readCount: number
  /** Whether the root commit has been reached. */
  isComplete: boolean
}

/** Returns how many commits are new. A rebased commit (same time and message) is not new. */
export function saveCommits(ledger: Ledger, project: string, commits: readonly StoredCommit[]): number {
  const repository = repositoryOf(ledger, project)
  let added = 0
  for (const commit of commits) {
    const known = ledger
      .sql('SELECT number FROM commits WHERE repository = ? AND key = ?')
      .get(repository, keyOf(commit))
    if (known) {
      ledger.sql('UPDATE commits SET hash = ? WHERE number = ?').run(commit.hash, known.number as number)
      continue
    }
    const { number } = ledger
      .sql('INSERT INTO commits (repository, hash, key, at, message) VALUES (?, ?, ?, ?, ?) RETURNING number')
      .get(repository, commit.hash, keyOf(commit), Date.parse(commit.at), commit.message)!
    for (const path of commit.files) saveFile(ledger, repository, path, Number(number))
    indexCommit(ledger, Number(number), commit)
    added++
  }
  return added
}

function repositoryOf(ledger: Ledger, project: string): number {
  ledger.sql('INSERT OR IGNORE INTO repositories (project) VALUES (?)').run(project)
  return Number(ledger.sql('SELECT id FROM repositories WHERE project = ?').get(project)!.id)
}

function keyOf({ at, message }: StoredCommit): Uint8Array {
  return hash('sha1', `${Date.parse(at)}\n${message}`, 'buffer').subarray(0, 12)
}

function saveFile(ledger: Ledger, repository: number, path: string, number: number): void {
  const { id } =
    ledger.sql('SELECT id FROM commit_paths WHERE repository = ? AND path = ?').get(repository, path) ??
    ledger.sql('INSERT INTO commit_paths (repository, path) VALUES (?, ?) RETURNING id').get(repository, path)!
  ledger.sql('INSERT OR IGNORE INTO commit_files (path, number) VALUES (?, ?)').run(id as number, number)
}

function indexCommit(ledger: Ledger, number: number, { at, message, files }: StoredCommit): void {
  const source = { kind: 'commit' as const, number }
  writePassages(ledger, { source, role: 'note', ts: Date.parse(at), said: message, done: files.join('\n') }, null)
}

/** Commits that the other project has as well stay where they are. */
export function moveCommits(ledger: Ledger, from: string, to: string): void {
  ledger.sql('UPDATE OR IGNORE repositories SET project = ? WHERE project = ?').run(to, from)
}

export function reindexCommits(ledger: Ledger): void {
  for (const row of ledger.sql('SELECT * FROM commits').all())
    indexCommit(ledger, Number(row.number), commitOf(ledger, row))
}

/** Includes the project of each commit. */
export function commitsByNumber(
  ledger: Ledger,
  numbers: readonly number[],
): Map<number, StoredCommit & { project: string }> {
  const rows = ledger
    .sql(
      `SELECT c.*, r.project FROM commits c JOIN repositories r ON r.id = c.repository
       WHERE c.number IN (SELECT value FROM json_each(?))`,
    )
    .all(JSON.stringify(numbers))
  return new Map(rows.map((row) => [Number(row.number), { ...commitOf(ledger, row), project: String(row.project) }]))
}

export function commitsOfProject(ledger: Ledger, project: string): StoredCommit[] {
  return ledger
    .sql('SELECT * FROM commits WHERE repository = (SELECT id FROM repositories WHERE project = ?) ORDER BY at, number')
    .all(project)
    .map((row) => commitOf(ledger, row))
}

/** Forgets the repository of a project: commits are read again if a session runs in it. */
export function deleteCommits(ledger: Ledger, project: string, folders: readonly string[]): void {
  const repository = ledger.sql('SELECT id FROM repositories WHERE project = ?').get(project)?.id as number | undefined
  if (repository === undefined) return
  for (const { number } of ledger.sql('SELECT number FROM commits WHERE repository = ?').all(repository)) {
    deleteStandalone(ledger, { kind: 'commit', number: Number(number) })
    ledger.sql('DELETE FROM commit_files WHERE number = ?').run(number as number)
  }
  ledger.sql('DELETE FROM commits WHERE repository = ?').run(repository)
  ledger.sql('DELETE FROM commit_paths WHERE repository = ?').run(repository)
  ledger.sql('DELETE FROM repositories WHERE id = ?').run(repository)
  ledger.sql('DELETE FROM commit_cursors WHERE folder IN (SELECT value FROM json_each(?))').run(JSON.stringify(folders))
}

/** Later commits that change a file of this one, oldest first. */
export function commitsAfter(ledger: Ledger, project: string, commit: StoredCommit, limit: number): StoredCommit[] {
  return ledger
    .sql(
      `SELECT DISTINCT c.* FROM commits first
       JOIN commit_files mine ON mine.number = first.number
       JOIN commit_files theirs ON theirs.path = mine.path
       JOIN commits c ON c.number = theirs.number
       WHERE first.hash = $hash AND first.repository = (SELECT id FROM repositories WHERE project = $project)
         AND c.at > first.at ORDER BY c.at, c.number LIMIT $limit`,
    )
    .all({ hash: commit.hash, project, limit })
    .map((row) => commitOf(ledger, row))
}

function commitOf(ledger: Ledger, row: Record<string, unknown>): StoredCommit {
  const files = ledger
    .sql('SELECT p.path FROM commit_files f JOIN commit_paths p ON p.id = f.path WHERE f.number = ? ORDER BY p.path')
    .all(row.number as number)
    .map(({ path }) => String(path))
  return { hash: String(row.hash), at: isoTime(Number(row.at)), message: String(row.message), files }
}

export function commitCursor(ledger: Ledger, folder: string): CommitCursor | undefined {
  const row = ledger.sql('SELECT * FROM commit_cursors WHERE folder = ?').get(folder)
  if (!row) return undefined
  return {
    head: String(row.head),
    base: String(row.base),
    readCount: Number(row.taken),
    isComplete: row.is_whole === 1,
  }
}

export function saveCommitCursor(
  ledger: Ledger,
  folder: string,
  { head, base, readCount: taken, isComplete: isWhole }: CommitCursor,
): void {
  ledger
    .sql(
      `INSERT INTO commit_cursors (folder, head, base, taken, is_whole) VALUES (?, ?, ?, ?, ?) ON CONFLICT (folder) DO UPDATE
       SET head = excluded.head, base = excluded.base, taken = excluded.taken, is_whole = excluded.is_whole`,
    )
    .run(folder, head, base, taken, isWhole ? 1 : 0)
}
