import { isoTime } from '../../core/clock.ts'
import type { Ledger } from '../ledger.ts'

export interface Overview {
  sessions: number
  subagents: number
  events: number
  prompts: number
  agents: {
    agent: string
    sessions: number
    subagents: number
    prompts: number
    first: string | null
    last: string | null
  }[]
  projects: { project: string; projectName: string; sessions: number; prompts: number; last: string | null }[]
  /** Only sessions in which work was done; talk, health checks and empty ones have no outcome. */
  outcomes: Record<string, number>
  costUsd: number
  unpriced: number
}

/** When the last session of each agent ended. */
export function lastSessionEnds(ledger: Ledger): Map<string, string> {
  const rows = ledger
    .sql(
      `SELECT agent, max(ended) AS last FROM sessions s
       WHERE ended IS NOT NULL AND (events + inherited > 0 OR EXISTS (SELECT 1 FROM usage u WHERE u.session = s.id))
       GROUP BY agent`,
    )
    .all()
  return new Map(rows.map(({ agent, last }) => [String(agent), isoTime(Number(last))]))
}

/** Totals of the ledger, shown by `recollect` without arguments. */
export function overviewOf(ledger: Ledger): Overview {
  const iso = (value: unknown) => (value === null ? null : isoTime(Number(value)))
  const agents = ledger
    .sql(
      `SELECT agent, sum(kind <> 'subagent') AS sessions, sum(kind = 'subagent') AS subagents, sum(prompts) AS prompts,
         sum(events) AS events, min(started) AS first, max(ended) AS last
       FROM sessions INDEXED BY session_totals
       WHERE events + inherited > 0 OR EXISTS (SELECT 1 FROM usage WHERE session = sessions.id)
       GROUP BY agent ORDER BY sessions DESC, agent`,
    )
    .all()
  const projects = ledger
    .sql(
      `SELECT p.key AS project, p.name, count(*) AS sessions, sum(s.prompts) AS prompts, max(s.ended) AS last
       FROM sessions s INDEXED BY session_totals JOIN projects p ON p.id = s.project WHERE s.kind <> 'subagent' AND s.events > 0
       GROUP BY p.id ORDER BY last DESC`,
    )
    .all()
  const outcomes = ledger
    .sql(
      `SELECT outcome, count(*) AS count FROM digests
       WHERE kind = 'work' AND session NOT IN (SELECT id FROM sessions WHERE kind = 'subagent') GROUP BY outcome`,
    )
    .all()
  const money = ledger
    .sql('SELECT coalesce(sum(cost_usd), 0) AS cost, count(*) - count(cost_usd) AS unpriced FROM usage')
    .get()!
  const total = (name: string) => agents.reduce((sum, row) => sum + Number(row[name]), 0)
  return {
    sessions: total('sessions'),
    subagents: total('subagents'),
    events: total('events'),
    prompts: total('prompts'),
    agents: agents.map((row) => ({
      agent: String(row.agent),
      sessions: Number(row.sessions),
      subagents: Number(row.subagents),
      prompts: Number(row.prompts),
      first: iso(row.first),
      last: iso(row.last),
    })),
    projects: projects.map((row) => ({
      project: String(row.project),
      projectName: String(row.name),
      sessions: Number(row.sessions),
      prompts: Number(row.prompts),
      last: iso(row.last),
    })),
    outcomes: Object.fromEntries(outcomes.map((row) => [String(row.outcome), Number(row.count)])),
    costUsd: Number(money.cost),
    unpriced: Number(money.unpriced),
  }
}
