// Selects memories for briefs and records which memories sessions were shown and used.
// Brief contents are stored with their time, so that a session start that is recorded late is
// counted against the brief that was given then.
import { type FlatMemory, memoryFields } from '../../memory/fields.ts'
import type { Memory, MemoryKind, MemoryStatus, MemoryTrust } from '../../memory/memory.ts'
import type { Ledger } from '../ledger.ts'
import type { SessionBody } from '../sessions/bodies.ts'
import { memoryById } from './memories.ts'

export interface BriefSelection {
  trusts: readonly MemoryTrust[]
  /** Kinds to include of settled memories, and of those that were tried and failed. */
  settled: readonly MemoryKind[]
  failed: readonly MemoryKind[]
  /** Only the user's own or only those of teams; both when undefined. */
  whose?: 'own' | 'teams'
  /** Whether causes that a passing run confirmed are included, whoever said them. */
  runs?: 'with' | 'without'
}

const briefFields = [
  'id',
  'text',
  'why',
  'apply',
  'kind',
  'status',
  'trust',
  'because',
  'project',
  'space',
  'author',
  'validFrom',
  'confirmedAt',
  'said',
  'doubt',
  'contradicts',
] as const satisfies (keyof FlatMemory)[]

/** What a brief needs of a memory. */
export type BriefMemory = Pick<FlatMemory, (typeof briefFields)[number]>

/** More than a brief shows, because some are excluded by their words later. */
export const maxForBrief = 100

/**
 * Current memories of a project and of no project, highest weight first: importance, how often and
 * how recently confirmed, and a bonus for the project's own.
 */
export function* memoriesForBrief(
  ledger: Ledger,
  project: string,
  wanted: BriefSelection,
  now: string,
): Generator<BriefMemory> {
  let left = maxForBrief
  // What a run confirmed is left out behind the limit of the query, so a query may give too few.
  for (let [from, count] = [0, maxForBrief]; left > 0; [from, count] = [from + count, count * 2]) {
    const memories = memoriesByWeight(ledger, project, wanted, now, from, count)
    const found = memories.filter(({ because }) => wanted.runs !== 'without' || because !== 'run').slice(0, left)
    yield* found
    left -= found.length
    if (memories.length < count) return
  }
}

const briefColumns = briefFields.map((name) => `m.${memoryFields[name].column} AS "${name}"`).join(', ')

/**
 * Selects by the columns of one index where it can, also where `runs` is `without`: in a large
 * ledger every row that is read is on a page of its own.
 */
function memoriesByWeight(
  ledger: Ledger,
  project: string,
  { trusts, settled, failed, whose, runs }: BriefSelection,
  now: string,
  from: number,
  count: number,
): BriefMemory[] {
  const isTrusted = 'trust IN (SELECT value FROM json_each($trusts))'
  const byTrust = runs === 'with' ? `(${isTrusted} OR because = 'run')` : isTrusted
  // Own and team memories are queried separately, so that many team memories do not push the user's
  // own out of the limit.
  const teams = '(SELECT number FROM memories WHERE space IS NOT NULL)'
  const ofWhom = whose === undefined ? '' : `AND number ${whose === 'own' ? 'NOT IN' : 'IN'} ${teams}`
  const one = (place: string, status: MemoryStatus, kinds: string, own: number) =>
    `SELECT number, importance + 0.1 * min(said - 1, 3) + ${own}
       + 0.3 / (1 + max(0, julianday($now) - julianday(confirmed_at)) / 30) AS weight, confirmed_at
     FROM memories INDEXED BY memories_to_show
     WHERE ${place} AND status = '${status}' AND kind IN (SELECT value FROM json_each(${kinds}))
       AND ${byTrust} AND state = 'kept' AND superseded_by IS NULL ${ofWhom}`
  const order = 'weight DESC, best.confirmed_at DESC, best.number'
  return ledger
    .sql(
      `SELECT ${briefColumns} FROM (
         ${one('project = $project', 'settled', '$settled', 0.15)}
         UNION ALL ${one('project = $project', 'tried-and-failed', '$failed', 0.15)}
         UNION ALL ${one('project IS NULL', 'settled', '$settled', 0)}
         UNION ALL ${one('project IS NULL', 'tried-and-failed', '$failed', 0)}
         ORDER BY ${order.replaceAll('best.', '')} LIMIT $count OFFSET $from) best
       CROSS JOIN memories m ON m.number = best.number ORDER BY ${order}`,
    )
    .all({
      project,
      now,
      from,
      count,
      trusts: JSON.stringify(trusts),
      settled: JSON.stringify(settled),
      failed: JSON.stringify(failed),
    }) as unknown as BriefMemory[]
}

