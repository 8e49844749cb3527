// What is to stand in which file, once a publish or a removal is done: practices that a person approved and that pass the gate, and
// what stands there for others that this time nobody asked about.
import { dirname } from 'node:path'
import { detectedPatterns } from '../../store/patterns/patterns.ts'
import { currentPublications, type Publication } from '../../store/patterns/practices.ts'
import type { Pattern } from '../pattern.ts'
import type { Practice } from '../practice.ts'
import { publishGate } from '../review/gates.ts'
import { agentsWithInstructions } from './agent-files.ts'
import { assignPractices, type WantedFile } from './assign.ts'
import { fileIdentity } from './identity.ts'
import { isWithin, type PublishContext, placesOf, rootsOf } from './places.ts'
import { formOf, unrecordedFiles } from './unrecorded.ts'

export interface Selection {
  agent?: string | undefined
  project?: string | undefined
  /** The id of one practice. */
  practice?: string | undefined
  isRemoving: boolean
}

export interface Wanted {
  files: WantedFile[]
  /** Practices that are left out, and why. */
  leftOut: { practice: Practice; reason: string }[]
}

export function wantedFiles(context: PublishContext, practices: readonly Practice[], selection: Selection): Wanted {
  const { ready, closed } = byGate(context, practices)
  const isAsked = ({ id, agents }: Practice) =>
    (selection.practice === undefined || id === selection.practice) &&
    (selection.agent === undefined || agents.length === 0 || agents.includes(selection.agent))
  const asked = selection.isRemoving ? [] : ready.filter(isAsked)
  const assigned = placesOf(context, projectsOf(asked, selection), selection.agent).flatMap((place) =>
    assignPractices(asked, place, fileIdentity),
  )
  const isNowhere = (practice: Practice) =>
    !assigned.some(({ entries }) => entries.some((entry) => entry.practice === practice)) &&
    (selection.project === undefined || practice.projects.includes(selection.project))
  const left = [
    ...closed.filter(({ practice }) => practice.status === 'approved' && isAsked(practice)),
    ...asked.filter(isNowhere).map((practice) => ({ practice, reason: whyNowhere(context, practice) })),
  ]
  return {
    files: withStanding(context, assigned, ready, selection),
    leftOut: selection.isRemoving ? [] : left,
  }
}

function byGate({ ledger }: PublishContext, practices: readonly Practice[]) {
  const patterns = new Map(detectedPatterns<Pattern>(ledger).map((pattern) => [pattern.id, pattern]))
  const gates = practices.map((practice) => ({
    practice,
    gate: publishGate(practice, patterns.get(practice.id)),
  }))
  return {
    ready: gates.flatMap(({ practice, gate }) => (gate.kind === 'open' ? practice : [])),
    closed: gates.flatMap(({ practice, gate }) => (gate.kind === 'closed' ? { practice, reason: gate.reason } : [])),
  }
}

/** With the files in which something stands that has to go, and with what stands there and was not asked about. */
function withStanding(
  context: PublishContext,
  assigned: readonly WantedFile[],
  ready: readonly Practice[],
  selection: Selection,
): WantedFile[] {
  const standing = currentPublications(context.ledger)
  const { agent, project, practice, isRemoving } = selection
  const isSelected = (row: Publication) =>
    (practice === undefined || row.practice === practice) &&
    (agent === undefined || row.agent === agent) &&
    (project === undefined || row.project === project)
  const files = new Map<string, WantedFile>()
  const candidates = [
    ...assigned,
    ...standing.filter(isSelected).map((row) => fileOfRow(context, row)),
    ...(isRemoving && practice === undefined ? unrecordedFiles(context, selection) : []),
  ]
  for (const file of candidates) {
    const identity = fileIdentity(file.path)
    if (!files.has(identity)) files.set(identity, file)
  }
  const byFile = Map.groupBy(standing, ({ file }) => fileIdentity(file))
  const kept = (identity: string) => (byFile.get(identity) ?? []).filter((row) => !isSelected(row))
  return [...files]
    .map(([identity, file]) => ({
      ...file,
      entries: inOrder([...file.entries, ...entriesOf(kept(identity), ready)]),
      isRecorded: byFile.has(identity),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function projectsOf(practices: readonly Practice[], { project }: Selection): (string | null)[] {
  if (project !== undefined) return [project]
  return [null, ...[...new Set(practices.flatMap(({ projects }) => projects))].sort()]
}

/** Both at once where a file is read by several agents. */
function entriesOf(rows: readonly Publication[], ready: readonly Practice[]): WantedFile['entries'] {
  return [...Map.groupBy(rows, ({ practice }) => practice)].flatMap(([id, group]) => {
    const practice = ready.find((one) => one.id === id)
    return practice ? { practice, agents: group.map(({ agent }) => agent) } : []
  })
}

/** One entry for each practice, by the names of their files. */
function inOrder(entries: WantedFile['entries']): WantedFile['entries'] {
  const byPath = Map.groupBy(entries, ({ practice }) => practice.path)
  return [...byPath.keys()].sort().map((path) => {
    const same = byPath.get(path)!
    const agents = new Set(same.flatMap((entry) => entry.agents))
    return { practice: same[0]!.practice, agents: [...agents].sort() }
  })
}

function fileOfRow(context: PublishContext, { file, project }: Publication): WantedFile {
  const roots = project === null ? [] : rootsOf(context, project)
  const root = project === null ? undefined : (roots.find((one) => isWithin(file, fileIdentity(one))) ?? dirname(file))
  return { path: file, form: formOf(file), project, root, entries: [] }
}

function whyNowhere(context: PublishContext, { agents, projects }: Practice): string {
  const isKnown = agents.length === 0 || agents.some((id) => agentsWithInstructions().includes(id))
  if (!isKnown) return `no instruction file of ${agents.join(', ')} is known`
  if (projects.length === 0) return "no agent that it is for has a user's own instructions here"
  return projects.some((project) => rootsOf(context, project).length > 0)
    ? 'no agent that it is for has worked in its projects here'
    : `no folder of ${projects.join(', ')} is on this machine`
}
