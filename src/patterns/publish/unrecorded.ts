// What stands in files and the ledger does not know of: another machine published it, and git brought it here.
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { InstructionFiles } from '../../agents/agent.ts'
import { readTextOrEmpty } from '../../core/files.ts'
import { allProjects } from '../../store/sessions/projects.ts'
import { agentsWithInstructions, filesInProject, filesOfUser } from './agent-files.ts'
import type { Form, WantedFile } from './assign.ts'
import { hasBlock } from './block.ts'
import { isSealed } from './own-file.ts'
import { type PublishContext, rootsOf } from './places.ts'

export function unrecordedFiles(
  context: PublishContext,
  { agent, project }: { agent?: string | undefined; project?: string | undefined },
): WantedFile[] {
  const agents = agent ? [agent] : agentsWithInstructions()
  const projects = project === undefined ? [null, ...allProjects(context.ledger).map(({ key }) => key)] : [project]
  return projects.flatMap((key) => {
    const roots = key === null ? [undefined] : rootsOf(context, key)
    return roots.flatMap((root) =>
      agents
        .flatMap((id) => pathsOf(root === undefined ? filesOfUser(id, context.machine) : filesInProject(id, root)))
        .filter((path) => existsSync(path) && isOurs(path))
        .map((path) => ({ path, form: formOf(path), project: key, root, entries: [] })),
    )
  })
}

export function formOf(path: string): Form {
  return basename(path) === 'SKILL.md' ? 'skill' : path.endsWith('.mdc') ? 'cursor rule' : 'block'
}

function pathsOf(files: InstructionFiles | undefined): string[] {
  if (!files) return []
  const folder = files.skills?.folder
  const names = folder !== undefined && existsSync(folder) ? readdirSync(folder) : []
  const skills = names.filter((name) => name.startsWith('recollect-')).map((name) => join(folder!, name, 'SKILL.md'))
  return [files.rules.path, ...skills]
}

function isOurs(path: string): boolean {
  const text = readTextOrEmpty(path)
  return formOf(path) === 'block' ? hasBlock(text) : isSealed(text)
}
