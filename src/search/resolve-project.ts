import { isAbsolute } from 'node:path'
import { UserError } from '../core/errors.ts'
import { type ProjectRules, projectOf } from '../core/project.ts'
import type { Ledger } from '../store/ledger.ts'
import { projectsWithMemories } from '../store/memories/memories.ts'
import { projectKeys, projectOfFolder } from '../store/sessions/projects.ts'
import { nearest } from '../text/nearest.ts'

/** Finds a project by its identity, its name or a folder in it. */
export function resolveProject(ledger: Ledger, value: string, rules: ProjectRules): string {
  const keys = [...new Set([...projectKeys(ledger), ...projectsWithMemories(ledger).filter((key) => key !== null)])]
  const named = keys.filter((key) => key === value || key.split(/[\\/]/).at(-1) === value)
  if (named.length === 1) return named[0]!
  if (named.length > 1)
    throw new UserError(`"${value}" is the name of ${named.length} projects`, `Choose one: ${named.join(', ')}`)
  const around = isAbsolute(value) ? projectOf(value, undefined, rules).key : value
  if (keys.includes(around)) return around
  const inside = keys.filter((key) => value.startsWith(`${key}/`)).sort((a, b) => b.length - a.length)[0]
  const found = inside ?? projectOfFolder(ledger, value)
  if (found) return found
  const suggestion = nearest(value, keys)
  throw new UserError(
    `No session of a project "${value}" is known`,
    suggestion ? `Did you mean ${suggestion}?` : `Known: ${keys.slice(0, 20).join(', ') || 'none yet'}`,
    1,
  )
}
