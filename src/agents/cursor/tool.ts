// Which files a call of one of Cursor's editing tools changes, from its input.
import type { FileChange } from '../../core/session.ts'
import { lineCount } from '../file-changes.ts'
import { asString, type JsonObject, optionalString } from '../json-values.ts'

export function changedFiles(tool: string, input: JsonObject): FileChange[] {
  const names = [input.path, input.target_file, input.file_path, input.relativeWorkspacePath, input.targetFile]
  const path = names.map(optionalString).find((name) => name !== undefined)
  if (!path) return []
  if (/^(?:Delete|delete_file)$/.test(tool)) return [{ path, change: 'delete' }]
  if (/^(?:Write|write|edit_file\w*)$/.test(tool)) {
    const content = optionalString(input.contents) ?? optionalString(input.code_edit)
    return [{ path, change: 'update', ...(content ? { added: lineCount(content) } : {}) }]
  }
  if (!/^(?:StrReplace|Edit|MultiEdit|EditNotebook|ApplyPatch|search_replace|apply_patch)$/.test(tool)) return []
  const [before, after] = [optionalString(input.old_string), optionalString(input.new_string)]
  if (before === undefined && after === undefined) return [{ path, change: 'update' }]
  return [{ path, change: 'update', added: lineCount(asString(after)), removed: lineCount(asString(before)) }]
}
