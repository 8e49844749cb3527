// Inputs of the wiki compiler besides memories: sessions in the journal, and existing articles by
// topic.
import { isoTime } from '../../core/clock.ts'
import type { Ledger } from '../ledger.ts'
import { shownTitle } from '../sessions/shown-title.ts'
import { deletedStamp } from './articles.ts'

/** A session with a journal entry. */
export interface JournaledSession {
  session: string
  /** Day of its first journal entry. */
  day: string
  title: string
  start: string | null
  cwd: string | null
  /** The first prompt. */
  goal: string
  /** Changed files, including those of subagents, most often changed first, limited in number. */
  files: { path: string; times: number }[]
}

const maxFiles = 20

/** A session stands under the day on which it began. */
const firstEntry = '(SELECT session, min(day) AS day FROM journal_entries GROUP BY session)'

/** Journaled sessions of a project, earliest first. */
export function journaledSessions(ledger: Ledger, project: string): JournaledSession[] {
  return ledger
    .sql(
      `WITH own AS MATERIALIZED (
         SELECT s.id, s.uid, s.started, s.cwd, ${shownTitle} AS title, coalesce(d.state ->> '$.goal', '') AS goal, e.day
         FROM sessions s JOIN projects p ON p.id = s.project JOIN ${firstEntry} e ON e.session = s.id
         JOIN digests d ON d.session = s.id WHERE p.key = $project AND d.kind NOT IN ('empty', 'health-check')),
       workers AS MATERIALIZED (
         SELECT id, id AS owner FROM own
         UNION ALL SELECT s.id, own.id FROM sessions s JOIN own ON own.uid = s.parent WHERE s.kind = 'subagent'),
       changed AS (
         SELECT w.owner, t.path, sum(t.times) AS times FROM workers w JOIN touched t ON t.session = w.id GROUP BY w.owner, t.path),
       ordered AS (
         SELECT *, row_number() OVER (PARTITION BY owner ORDER BY times DESC, path) AS place FROM changed),
       files AS MATERIALIZED (
         SELECT owner, json_group_array(json_object('path', path, 'times', times) ORDER BY place) AS files
         FROM ordered WHERE place <= ${maxFiles} GROUP BY owner)
       SELECT own.*, files.files FROM own LEFT JOIN files ON files.owner = own.id ORDER BY own.started, own.uid`,
    )
    .all({ project })
    .map((row) => ({
      session: String(row.uid),
      day: String(row.day),
      title: String(row.title),
      start: row.started === null ? null : isoTime(Number(row.started)),
      cwd: row.cwd as string | null,
      goal: String(row.goal),
      files: JSON.parse(String(row.files ?? '[]')) as JournaledSession['files'],
    }))
}

/** First journal day of each session. */
export function daysOfSessions(ledger: Ledger, sessions: readonly string[]): Map<string, string> {
  const rows = ledger
    .sql(
      `SELECT s.uid, e.day FROM json_each(?) wanted JOIN sessions s ON s.uid = wanted.value
       JOIN ${firstEntry} e ON e.session = s.id`,
    )
    .all(JSON.stringify(sessions))
  return new Map(rows.map((row) => [String(row.uid), String(row.day)]))
}

export interface ArticleTopic {
  path: string
  title: string
  topic: string
  project: string | null
  /** Display name of the project; '' for articles of no project. */
  projectName: string
  /** Whether a user has deleted its file. */
  isDeleted: boolean
}

/** Articles with a topic, of all projects. */
export function articleTopics(ledger: Ledger): ArticleTopic[] {
  return ledger
    .sql(
      `SELECT a.path, a.title, a.topic, a.project, coalesce(p.name, a.project, '') AS name, a.stamp = '${deletedStamp}' AS gone
       FROM articles a LEFT JOIN projects p ON p.key = a.project
       WHERE a.kind = 'concept' AND a.topic IS NOT NULL ORDER BY a.path`,
    )
    .all()
    .map((row) => ({
      path: String(row.path),
      title: String(row.title),
      topic: String(row.topic),
      project: row.project as string | null,
      projectName: String(row.name),
      isDeleted: row.gone === 1,
    }))
}

export function projectName(ledger: Ledger, project: string): string | undefined {
  const row = ledger.sql('SELECT name FROM projects WHERE key = ?').get(project)
  return row ? String(row.name) : undefined
}
