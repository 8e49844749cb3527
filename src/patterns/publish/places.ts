// The folders of projects on this machine, and the agents that work in them.
import { existsSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import type { InstructionFiles } from '../../agents/agent.ts'
import type { Layout, Machine } from '../../core/paths.ts'
import { findRepository, type ProjectRules, projectOf } from '../../core/project.ts'
import type { Ledger } from '../../store/ledger.ts'
import { agentsInProjects } from '../../store/patterns/practices.ts'
import { allProjects, foldersOfProject } from '../../store/sessions/projects.ts'
import { agentsWithInstructions, filesInProject, filesOfUser } from './agent-files.ts'
import type { Place } from './assign.ts'

export interface PublishContext {
  ledger: Ledger
  layout: Layout
  machine: Machine
  rules: ProjectRules
}

/** `agent` names the one that is served; else those that were used there, and those whose instructions somebody has written. */
export function placesOf(
  context: PublishContext,
  projects: readonly (string | null)[],
  agent: string | undefined,
): Place[] {
  const used = agentsInProjects(context.ledger)
  const isServed = (project: string | null) => (served: { id: string; files: InstructionFiles }) =>
    agent ? served.id === agent : isUsed(used, served.id, project) || existsSync(served.files.rules.path)
  return projects.flatMap((project): Place[] => {
    if (project === null) return [{ project, agents: userFiles(context).filter(isServed(null)) }]
    return rootsOf(context, project).map((root) => ({
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

/** The main working trees of the project's clones here. A folder that has become something else by now is not among them. */
export function rootsOf({ ledger, layout, machine, rules }: PublishContext, project: string): string[] {
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

/** Whether a path is a folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function isUsed(used: ReturnType<typeof agentsInProjects>, agent: string, project: string | null): boolean {
  return used.some((one) => one.agent === agent && (project === null || one.project === project))
}
