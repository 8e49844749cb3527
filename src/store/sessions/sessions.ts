import { isoTime } from '../../core/clock.ts'
import { idGap, type Lineage, type SessionDetails } from '../../core/session.ts'
import { ellipsizeSentence } from '../../text/truncate.ts'
import type { Ledger } from '../ledger.ts'
import { unindexDigest, unindexEvents } from '../search/index-session.ts'
import { bodyFromRow, type SessionBody } from './bodies.ts'
import { deleteEvents, maxEventSeq } from './events.ts'
import { shownTitle } from './shown-title.ts'
import { sizeInStamp } from './transcripts.ts'

/** State of a session that capture needs before it appends events. */
export interface OpenSession {
  id: number
  uid: string
  isNew: boolean
  cwd: string | null
  remote: string | null
  project: number | null
  nextSeq: number
  evictedThrough: number
  /** Path of the transcript that it was last read from. */
  source: string | null
  body: SessionBody | null
}

/** The row id of a deleted session is not used again, because undo needs it. */
const nextId = `1 + max((SELECT coalesce(max(id), 0) FROM sessions), (SELECT coalesce(max(id), 0) FROM deleted_sessions))`

export function openSession(ledger: Ledger, uid: string, agent: string, capturedAt: string): OpenSession {
  const { changes } = ledger
    .sql(`INSERT INTO sessions (id, uid, agent, captured_at) VALUES (${nextId}, ?, ?, ?) ON CONFLICT (uid) DO NOTHING`)
    .run(uid, agent, capturedAt)
  const row = ledger
    .sql(
      `SELECT id, cwd, remote, project, events, evicted_through, source, body, body_bytes, body_raw, body_frames,
         copy_bytes FROM sessions WHERE uid = ?`,
    )
    .get(uid)!
  return {
    id: Number(row.id),
    uid,
    isNew: changes === 1,
    cwd: row.cwd as string | null,
    remote: row.remote as string | null,
    project: row.project as number | null,
    nextSeq: Number(row.events),
    evictedThrough: Number(row.evicted_through),
    source: row.source as string | null,
    body: bodyFromRow(row),
  }
}

export function contentHashOf(ledger: Ledger, uid: string): string | undefined {
  const row = ledger.sql('SELECT content_hash FROM sessions WHERE uid = ?').get(uid)
  return (row?.content_hash as string | null) ?? undefined
}

export function sessionUid(ledger: Ledger, id: number): string {
  return String(ledger.sql('SELECT uid FROM sessions WHERE id = ?').get(id)!.uid)
}

/** Name of the body file of a session. */
export function bodyFileOf(ledger: Ledger, id: number): string | null {
  return (ledger.sql('SELECT body FROM sessions WHERE id = ?').get(id)?.body as string | null | undefined) ?? null
}

/** Sessions that begin with events of this one. */
export function forksOf(ledger: Ledger, id: number): number[] {
  return ledger
    .sql('SELECT id FROM sessions WHERE forked_from = (SELECT uid FROM sessions WHERE id = ?)')
    .all(id)
    .map((row) => Number(row.id))
}

/** Increments that one flush adds to a session. */
export interface SessionGrowth {
  events: number
  inherited: number
  prompts: number
  toolCalls: number
  toolErrors: number
  started: number | null
  ended: number | null
  forkedFrom: string | null
}

export function growSession(ledger: Ledger, id: number, growth: SessionGrowth): void {
  ledger
    .sql(
      `UPDATE sessions SET
         events = events + $events, inherited = inherited + $inherited, prompts = prompts + $prompts,
         tool_calls = tool_calls + $toolCalls, tool_errors = tool_errors + $toolErrors,
         started = CASE WHEN started IS NULL OR $started < started THEN $started ELSE started END,
         ended = CASE WHEN ended IS NULL OR $ended > ended THEN $ended ELSE ended END,
         forked_from = coalesce(forked_from, $forkedFrom)
       WHERE id = $id`,
    )
    .run({ id, ...growth })
}

