// Finds the project folders on this machine and the agents that work in them.
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import type { InstructionFiles } from '../../agents/agent.ts'
import { linkTarget } from '../../core/files.ts'
import type { Layout, Machine } from '../../core/paths.ts'
import { findRepository, type ProjectRules, projectOf } from '../../core/project/project.ts'
import type { Ledger } from '../../store/ledger.ts'
import { agentsInProjects } from '../../store/patterns/practices.ts'
import { allProjects, foldersOfProject } from '../../store/sessions/projects.ts'
import { agentsWithInstructions, filesInProject, filesOfUser } from './agent-files.ts'
import type { PublishTarget } from './assign.ts'

export interface PublishContext {
  ledger: Ledger
  layout: Layout
  machine: Machine
  rules: ProjectRules
}

/** `agent` limits to one agent; else agents that were used there or have an instruction file. */
export function publishTargets(
  context: PublishContext,
  projects: readonly (string | null)[],
  agent: string | undefined,
): PublishTarget[] {
  const used = agentsInProjects(context.ledger)
  const isServed = (project: string | null) => (served: { id: string; files: InstructionFiles }) =>
    agent ? served.id === agent : isUsed(used, served.id, project) || existsSync(served.files.rules.path)
  return projects.flatMap((project): PublishTarget[] => {
    if (project === null) return [{ project, agents: userFiles(context).filter(isServed(null)) }]
    return projectRoots(context, project).map((root) => ({
      project,
      root,
      agents: agentsWithInstructions()
        .map((id) => ({ id, files: filesInProject(id, root) }))
        .filter(isServed(project)),
    }))
  })
}

function userFiles({ machine }: PublishContext): { id: string; files: InstructionFiles }[] {
  return agentsWithInstructions().flatMap((id) => {
    const files = filesOfUser(id, machine)
    return files ? { id, files } : []
  })
}

/**
 * Main working trees of the project's clones; folders that belong to another project now are left
 * out.
 */
export function projectRoots({ ledger, layout, machine, rules }: PublishContext, project: string): string[] {
  const row = allProjects(ledger).find(({ key }) => key === project)
  if (!row) return []
  const roots = foldersOfProject(ledger, row.id).flatMap((folder) => {
    if (!existsSync(folder)) return []
    const root = resolve(findRepository(folder)?.root ?? folder)
    return existsSync(root) && projectOf(root, undefined, rules).key === project ? root : []
  })
  const isNoProject = (root: string) =>
    root === resolve(root, '..') || isWithin(resolve(machine.home), root) || isWithin(root, resolve(layout.root))
  return [...new Set(roots)].filter((root) => !isNoProject(root)).sort()
}

/** Whether a path is the folder or inside of it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function isUsed(used: ReturnType<typeof agentsInProjects>, agent: string, project: string | null): boolean {
  return used.some((one) => one.agent === agent && (project === null || one.project === project))
}

/** The real path of a file that may not exist yet, with all links resolved. */
export function fileIdentity(path: string): string {
  return realPath(resolve(linkTarget(path)))
}

function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPath(folder), basename(path))
  }
}
