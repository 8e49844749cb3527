import { isAbsolute } from 'node:path'
import { UserError } from '../core/errors.ts'
import { type ProjectRules, projectOf } from '../core/project/project.ts'
import { endingsOf } from '../core/project/project-names.ts'
import type { Ledger } from '../store/ledger.ts'
import { projectNames, projectOfFolder } from '../store/sessions/projects.ts'
import { nearest } from '../text/nearest.ts'

/** Finds a project by its identity, its name or a folder in it. */
export function resolveProject(ledger: Ledger, value: string, rules: ProjectRules): string {
  const names = projectNames(ledger)
  const keys = [...names.keys()].sort()
  const exact = keys.find((key) => key === value) ?? keys.find((key) => names.get(key) === value)
  if (exact !== undefined) return exact
  const ending = keys.filter((key) => endingsOf(key).includes(value))
  if (ending.length === 1) return ending[0]!
  if (ending.length > 1) {
    const choices = ending.map((key) => names.get(key)!).sort()
    throw new UserError(`"${value}" is the name of ${ending.length} projects`, `Choose one: ${choices.join(', ')}`)
  }
  const around = isAbsolute(value) ? projectOf(value, undefined, rules).key : value
  if (keys.includes(around)) return around
  const inside = keys.filter((key) => value.startsWith(`${key}/`)).sort((a, b) => b.length - a.length)[0]
  const found = inside ?? projectOfFolder(ledger, value)
  if (found) return found
  const suggestion = nearest(value, [...names.values(), ...keys])
  throw new UserError(
    `No session of a project "${value}" is known`,
    suggestion
      ? `Did you mean ${suggestion}?`
      : `Known: ${[...names.values()].sort().slice(0, 20).join(', ') || 'none yet'}`,
    1,
  )
}