export interface ProjectHeartbeat {
  /** When a session of the project was last captured. */
  capturedAt: string | null
  /** Memories of the project or of no project that wait for a person's decision. */
  inbox: number
}

export function heartbeatOf(ledger: Ledger, project: string): ProjectHeartbeat {
  const count = (place: string) => `(SELECT count(*) FROM memories WHERE ${place} AND state = 'inbox')`
  const row = ledger
    .sql(
      `SELECT
         (SELECT max(s.captured_at) FROM sessions s JOIN projects p ON p.id = s.project WHERE p.key = $project) AS captured,
         ${count('project = $project')} + ${count('project IS NULL')} AS inbox`,
    )
    .get({ project })!
  return { capturedAt: row.captured as string | null, inbox: Number(row.inbox) }
}

const briefHistoryMs = 86_400_000

/** Records the contents of a project's brief; earlier contents are kept for a day. */
export function saveBriefContents(ledger: Ledger, project: number, atMs: number, memories: readonly string[]): void {
  const held = JSON.stringify(memories)
  const last = ledger.sql('SELECT memories FROM briefs WHERE project = ? ORDER BY at DESC LIMIT 1').get(project)
  if (last?.memories === held) return
  ledger.sql('INSERT OR REPLACE INTO briefs (project, at, memories) VALUES (?, ?, ?)').run(project, atMs, held)
  ledger
    .sql(
      `DELETE FROM briefs WHERE project = $project
         AND at < (SELECT max(at) FROM briefs WHERE project = $project AND at <= $before)`,
    )
    .run({ project, before: atMs - briefHistoryMs })
}

/** Ids of the memories in the brief of a project at a time. */
export function briefContentsAt(ledger: Ledger, project: number, atMs: number): string[] {
  const row = ledger
    .sql('SELECT memories FROM briefs WHERE project = ? AND at <= ? ORDER BY at DESC LIMIT 1')
    .get(project, atMs)
  return row ? (JSON.parse(String(row.memories)) as string[]) : []
}

/** The same for a project by its key. */
export function briefContentsOf(ledger: Ledger, project: string, atMs: number): string[] {
  const row = ledger.sql('SELECT id FROM projects WHERE key = ?').get(project)
  return row ? briefContentsAt(ledger, Number(row.id), atMs) : []
}

export interface SessionToCount {
  id: number
  uid: string
  agent: string
  project: number | null
  events: number
  /** Number of events that were examined; -1 when its start became known later. */
  through: number
  /** Start time by its hook; null for a resumed session, which was given no brief. */
  startedMs: number | null
  body: Pick<SessionBody, 'file' | 'bytes'> | null
}

/** Sessions that have grown since their use of memories was counted and that are fully digested. */
export function sessionsToCount(ledger: Ledger): SessionToCount[] {
  return ledger
    .sql(
      `SELECT id, uid, agent, project, events, counted_through, body, body_bytes,
         (SELECT min(at) FROM hook_events
          WHERE session = uid AND moment = 'start' AND detail NOT IN ('resume', 'fork')) AS started_by_hook
       FROM sessions WHERE counted_through <> events AND digested_through = events ORDER BY id`,
    )
    .all()
    .map((row) => ({
      id: Number(row.id),
      uid: String(row.uid),
      agent: String(row.agent),
      project: row.project as number | null,
      events: Number(row.events),
      through: Number(row.counted_through),
      startedMs: row.started_by_hook as number | null,
      body: row.body === null ? null : { file: String(row.body), bytes: Number(row.body_bytes) },
    }))
}

export function markCounted(ledger: Ledger, { id, events }: SessionToCount): void {
  ledger.sql('UPDATE sessions SET counted_through = ? WHERE id = ?').run(events, id)
}