/** Later values win; a title only replaces one of the same or a lower rank. */
export function updateSessionDetails(ledger: Ledger, id: number, agent: string, about: SessionDetails): void {
  ledger
    .sql(
      `UPDATE sessions SET
         kind = coalesce($kind, kind), parent = coalesce($parent, parent), cwd = coalesce($cwd, cwd),
         branch = coalesce($branch, branch), remote = coalesce($remote, remote), root = coalesce($root, root),
         model = coalesce($model, model),
         version = coalesce($version, version), is_program = max(is_program, $isProgram),
         started = CASE WHEN $started < coalesce(started, $started + 1) THEN $started ELSE started END,
         ended = CASE WHEN $ended > coalesce(ended, $ended - 1) THEN $ended ELSE ended END,
         title = CASE WHEN $title IS NOT NULL AND $rank >= title_rank THEN $title ELSE title END,
         title_rank = CASE WHEN $title IS NOT NULL AND $rank >= title_rank THEN $rank ELSE title_rank END
       WHERE id = $id`,
    )
    .run({
      id,
      kind: about.kind ?? null,
      parent: about.parent ? `${agent}:${about.parent}` : null,
      cwd: about.cwd ?? null,
      branch: about.branch ?? null,
      remote: about.remote ?? null,
      root: about.root ?? null,
      model: about.model ?? null,
      version: about.version ?? null,
      isProgram: about.isProgram ? 1 : 0,
      started: about.started ? Date.parse(about.started) : null,
      ended: about.ended ? Date.parse(about.ended) : null,
      title: about.title ?? null,
      rank: about.titleRank ?? 0,
    })
}

/** Saves the transcript path, and for a document transcript the hash of its content. */
export function saveSource(ledger: Ledger, id: number, path: string, hash: string | null): void {
  ledger.sql('UPDATE sessions SET source = ?, content_hash = ? WHERE id = ?').run(path, hash, id)
}

export function assignProject(ledger: Ledger, id: number, project: number): void {
  // What other sessions say about the folder is considered again.
  ledger.sql('UPDATE sessions SET project = ?, located_through = 0 WHERE id = ?').run(project, id)
}

/** Marks the text before this place as deleted. */
export function markEvicted(ledger: Ledger, id: number, throughSeq: number): void {
  ledger.sql('UPDATE sessions SET evicted_through = ? WHERE id = ?').run(throughSeq, id)
}

/**
 * Clears a session before it is written again: its rows go, its identity and project stay.
 */
export function resetSession(ledger: Ledger, id: number): void {
  unindexDigest(ledger, id)
  ledger
    .sql(
      `UPDATE sessions SET events = 0, inherited = 0, prompts = 0, tool_calls = 0, tool_errors = 0, started = NULL,
         ended = NULL, forked_from = NULL, title = NULL, title_rank = -1, digested_through = -1, learned_through = 0,
         judged_through = 0, journaled_through = 0, counted_through = 0, located_through = 0,
         fixes_through = 0 WHERE id = ?`,
    )
    .run(id)
  for (const table of ['digests', 'usage', 'inherited', 'touched', ...foundRows])
    ledger.sql(`DELETE FROM ${table} WHERE session = ?`).run(id)
}

/**
 * Separates a session from its body and events, so that capture writes them again. Usage, digest and
 * everything learned stay.
 */
export function detachBody(ledger: Ledger, id: number): void {
  unindexEvents(ledger, id, maxEventSeq)
  deleteEvents(ledger, id)
  ledger
    .sql(
      `UPDATE sessions SET body = NULL, body_bytes = 0, body_raw = 0, body_frames = 0, copy_bytes = 0, evicted_through = 0, events = 0,
         inherited = 0, prompts = 0, tool_calls = 0, tool_errors = 0, content_hash = NULL, digested_through = -1,
         learned_through = 0, judged_through = 0, journaled_through = 0, counted_through = 0, located_through = 0,
         fixes_through = 0 WHERE id = ?`,
    )
    .run(id)
  ledger.sql('DELETE FROM inherited WHERE session = ?').run(id)
}

