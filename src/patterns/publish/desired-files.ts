// Computes the desired content of instruction files for a publish or a removal: approved practices
// that pass the rules, plus published ones that the selection does not cover.

import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { InstructionFiles } from '../../agents/agent.ts'
import { readTextOrEmpty } from '../../core/files.ts'
import { detectedPatterns } from '../../store/patterns/patterns.ts'
import { currentPublications, type Publication } from '../../store/patterns/practices.ts'
import { allProjects } from '../../store/sessions/projects.ts'
import { checkPublish } from '../review/approval-rules.ts'
import type { Pattern, Practice } from '../types.ts'
import { agentsWithInstructions, filesInProject, filesOfUser } from './agent-files.ts'
import { assignPractices, type DesiredFile, type FileForm } from './assign.ts'
import { hasBlock } from './block.ts'
import { isSealed } from './managed-file.ts'
import { fileIdentity, isWithin, type PublishContext, projectRoots, publishTargets } from './targets.ts'

export interface PublishSelection {
  agent?: string | undefined
  project?: string | undefined
  /** Ids; all where undefined. */
  practices?: readonly string[] | undefined
  isRemoving: boolean
}

export interface PublishPlan {
  files: DesiredFile[]
  /** Practices that are left out, with reasons. */
  leftOut: { practice: Practice; reason: string }[]
}

export function desiredFiles(
  context: PublishContext,
  practices: readonly Practice[],
  selection: PublishSelection,
): PublishPlan {
  const { ready, closed } = splitByCheck(context, practices)
  const isAsked = ({ id, agents }: Practice) =>
    (selection.practices === undefined || selection.practices.includes(id)) &&
    (selection.agent === undefined || agents.length === 0 || agents.includes(selection.agent))
  const asked = selection.isRemoving ? [] : ready.filter(isAsked)
  const assigned = publishTargets(context, projectsOf(asked, selection), selection.agent).flatMap((place) =>
    assignPractices(asked, place, fileIdentity),
  )
  const isNowhere = (practice: Practice) =>
    !assigned.some(({ entries }) => entries.some((entry) => entry.practice === practice)) &&
    (selection.project === undefined || practice.projects.includes(selection.project))
  const left = [
    ...closed.filter(({ practice }) => practice.status === 'approved' && isAsked(practice)),
    ...asked.filter(isNowhere).map((practice) => ({ practice, reason: unassignedReason(context, practice) })),
  ]
  return {
    files: withPublished(context, assigned, ready, selection),
    leftOut: selection.isRemoving ? [] : left,
  }
}

function splitByCheck({ ledger }: PublishContext, practices: readonly Practice[]) {
  const patterns = new Map(detectedPatterns<Pattern>(ledger).map((pattern) => [pattern.id, pattern]))
  const gates = practices.map((practice) => ({
    practice,
    gate: checkPublish(practice, patterns.get(practice.id)),
  }))
  return {
    ready: gates.flatMap(({ practice, gate }) => (gate.kind === 'open' ? practice : [])),
    closed: gates.flatMap(({ practice, gate }) => (gate.kind === 'closed' ? { practice, reason: gate.reason } : [])),
  }
}

