// Files that calls of Copilot CLI are to change: an edit has happened when the result of its call says so.
import type { FileChange, Json } from '../../core/session.ts'
import { lineCount, patchChanges } from '../changes.ts'
import { type Fields, fields, named, text } from '../values.ts'

export function changesOf(tool: string, input: Json): FileChange[] {
  const { path, command, old_str, new_str, file_text, ...rest } = fields(input)
  if (tool === 'apply_patch')
    return patchChanges(typeof input === 'string' ? input : (named(rest.input) ?? text(rest.patch)), undefined)
  if (!named(path)) return []
  const action = tool === 'str_replace_editor' ? command : tool
  if (action === 'create') return [{ path: text(path), change: 'add', added: lineCount(text(file_text)), removed: 0 }]
  return action === 'edit' || action === 'str_replace' || action === 'insert'
    ? [{ path: text(path), change: 'update', added: lineCount(text(new_str)), removed: lineCount(text(old_str)) }]
    : []
}

/** With the line counts of the result, where it has them. */
export function counted(files: FileChange[], data: Fields): FileChange[] {
  const { linesAdded, linesRemoved } = fields(fields(data.toolTelemetry).metrics)
  return files.length === 1 && typeof linesAdded === 'number' && typeof linesRemoved === 'number'
    ? [{ ...files[0]!, added: linesAdded, removed: linesRemoved }]
    : files
}
