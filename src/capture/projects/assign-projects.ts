// Assigns sessions to projects once all new ones are captured: a session in a deleted folder may
// belong to a repository that only another session, or the output of git, names. When a project gets
// a better identity this way, everything that belongs to it moves along.
import { existsSync } from 'node:fs'
import { type Clock, isoTime } from '../../core/clock.ts'
import type { Config } from '../../core/config/config.ts'
import {
  betterProject,
  namedProject,
  type Project,
  type ProjectIdentity,
  type ProjectRules,
  projectOf,
} from '../../core/project/project.ts'
import { isLedgerFault } from '../../core/sqlite.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectsWithMemories } from '../../store/memories/memories.ts'
import { readableEvents, type SessionBody } from '../../store/sessions/bodies.ts'
import {
  deleteUnusedProjects,
  hasNewSessions,
  type LocatedSessions,
  locatedSessions,
  markLocated,
  moveRestOfProject,
  moveSessions,
  nameProjects,
  projectKeys,
  saveRepository,
  sessionsWithCommands,
  upsertProject,
} from '../../store/sessions/projects.ts'
import { type EvidenceEvent, gitEvidence, tellingCommands } from './git-evidence.ts'
import { findSiblingProjects, type SessionPlace } from './sibling-projects.ts'

export interface AssignContext {
  ledger: Ledger
  clock: Clock
  config: Pick<Config, 'projects'>
}

/**
 * Returns the number of sessions that changed their project. Projects with a remote are looked up
 * again only with `isFull`.
 */
export function assignProjects(context: AssignContext, { isFull = false } = {}): number {
  const { ledger, clock, config } = context
  return ledger.transaction(() => {
    const isTold = searchGitOutput(ledger)
    // A session that only went on belongs where it did.
    if (!isFull && !isTold && !hasNewSessions(ledger)) return stay(ledger)
    const places = [
      ...locatedSessions(ledger).map((sessions) => placeOf(sessions, config.projects, isFull)),
      ...foldersWithMemories(ledger, config.projects),
    ]
    const siblingProject = findSiblingProjects(places)
    const assigned = places.map((place) => {
      const { key, kind } = siblingProject(place)
      return { place, project: betterProject(namedProject(key, kind, config.projects), place.current, config.projects) }
    })
    // Also those that stay: a domain, or that a folder is a repository, may be new.
    const rows = new Map(assigned.map(({ project }) => [project.key, upsertProject(ledger, project)]))
    const moves = movesOf(assigned)
    for (const { sessions, project } of moves) moveSessions(ledger, sessions, rows.get(project.key)!)
    deleteUnusedProjects(ledger)
    for (const [from, to] of mainMoves(moves)) moveRestOfProject(ledger, from, to, isoTime(clock.nowMs()))
    nameProjects(ledger)
    markLocated(ledger)
    return moves.reduce((sum, { sessions }) => sum + sessions.length, 0)
  })
}

function stay(ledger: Ledger): number {
  markLocated(ledger)
  return 0
}

/**
 * Returns whether anything was found, which is saved like what the agent recorded. Each event is
 * searched once.
 */
function searchGitOutput(ledger: Ledger): boolean {
  let isFound = false
  for (const { id, cwd, fromSeq, body } of sessionsWithCommands(ledger, tellingCommands)) {
    if (existsSync(cwd)) continue
    const { remote, root } = gitEvidence(eventsOf(ledger, body, fromSeq), cwd)
    if (!remote && !root) continue
    saveRepository(ledger, id, remote ? `https://${remote}` : null, root ?? null)
    isFound = true
  }
  return isFound
}

/** A damaged or missing body is reported by the stages that need it. */
function* eventsOf({ layout }: Ledger, body: SessionBody, fromSeq: number): Generator<EvidenceEvent> {
  try {
    yield* readableEvents(layout.bodies, body.file, body.bytes, { fromSeq })
  } catch (error) {
    if (isLedgerFault(error)) throw error
  }
}

interface AssignedPlace extends SessionPlace {
  /** None for a folder that only memories belong to. */
  sessions: readonly number[]
  current: ProjectIdentity | null
}

function placeOf(
  { ids, cwd, remote, root, project }: LocatedSessions,
  rules: ProjectRules,
  isFull: boolean,
): AssignedPlace {
  const common = { sessions: ids, cwd, root, current: project }
  if (project?.kind === 'remote' && !isFull) return { ...common, found: project, isGone: false }
  const found = betterProject(projectOf(cwd, remote ?? undefined, rules), project, rules)
  return { ...common, found, isGone: !existsSync(cwd) }
}

/** Folders that people or agents told something about, without a session. */
function foldersWithMemories(ledger: Ledger, rules: ProjectRules): AssignedPlace[] {
  const known = new Set<string | null>(projectKeys(ledger))
  return projectsWithMemories(ledger)
    .filter((key) => key !== null && !known.has(key) && isFolder(key))
    .map((key) => ({
      sessions: [],
      cwd: key!,
      root: null,
      current: { key: key!, kind: 'folder' },
      found: projectOf(key!, undefined, rules),
      isGone: !existsSync(key!),
    }))
}

function isFolder(key: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:)/.test(key)
}

interface ProjectMove {
  from: string | undefined
  project: Project
  sessions: number[]
}

function movesOf(assigned: readonly { place: AssignedPlace; project: Project }[]): ProjectMove[] {
  const moves = new Map<string, ProjectMove>()
  for (const { place, project } of assigned) {
    const from = place.current?.key
    if (from === project.key) continue
    const name = JSON.stringify([from, project.key])
    const move = moves.get(name) ?? { from, project, sessions: [] }
    move.sessions.push(...place.sessions)
    moves.set(name, move)
  }
  return [...moves.values()]
}

/** Where most sessions of a project have gone. */
function mainMoves(moves: readonly ProjectMove[]): [from: string, to: string][] {
  const byProject = Map.groupBy(moves, ({ from }) => from)
  return [...byProject].flatMap(([from, some]) => {
    const [main] = some.toSorted((a, b) => b.sessions.length - a.sessions.length)
    return from === undefined ? [] : [[from, main!.project.key]]
  })
}