/** Deletes every row of a session, as if it had never been captured. */
export function deleteSession(ledger: Ledger, id: number): void {
  unindexDigest(ledger, id)
  unindexEvents(ledger, id, maxEventSeq)
  deleteEvents(ledger, id)
  for (const table of sessionRows) ledger.sql(`DELETE FROM ${table} WHERE session = ?`).run(id)
  ledger.sql('DELETE FROM hook_events WHERE session = (SELECT uid FROM sessions WHERE id = ?)').run(id)
  ledger.sql('DELETE FROM sessions WHERE id = ?').run(id)
}

/** What was found in its events. */
const foundRows = ['fixes', 'program_runs', 'session_notes', 'session_folds']

const sessionRows = [
  ...['digests', 'usage', 'inherited', 'journal_entries', 'shown', 'touched', 'summaries'],
  ...foundRows,
]

/** A session as commands and tools show it. */
export interface SessionView {
  id: string
  agent: string
  lineage: Lineage
  parent: string | null
  forkedFrom: string | null
  inherited: number
  project: string | null
  projectName: string | null
  domain: string | null
  cwd: string | null
  branch: string | null
  model: string | null
  version: string | null
  title: string | null
  started: string | null
  ended: string | null
  /** Reason in the agent's own words, from its hook. */
  endReason: string | null
  outcome: string | null
  /** What happened in it: work, talk, health-check or empty. */
  kind: string | null
  counts: { events: number; prompts: number; toolCalls: number; toolErrors: number }
  tokens: {
    input: number
    cacheRead: number
    cacheWrite: number
    output: number
    reasoning: number
    isLowerBound: boolean
  }
  /** null when nothing was recorded, or no model of the session has a known price. */
  costUsd: number | null
  /** Some responses have no known price, or only a part of their tokens is known. */
  isCostLowerBound: boolean
  /** With subagents. */
  totalCostUsd: number | null
  isTotalCostLowerBound: boolean
  evictedAt: string | null
  /** The file that it was last read from, with its size then; null if it was received. */
  transcript: { path: string; bytes: number | null } | null
  /** When it last grew here. */
  capturedAt: string
  digestedAt: string | null
  /** Machine that it was received from; null when it was captured here. */
  origin: string | null
}

export interface SessionFilter {
  agent?: string
  project?: string
  /** A group of projects that the user named. */
  domain?: string
  sinceMs?: number
  outcome?: string
  kind?: string
  /** Leaves out sessions in which nothing happened. */
  isNonEmpty?: boolean
  /** Only sessions with real prompts: no subagents, no health checks. */
  isConversation?: boolean
  limit?: number
}

export function listSessions(ledger: Ledger, filter: SessionFilter = {}): SessionView[] {
  const ids = ledger
    .sql(
      `SELECT s.id FROM sessions s LEFT JOIN projects p ON p.id = s.project LEFT JOIN digests d ON d.session = s.id
       WHERE ${conditionsOf(filter)} ORDER BY s.ended DESC NULLS LAST, s.uid LIMIT $limit`,
    )
    .all({ ...filterValues(filter), limit: filter.limit ?? -1 })
  return viewsOf(ledger, ids)
}

/** The number of sessions in which nothing happened. */
export function countEmptySessions(ledger: Ledger, filter: SessionFilter = {}): number {
  const row = ledger
    .sql(
      `SELECT count(*) AS count FROM digests d JOIN sessions s ON s.id = d.session LEFT JOIN projects p ON p.id = s.project
       WHERE d.kind = 'empty' AND ${conditionsOf(filter)}`,
    )
    .get(filterValues(filter))
  return Number(row!.count)
}