/** Adds files with outdated content, and keeps published practices that were not selected. */
function withPublished(
  context: PublishContext,
  assigned: readonly DesiredFile[],
  ready: readonly Practice[],
  selection: PublishSelection,
): DesiredFile[] {
  const standing = currentPublications(context.ledger)
  const { agent, project, practices, isRemoving } = selection
  const isSelected = (row: Publication) =>
    (practices === undefined || practices.includes(row.practice)) &&
    (agent === undefined || row.agent === agent) &&
    (project === undefined || row.project === project)
  const files = new Map<string, DesiredFile>()
  const candidates = [
    ...assigned,
    ...standing.filter(isSelected).map((row) => publishedFile(context, row)),
    ...(isRemoving && practices === undefined ? untrackedFiles(context, selection) : []),
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
      entries: mergeEntries([...file.entries, ...entriesOf(kept(identity), ready)]),
      isRecorded: byFile.has(identity),
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function projectsOf(practices: readonly Practice[], { project }: PublishSelection): (string | null)[] {
  if (project !== undefined) return [project]
  return [null, ...[...new Set(practices.flatMap(({ projects }) => projects))].sort()]
}

/** Merges rows of several agents that read the same file. */
function entriesOf(rows: readonly Publication[], ready: readonly Practice[]): DesiredFile['entries'] {
  return [...Map.groupBy(rows, ({ practice }) => practice)].flatMap(([id, group]) => {
    const practice = ready.find((one) => one.id === id)
    return practice ? { practice, agents: group.map(({ agent }) => agent) } : []
  })
}

/** One entry per practice, sorted by file name. */
function mergeEntries(entries: DesiredFile['entries']): DesiredFile['entries'] {
  const byPath = Map.groupBy(entries, ({ practice }) => practice.path)
  return [...byPath.keys()].sort().map((path) => {
    const same = byPath.get(path)!
    const agents = new Set(same.flatMap((entry) => entry.agents))
    return { practice: same[0]!.practice, agents: [...agents].sort() }
  })
}

function publishedFile(context: PublishContext, { file, project }: Publication): DesiredFile {
  const roots = project === null ? [] : projectRoots(context, project)
  const root = project === null ? undefined : (roots.find((one) => isWithin(file, fileIdentity(one))) ?? dirname(file))
  return { path: file, form: fileForm(file), project, root, entries: [] }
}

function unassignedReason(context: PublishContext, { agents, projects }: Practice): string {
  const isKnown = agents.length === 0 || agents.some((id) => agentsWithInstructions().includes(id))
  if (!isKnown) return `no instruction file of ${agents.join(', ')} is known`
  if (projects.length === 0) return "no agent that it is for has a user's own instructions here"
  return projects.some((project) => projectRoots(context, project).length > 0)
    ? 'no agent that it is for has worked in its projects here'
    : `no folder of ${listSome(projects)} is on this machine`
}

const maxListed = 2

function listSome(names: readonly string[]): string {
  const rest = names.length - maxListed
  return rest <= 1 ? names.join(', ') : `${names.slice(0, maxListed).join(', ')} and ${rest} more projects`
}

/** Managed files without a record in the ledger: published on another machine and pulled by git. */
function untrackedFiles(
  context: PublishContext,
  { agent, project }: { agent?: string | undefined; project?: string | undefined },
): DesiredFile[] {
  const agents = agent ? [agent] : agentsWithInstructions()
  const projects = project === undefined ? [null, ...allProjects(context.ledger).map(({ key }) => key)] : [project]
  return projects.flatMap((key) => {
    const roots = key === null ? [undefined] : projectRoots(context, key)
    return roots.flatMap((root) =>
      agents
        .flatMap((id) =>
          instructionPaths(root === undefined ? filesOfUser(id, context.machine) : filesInProject(id, root)),
        )
        .filter((path) => existsSync(path) && isManaged(path))
        .map((path) => ({ path, form: fileForm(path), project: key, root, entries: [] })),
    )
  })
}

function fileForm(path: string): FileForm {
  return basename(path) === 'SKILL.md' ? 'skill' : path.endsWith('.mdc') ? 'cursor rule' : 'block'
}

function instructionPaths(files: InstructionFiles | undefined): string[] {
  if (!files) return []
  const folder = files.skills?.folder
  const names = folder !== undefined && existsSync(folder) ? readdirSync(folder) : []
  const skills = names.filter((name) => name.startsWith('recollect-')).map((name) => join(folder!, name, 'SKILL.md'))
  return [files.rules.path, ...skills]
}

function isManaged(path: string): boolean {
  const text = readTextOrEmpty(path)
  return fileForm(path) === 'block' ? hasBlock(text) : isSealed(text)
}
