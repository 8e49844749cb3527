// Stores the patterns of the last detection and reads the sessions they are detected from. The
// content of a pattern is defined by the patterns stage; here it is a row with a rank.
import type { Ledger } from '../ledger.ts'

export interface PatternRow {
  id: string
  polarity: string
  type: string
}

/** Replaces all patterns found before. */
export function savePatterns(ledger: Ledger, patterns: readonly PatternRow[]): void {
  ledger.transaction(() => {
    ledger.sql('DELETE FROM patterns').run()
    for (const [rank, pattern] of patterns.entries()) {
      ledger
        .sql('INSERT INTO patterns (id, rank, polarity, type, pattern) VALUES (?, ?, ?, ?, ?)')
        .run(pattern.id, rank, pattern.polarity, pattern.type, JSON.stringify(pattern))
    }
  })
}

/** Best first, in the order in which they were saved. */
export function detectedPatterns<T extends PatternRow>(ledger: Ledger): T[] {
  return ledger
    .sql('SELECT pattern FROM patterns ORDER BY rank')
    .all()
    .map((row) => JSON.parse(String(row.pattern)) as T)
}

export interface DigestedSession {
  id: number
  uid: string
  agent: string
  project: string | null
  endedMs: number
  toolCalls: number
  /** State of its digest, as JSON. */
  state: string
}

export interface DigestFilter {
  project?: string
  agent?: string
  /** Sessions with fewer tool calls are not evidence of how work goes. */
  minCalls: number
}

/**
 * Sessions that are evidence of how work goes, in order of their end. Subagents are excluded: no
 * user talks to them, and their parent would count twice. Follows the index, because sorting would
 * hold all rows in memory.
 */
export function* workSessions(
  ledger: Ledger,
  { project, agent, minCalls: fewestCalls }: DigestFilter,
): Generator<DigestedSession> {
  const rows = ledger
    .sql(
      `SELECT s.id, s.uid, s.agent, p.key AS project, coalesce(s.ended, 0) AS endedMs, s.tool_calls AS toolCalls,
         unpack_json(d.state) AS state
       FROM sessions s INDEXED BY sessions_by_end CROSS JOIN digests d ON d.session = s.id
       LEFT JOIN projects p ON p.id = s.project
       WHERE d.kind = 'work' AND s.kind <> 'subagent' AND s.tool_calls >= $fewest
         AND ($agent IS NULL OR s.agent = $agent) AND ($project IS NULL OR p.key = $project)
       ORDER BY s.ended, s.uid`,
    )
    .iterate({ fewest: fewestCalls, agent: agent ?? null, project: project ?? null })
  // Copied field by field, because row objects of the driver are slow to read again.
  for (const row of rows) {
    const { id, uid, agent, project: key, endedMs, toolCalls, state } = row as unknown as DigestedSession
    yield { id, uid, agent, project: key, endedMs, toolCalls, state }
  }
}

/**
 * Runs `read` without memory mapping. A full scan would keep every page resident, and is as fast
 * without mapping.
 */
export function withoutMemoryMap<T>(ledger: Ledger, read: () => T): T {
  const mappedBytes = Number(ledger.sql('PRAGMA mmap_size').get()?.mmap_size ?? 0)
  ledger.raw.exec('PRAGMA mmap_size = 0')
  try {
    return read()
  } finally {
    ledger.raw.exec(`PRAGMA mmap_size = ${mappedBytes}`)
  }
}

export interface SessionCost {
  id: number
  agent: string
  project: number | null
  costUsd: number
}

/** Cost of sessions including their subagents, as far as prices are known. */
export function sessionCosts(ledger: Ledger, minCalls: number): SessionCost[] {
  return ledger
    .sql(
      `WITH spent AS MATERIALIZED (SELECT session, sum(cost_usd) AS usd FROM usage NOT INDEXED WHERE cost_usd > 0 GROUP BY session),
         owned AS (
           SELECT coalesce(parent.id, s.id) AS id, spent.usd FROM spent JOIN sessions s ON s.id = spent.session
           LEFT JOIN sessions parent ON s.kind = 'subagent' AND parent.uid = s.parent
         )
       SELECT s.id, s.agent, s.project, sum(owned.usd) AS costUsd
       FROM owned JOIN sessions s ON s.id = owned.id JOIN digests d ON d.session = s.id
       WHERE d.kind = 'work' AND s.kind <> 'subagent' AND s.tool_calls >= ? GROUP BY s.id`,
    )
    .all(minCalls)
    .map((row) => row as unknown as SessionCost)
}
