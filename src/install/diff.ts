// Describes planned edits for a person who is asked to agree to them: in a few words, or as a
// unified diff.
import { createTwoFilesPatch, diffLines, FILE_HEADERS_ONLY } from 'diff'
import { plural } from '../core/units.ts'
import type { FileEdit } from './types.ts'

export function renderDiff(edits: readonly FileEdit[]): string {
  return edits.map(renderEdit).join('')
}

function renderEdit({ path, before, after }: FileEdit): string {
  const oldName = before === undefined ? '/dev/null' : path
  const newName = after === undefined ? '/dev/null' : path
  return createTwoFilesPatch(oldName, newName, before ?? '', after ?? '', undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  })
}

/** `new file, 12 lines`, `deleted`, or the lines that are added and removed. */
export function describeEdit({ before, after }: Pick<FileEdit, 'before' | 'after'>): string {
  if (after === undefined) return 'deleted'
  const changes = diffLines(before ?? '', after)
  const linesOf = (kind: 'added' | 'removed') =>
    changes.reduce((sum, change) => sum + (change[kind] ? change.count : 0), 0)
  const [added, removed] = [linesOf('added'), linesOf('removed')]
  if (before === undefined) return `new file, ${plural(added, 'line')}`
  if (removed === 0) return `+${plural(added, 'line')}`
  return added === 0 ? `-${plural(removed, 'line')}` : `+${added} -${removed} lines`
}
