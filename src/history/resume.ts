// Finds the session to continue, and the command of its agent that continues it.
import { existsSync } from 'node:fs'
import { type ResumableAgent, resumeCommand } from '../core/session.ts'
import { parseQuery } from '../search/query.ts'
import { search } from '../search/search.ts'
import type { Ledger } from '../store/ledger.ts'
import { findSessions, listSessions, type SessionView } from '../store/sessions/sessions.ts'
import { keptTranscripts } from './kept-transcript.ts'

export interface SessionLookup {
  /** An id or a part of it, or words. Without any, the latest session is meant. */
  words: string
  /** Only in this project; for words, this project is searched first. */
  project: string | undefined
  agent?: string | undefined
  nowMs: number
}

/** Sessions that were meant, the best first: one for an id, at most `limit` for words. */
export function lookUpSessions(ledger: Ledger, lookup: SessionLookup, limit = 5): SessionView[] {
  const { words, project, agent } = lookup
  const named = words === '' || /\s/.test(words) ? [] : findSessions(ledger, words)
  if (named.length > 0 || /^[\w-]+:\S+$/.test(words)) return named
  const of = agent === undefined ? {} : { agent }
  if (words === '') {
    const here = project === undefined ? {} : { project }
    return listSessions(ledger, { ...of, ...here, isConversation: true, limit })
  }
  const within = (place: { project?: string }) => sessionsAbout(ledger, lookup, { ...of, ...place })
  const here = project === undefined ? [] : within({ project })
  const found = new Map([...here, ...within({})].map((session) => [session.id, session]))
  return [...found.values()].slice(0, limit)
}

function sessionsAbout(
  ledger: Ledger,
  { words, nowMs }: SessionLookup,
  filter: { agent?: string; project?: string },
): SessionView[] {
  const { results, answered } = search(ledger, parseQuery(words), {
    ...filter,
    kinds: ['exchange', 'digest'],
    nowMs,
    limit: 20,
    isDistinct: true,
  })
  if (!answered) return []
  const ids = [...new Set(results.flatMap(({ session }) => session ?? []))]
  return ids.flatMap((id) => findSessions(ledger, id)).filter(({ lineage }) => lineage !== 'subagent')
}

export interface ResumePlan {
  session: SessionView
  /** To be run in the folder. */
  command: string[]
  folder: string | null
  /** The agent no longer has the transcript: `missing` can be restored, `lost` cannot. */
  transcript: 'there' | 'missing' | 'lost'
}

/** Undefined if the agent has no command for it. */
export function resumePlan(
  ledger: Ledger,
  agents: readonly ResumableAgent[],
  session: SessionView,
): ResumePlan | undefined {
  const command = resumeCommand(agents, session.id)
  if (command === undefined) return undefined
  const isThere = session.transcript !== null && existsSync(session.transcript.path)
  const isKept = () => keptTranscripts(ledger, session).length > 0
  return {
    session,
    command,
    folder: session.cwd,
    transcript: isThere ? 'there' : isKept() ? 'missing' : 'lost',
  }
}
