// How much people and agents have said in sessions, from the search index: reading the bodies of two
// weeks would take seconds.
import type { Ledger } from '../ledger.ts'
import { passageRoles, passageSource, sessionPassageIds } from '../search/passages.ts'

export interface SpokenSize {
  /** Characters of each prompt with the reply after it, and when the prompt was written. */
  turns: { prompt: number; reply: number; ts: number | null }[]
}

/**
 * Characters per term of the index, which has no stop words and no punctuation: measured in prompts
 * and replies of 57 sessions of Claude Code and Codex.
 */
const charsPerTerm = { human: 8.4, agent: 6.6 }

/** Several replies between two prompts count as one. */
export function spokenSizes(ledger: Ledger, sessions: readonly number[]): SpokenSize[] {
  return sessions.map((session) => {
    const turns: SpokenSize['turns'] = []
    let lastPrompt = -1
    for (const { role, seq, terms, ts } of saidIn(ledger, session)) {
      const chars = terms * charsPerTerm[role]
      if (role === 'human' && seq !== lastPrompt) turns.push({ prompt: chars, reply: 0, ts })
      else if (role === 'human') turns.at(-1)!.prompt += chars
      else if (turns.length > 0) turns.at(-1)!.reply += chars
      if (role === 'human') lastPrompt = seq
    }
    return { turns }
  })
}

interface SaidPassage {
  role: 'human' | 'agent'
  seq: number
  terms: number
  ts: number | null
}

function saidIn(ledger: Ledger, session: number): SaidPassage[] {
  const [human, agent] = [passageRoles.indexOf('human'), passageRoles.indexOf('agent')]
  return ledger
    .sql(
      `SELECT id, role, said, ts FROM passages
       WHERE id BETWEEN $from AND $to AND role IN ($human, $agent) ORDER BY id`,
    )
    .all({ ...sessionPassageIds(session), human, agent })
    .map((row) => {
      const source = passageSource(Number(row.id))
      return {
        role: Number(row.role) === human ? 'human' : 'agent',
        seq: source.kind === 'event' ? source.seq : -1,
        terms: Number(row.said),
        ts: row.ts as number | null,
      }
    })
}

/**
 * The last sessions that a model would judge, newest first: not those of subagents and programs, nor
 * those without work.
 */
export function lastWorkSessions(ledger: Ledger, limit: number): { id: number; endedMs: number }[] {
  return ledger
    .sql(
      `SELECT s.id, s.ended FROM sessions s LEFT JOIN digests d ON d.session = s.id
       WHERE s.kind <> 'subagent' AND s.is_program = 0 AND s.prompts > 0 AND s.ended IS NOT NULL
         AND s.source IS NOT NULL AND (coalesce(d.kind, 'work') = 'work' OR (d.kind = 'talk' AND s.prompts > 1))
       ORDER BY s.ended DESC LIMIT ?`,
    )
    .all(limit)
    .map((row) => ({ id: Number(row.id), endedMs: Number(row.ended) }))
}
