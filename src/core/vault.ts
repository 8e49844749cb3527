// Names in the vault: what a person can read in a folder, and never the same for two projects.
import { createHash } from 'node:crypto'

/** The folder of what holds everywhere. No project has this name: every other one ends in a hash. */
const globalFolder = 'global'

export function projectFolder(project: string | null): string {
  if (project === null) return globalFolder
  const readable = project
    .replace(/[^A-Za-z0-9.]+/g, '-')
    .slice(-60)
    .replace(/^[-.]+/, '')
  return `${readable || 'project'}-${createHash('sha1').update(project).digest('hex').slice(0, 8)}`
}