/** A project is compared without an alternative, so that SQLite reads only its sessions. */
function conditionsOf({ project }: SessionFilter): string {
  return `(NOT $nonEmpty OR d.kind <> 'empty' OR EXISTS (SELECT 1 FROM usage WHERE session = s.id))
    AND ($outcome IS NULL OR d.outcome = $outcome) AND ($kind IS NULL OR d.kind = $kind)
    AND (NOT $telling OR (s.kind <> 'subagent' AND d.kind IN ('work', 'talk')))
    AND ($agent IS NULL OR s.agent = $agent)
    AND ${project === undefined ? '$project IS NULL' : 's.project = (SELECT id FROM projects WHERE key = $project)'}
    AND ($domain IS NULL OR p.domain = $domain)
    AND ($since IS NULL OR s.ended >= $since)`
}

function filterValues(filter: SessionFilter) {
  return {
    agent: filter.agent ?? null,
    project: filter.project ?? null,
    domain: filter.domain ?? null,
    since: filter.sinceMs ?? null,
    outcome: filter.outcome ?? null,
    kind: filter.kind ?? null,
    nonEmpty: filter.isNonEmpty ? 1 : 0,
    telling: filter.isConversation ? 1 : 0,
  }
}

/** Finds by id, by the agent's own id, by a part of it, or by both ends of it as `shortId` writes them. */
export function findSessions(ledger: Ledger, id: string): SessionView[] {
  const exact = ledger.sql('SELECT id FROM sessions WHERE uid = ?').all(id)
  if (exact.length > 0) return viewsOf(ledger, exact)
  const own = ledger
    .sql(`SELECT id FROM sessions WHERE instr(uid, $id) > 0 AND substr(uid, instr(uid, ':') + 1) = $id LIMIT 10`)
    .all({ id })
  if (own.length > 0) return viewsOf(ledger, own)
  const fitting = ledger
    .sql(`SELECT id FROM sessions WHERE instr(uid, ?) > 0 ORDER BY kind = 'subagent', id LIMIT 10`)
    .all(id)
  const views = viewsOf(ledger, fitting.length > 0 ? fitting : sessionsByEnds(ledger, id))
  const main = views.filter((session) => session.lineage !== 'subagent')
  return main.length > 0 ? main : views
}

function sessionsByEnds(ledger: Ledger, id: string): { id?: unknown }[] {
  const gap = id.indexOf(idGap)
  const [start, end] = [id.slice(0, gap), id.slice(gap + idGap.length)]
  if (gap < 1 || end === '') return []
  return ledger
    .sql(
      `SELECT id FROM sessions WHERE instr(uid, $start) IN (1, instr(uid, ':') + 1)
         AND length(uid) > length($start) + length($end) AND substr(uid, -length($end)) = $end ORDER BY id LIMIT 10`,
    )
    .all({ start, end })
}

/** In the given order; row ids without a session are left out. */
export function sessionsByNumber(ledger: Ledger, numbers: readonly number[]): SessionView[] {
  return viewsOf(
    ledger,
    numbers.map((id) => ({ id })),
  )
}

export function childrenOf(ledger: Ledger, uid: string): SessionView[] {
  return viewsOf(ledger, ledger.sql('SELECT id FROM sessions WHERE parent = ? ORDER BY started').all(uid))
}

/**
 * Selects sessions first, because summing the usage of all of them is slower than showing a few.
 */
