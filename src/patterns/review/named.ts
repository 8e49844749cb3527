// A pattern or practice by its id, by the beginning of it, or by the name of its file.
import { UserError } from '../../core/errors.ts'
import { nearest } from '../../text/nearest.ts'

export function idNamed(name: string, ids: readonly string[]): string {
  const known = [...new Set(ids)]
  if (known.includes(name)) return name
  const fitting = known.filter((id) => id.startsWith(name))
  if (fitting.length === 1) return fitting[0]!
  if (fitting.length > 1)
    throw new UserError(`"${name}" fits ${fitting.length} of them`, `Which one? ${fitting.join(', ')}`)
  const suggestion = nearest(name, known)
  throw new UserError(
    `There is no "${name}"`,
    suggestion ? `Did you mean ${suggestion}?` : 'See: recollect patterns review --list, recollect patterns list',
    1,
  )
}

/** `read-before-edit`, `practices/read-before-edit.md`: the id of the practice in that file, or else the name as it is. */
export function idOfFile(name: string, practices: readonly { id: string; path: string }[]): string {
  const path = `practices/${name.replace(/^practices\//, '').replace(/\.md$/, '')}`
  return practices.find((practice) => practice.path === path)?.id ?? name
}
