// Renders planned edits as a unified diff, for a person to read before agreeing to them.
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
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