function viewsOf(ledger: Ledger, ids: { id?: unknown }[]): SessionView[] {
  return ledger
    .sql(
      `WITH RECURSIVE chosen AS MATERIALIZED (SELECT value AS id, key AS place FROM json_each(?)),
        tree (root, id, uid) AS (
          SELECT s.id, s.id, s.uid FROM chosen JOIN sessions s ON s.id = chosen.id
          UNION
          SELECT tree.root, s.id, s.uid FROM tree JOIN sessions s ON s.parent = tree.uid AND s.kind = 'subagent'
        ),
        spent AS MATERIALIZED (
          SELECT session, sum(input) AS input, sum(cache_read) AS cache_read,
            sum(cache_write + cache_write_1h) AS cache_write, sum(output) AS output, sum(reasoning) AS reasoning,
            sum(cost_usd) AS cost_usd, sum(is_lower_bound) AS lower_bounds,
            sum(cost_usd IS NULL OR (is_lower_bound AND NOT is_agent_cost)) AS uncertain
          FROM usage WHERE session IN (SELECT id FROM tree) GROUP BY session
        ),
        total AS (
          SELECT tree.root, sum(spent.cost_usd) AS cost_usd, sum(spent.uncertain) AS uncertain
          FROM tree JOIN spent ON spent.session = tree.id GROUP BY tree.root
        )
      SELECT s.uid, s.agent, s.kind AS lineage, s.parent, s.forked_from, s.inherited, p.key AS project, p.name AS project_name,
        p.domain, s.cwd, s.branch, s.model, s.version, ${shownTitle} AS title, s.started, s.ended, s.events, s.prompts, s.tool_calls,
        s.tool_errors, s.evicted_at, s.source, s.captured_at, d.digested_at,
        (SELECT stamp FROM cursors WHERE path = s.source) AS stamp,
        CASE WHEN s.source IS NULL THEN (SELECT origin FROM received_sessions WHERE uid = s.uid) END AS origin,
        (SELECT detail FROM hook_events WHERE session = s.uid AND moment = 'end' ORDER BY at DESC LIMIT 1) AS end_reason,
        d.outcome, d.kind, u.input, u.cache_read, u.cache_write,
        u.output, u.reasoning, u.cost_usd, u.uncertain, u.lower_bounds, t.cost_usd AS total_cost_usd,
        t.uncertain AS total_uncertain
      FROM chosen
      JOIN sessions s ON s.id = chosen.id
      LEFT JOIN projects p ON p.id = s.project
      LEFT JOIN digests d ON d.session = s.id
      LEFT JOIN spent u ON u.session = s.id
      LEFT JOIN total t ON t.root = s.id
      ORDER BY chosen.place`,
    )
    .all(JSON.stringify(ids.map(({ id }) => id)))
    .map(viewOf)
}

/** Titles that agents write may be whole summaries. */
function shortTitle(title: string | null): string | null {
  return title ? ellipsizeSentence(title.trim(), 120) : null
}

function viewOf(row: Record<string, unknown>): SessionView {
  const number = (name: string) => Number(row[name] ?? 0)
  const string = (name: string) => (row[name] as string | null) ?? null
  const iso = (name: string) => (row[name] === null ? null : isoTime(number(name)))
  return {
    id: String(row.uid),
    agent: String(row.agent),
    lineage: row.lineage as Lineage,
    parent: string('parent'),
    forkedFrom: string('forked_from'),
    inherited: number('inherited'),
    project: string('project'),
    projectName: string('project_name'),
    domain: string('domain'),
    cwd: string('cwd'),
    branch: string('branch'),
    model: string('model'),
    version: string('version'),
    title: shortTitle(string('title')),
    started: iso('started'),
    ended: iso('ended'),
    endReason: string('end_reason') || null,
    outcome: string('outcome'),
    kind: string('kind'),
    counts: {
      events: number('events'),
      prompts: number('prompts'),
      toolCalls: number('tool_calls'),
      toolErrors: number('tool_errors'),
    },
    tokens: {
      input: number('input'),
      cacheRead: number('cache_read'),
      cacheWrite: number('cache_write'),
      output: number('output'),
      reasoning: number('reasoning'),
      isLowerBound: number('lower_bounds') > 0,
    },
    costUsd: row.cost_usd as number | null,
    isCostLowerBound: number('uncertain') > 0,
    totalCostUsd: row.total_cost_usd as number | null,
    isTotalCostLowerBound: number('total_uncertain') > 0,
    evictedAt: string('evicted_at'),
    transcript: row.source === null ? null : { path: String(row.source), bytes: sizeInStamp(string('stamp')) },
    capturedAt: String(row.captured_at),
    digestedAt: string('digested_at'),
    origin: string('origin'),
  }
}
