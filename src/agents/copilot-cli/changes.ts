// Files that calls of Copilot CLI are to change: an edit has happened when the result of its call says so.
import type { FileChange, Json } from '../../core/session.ts'
import { lineCount, patchChanges } from '../file-changes.ts'
import { asObject, asString, type JsonObject, optionalString } from '../json-values.ts'

export function changesOf(tool: string, input: Json): FileChange[] {
  const { path, command, old_str, new_str, file_text, ...rest } = asObject(input)
  if (tool === 'apply_patch')
    return patchChanges(
      typeof input === 'string' ? input : (optionalString(rest.input) ?? asString(rest.patch)),
      undefined,
    )
  if (!optionalString(path)) return []
  const action = tool === 'str_replace_editor' ? command : tool
  if (action === 'create')
    return [{ path: asString(path), change: 'add', added: lineCount(asString(file_text)), removed: 0 }]
  return action === 'edit' || action === 'str_replace' || action === 'insert'
    ? [
        {
          path: asString(path),
          change: 'update',
          added: lineCount(asString(new_str)),
          removed: lineCount(asString(old_str)),
        },
      ]
    : []
}

/** With the line counts of the result, where it has them. */
export function counted(files: FileChange[], data: JsonObject): FileChange[] {
  const { linesAdded, linesRemoved } = asObject(asObject(data.toolTelemetry).metrics)
  return files.length === 1 && typeof linesAdded === 'number' && typeof linesRemoved === 'number'
    ? [{ ...files[0]!, added: linesAdded, removed: linesRemoved }]
    : files
}
