// Plans a deletion: which sessions, and what was derived from them. Reads only, so that the plan can
// be shown first.
import type { Memory } from '../memory/memory.ts'
import { isFrom, memoriesCiting, memoriesNaming } from '../store/deletion/memory-history.ts'
import {
  type DeletionFilter,
  type SessionToDelete,
  sessionsInheritingFrom,
  sessionsToDelete,
} from '../store/deletion/session-rows.ts'
import type { Ledger } from '../store/ledger.ts'
import { listMemories } from '../store/memories/memories.ts'
import { commitsOfProject } from '../store/sessions/commits.ts'

export interface DeletionRequest extends DeletionFilter {
  /** Only sessions in ignored folders. */
  isIgnored?(cwd: string): boolean
}

export interface DeletionPlan {
  sessions: SessionToDelete[]
  events: number
  /** Size of the bodies. */
  bytes: number
  /** Memories and candidates without other evidence. */
  removed: Memory[]
  /** Memories that lose a part of their evidence, or that a removed one had superseded. */
  changed: { before: Memory; after: Memory }[]
  /** Memories of teams with evidence of these sessions; a team decides about them. */
  ofTeams: Memory[]
  /** Keys of projects of which nothing is left. */
  projects: string[]
  commits: number
  /** Sessions that continue one of these and lose its part of the conversation. */
  continuedBy: string[]
}

export function planDeletion(ledger: Ledger, request: DeletionRequest): DeletionPlan {
  const { isIgnored, ...filter } = request
  const sessions = sessionsToDelete(ledger, filter)
  return planSessions(ledger, request, isIgnored ? withSubagents(ledger, sessions, isIgnored) : sessions)
}

/** Subagents may run in other folders than the session that started them. */
function withSubagents(
  ledger: Ledger,
  sessions: readonly SessionToDelete[],
  isIgnored: (cwd: string) => boolean,
): SessionToDelete[] {
  const ignored = sessions.filter(({ cwd }) => cwd !== null && isIgnored(cwd))
  return sessionsToDelete(ledger, { uids: ignored.map(({ uid }) => uid) })
}

function planSessions(ledger: Ledger, request: DeletionRequest, sessions: SessionToDelete[]): DeletionPlan {
  const { project, agent, beforeMs, uids, isIgnored } = request
  const isWhole =
    project !== undefined && agent === undefined && beforeMs === undefined && uids === undefined && !isIgnored
  const projects = isWhole ? [project] : []
  const ids = sessions.map(({ uid }) => uid)
  return {
    sessions,
    events: sessions.reduce((sum, { events }) => sum + events, 0),
    bytes: sessions.reduce((sum, { bytes }) => sum + bytes, 0),
    ...planMemories(ledger, new Set(ids), projects),
    projects,
    commits: projects.reduce((sum, key) => sum + commitsOfProject(ledger, key).length, 0),
    continuedBy: sessionsInheritingFrom(
      ledger,
      sessions.map(({ id }) => id),
    ),
  }
}

function planMemories(
  ledger: Ledger,
  sessions: ReadonlySet<string>,
  projects: readonly string[],
): Pick<DeletionPlan, 'removed' | 'changed' | 'ofTeams'> {
  const citing = memoriesCiting(ledger, [...sessions])
  const own = citing.filter(({ space }) => space === null)
  const removed = new Map<string, Memory>()
  for (const memory of own) if (memory.evidence.every((one) => isFrom(one, sessions))) removed.set(memory.id, memory)
  for (const project of projects)
    for (const memory of listMemories(ledger, { project })) if (memory.space === null) removed.set(memory.id, memory)
  const changed = new Map<string, { before: Memory; after: Memory }>()
  const change = (memory: Memory, edit: (memory: Memory) => Memory) => {
    if (removed.has(memory.id) || memory.space !== null) return
    const known = changed.get(memory.id) ?? { before: memory, after: { ...memory, version: memory.version + 1 } }
    changed.set(memory.id, { before: memory, after: edit(known.after) })
  }
  for (const memory of own) change(memory, (one) => withoutEvidence(one, sessions))
  for (const memory of memoriesNaming(ledger, [...removed.keys()]))
    change(memory, (one) => withoutReferences(one, removed))
  return {
    removed: [...removed.values()],
    changed: [...changed.values()],
    ofTeams: citing.filter(({ space }) => space !== null),
  }
}

function withoutEvidence(memory: Memory, sessions: ReadonlySet<string>): Memory {
  const evidence = memory.evidence.filter((one) => !isFrom(one, sessions))
  const said = Math.max(1, memory.counts.said - (memory.evidence.length - evidence.length))
  return { ...memory, evidence, counts: { ...memory.counts, said } }
}

/** A memory that a removed one had superseded is valid again, or follows its successor. */
function withoutReferences(memory: Memory, removed: ReadonlyMap<string, Memory>): Memory {
  let supersededBy = memory.supersededBy
  while (supersededBy !== null && removed.has(supersededBy)) supersededBy = removed.get(supersededBy)!.supersededBy
  return {
    ...memory,
    supersededBy,
    supersededAt: supersededBy === null ? null : memory.supersededAt,
    contradicts: memory.contradicts !== null && removed.has(memory.contradicts) ? null : memory.contradicts,
    links: memory.links.filter((link) => !removed.has(link.slice(link.indexOf(' ') + 1))),
  }
}