/** Queues a session for counting when its start becomes known after it was captured. */
export function requeueUseCount(ledger: Ledger, uid: string): void {
  ledger
    .sql(
      `UPDATE sessions SET counted_through = -1
       WHERE uid = ? AND NOT EXISTS (SELECT 1 FROM shown WHERE session = sessions.id)`,
    )
    .run(uid)
}

/** Row id of a captured session. */
export function sessionRowId(ledger: Ledger, uid: string): number | undefined {
  return ledger.sql('SELECT id FROM sessions WHERE uid = ?').get(uid)?.id as number | undefined
}

/** Ids of memories that a session was shown, whether used or not. */
export function memoriesShownIn(ledger: Ledger, session: number): string[] {
  return ledger
    .sql('SELECT memory FROM shown WHERE session = ?')
    .all(session)
    .map(({ memory }) => String(memory))
}

/**
 * Counts each memory once per session, without a new version, because the memory itself is
 * unchanged. Returns how many were counted.
 */
export function markShown(ledger: Ledger, session: number, memories: readonly string[], atMs: number): number {
  let fresh = 0
  for (const memory of memories) {
    const { changes } = ledger
      .sql(
        `INSERT INTO shown (session, memory, at) SELECT $session, $memory, $at
         WHERE EXISTS (SELECT 1 FROM memories WHERE id = $memory) ON CONFLICT DO NOTHING`,
      )
      .run({ session, memory, at: atMs })
    if (changes === 0) continue
    ledger.sql('UPDATE memories SET shown = shown + 1 WHERE id = ?').run(memory)
    fresh++
  }
  return fresh
}

/** Returns whether this use was not recorded before. */
export function markUsed(ledger: Ledger, session: number, memory: string): boolean {
  const { changes } = ledger
    .sql('UPDATE shown SET is_used = 1 WHERE session = ? AND memory = ? AND is_used = 0')
    .run(session, memory)
  if (changes > 0) ledger.sql('UPDATE memories SET used = used + 1 WHERE id = ?').run(memory)
  return changes > 0
}

export function hasShownMemories(ledger: Ledger, session: number): boolean {
  return ledger.sql('SELECT 1 FROM shown WHERE session = ? LIMIT 1').get(session) !== undefined
}

/** Memories that a session was shown and has not used yet. */
export function unusedMemoriesIn(ledger: Ledger, session: number): Memory[] {
  return ledger
    .sql('SELECT memory FROM shown WHERE session = ? AND is_used = 0 ORDER BY memory')
    .all(session)
    .flatMap(({ memory }) => memoryById(ledger, String(memory)) ?? [])
}

export interface MemoryShowing {
  session: string
  at: string
  isUsed: boolean
}

/** Sessions that a memory was shown to, latest first. */
export function memoryShowings(ledger: Ledger, memory: string): MemoryShowing[] {
  return ledger
    .sql(
      `SELECT s.uid, strftime('%Y-%m-%dT%H:%M:%fZ', shown.at / 1000.0, 'unixepoch') AS at, shown.is_used
       FROM shown JOIN sessions s ON s.id = shown.session WHERE shown.memory = ? ORDER BY shown.at DESC, s.uid`,
    )
    .all(memory)
    .map((row) => ({ session: String(row.uid), at: String(row.at), isUsed: row.is_used === 1 }))
}

/** What agents saved on their own and a session other than theirs was told, with the time of the last telling. */
export function savedAndTold(ledger: Ledger): { memory: Memory; at: string }[] {
  return ledger
    .sql(
      `SELECT m.id, strftime('%Y-%m-%dT%H:%M:%fZ', max(shown.at) / 1000.0, 'unixepoch') AS at
       FROM memories m JOIN shown ON shown.memory = m.id JOIN sessions s ON s.id = shown.session
       WHERE m.because = 'agent' AND m.trust = 'agent said' AND m.state = 'kept' AND m.space IS NULL
         AND m.superseded_by IS NULL AND instr(m.evidence, s.uid) = 0
       GROUP BY m.id`,
    )
    .all()
    .flatMap((row) => {
      const memory = memoryById(ledger, String(row.id))
      return memory ? [{ memory, at: String(row.at) }] : []
    })
}
