// Finds a pattern or practice by its id, a prefix of it, or its file name.
import { UserError } from '../../core/errors.ts'
import { nearest } from '../../text/nearest.ts'

export function resolveId(name: string, ids: readonly string[]): string {
  const known = [...new Set(ids)]
  if (known.includes(name)) return name
  const fitting = known.filter((id) => id.startsWith(name))
  if (fitting.length === 1) return fitting[0]!
  if (fitting.length > 1)
    throw new UserError(`"${name}" matches ${fitting.length} ids`, `Choose one: ${fitting.join(', ')}`)
  const suggestion = nearest(name, known)
  throw new UserError(
    `There is no "${name}"`,
    suggestion ? `Did you mean ${suggestion}?` : 'See: recollect patterns review --list, recollect patterns list',
    1,
  )
}

/**
 * Id of the practice in `read-before-edit` or `practices/read-before-edit.md`, else the name
 * unchanged.
 */
export function idOfPracticeFile(name: string, practices: readonly { id: string; path: string }[]): string {
  const path = `practices/${name.replace(/^practices\//, '').replace(/\.md$/, '')}`
  return practices.find((practice) => practice.path === path)?.id ?? name
}
