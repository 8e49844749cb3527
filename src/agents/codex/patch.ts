// File changes, as Codex reports them after the fact and as the patch text itself says.
import { commandOf } from '../../core/commands.ts'
import type { FileChange, Json } from '../../core/session.ts'
import { diffCounts, lineCount, patchChanges } from '../file-changes.ts'
import { asObject, asString, optionalString } from '../json-values.ts'

/** `changes` of patch_apply_end and of a FileChange item: path → {type, content | unified_diff, move_path}. */
export function reportedChanges(changes: Json | undefined): FileChange[] {
  return Object.entries(asObject(changes)).map(([path, value]) => {
    const change = asObject(value)
    const moved = optionalString(change.move_path)
    if (change.type === 'add') return { path, change: 'add', added: lineCount(asString(change.content)), removed: 0 }
    if (change.type === 'delete')
      return { path, change: 'delete', added: 0, removed: lineCount(asString(change.content)) }
    return { path: moved ?? path, change: moved ? 'move' : 'update', ...diffCounts(asString(change.unified_diff)) }
  })
}

/** The files that a tool call would change, where it is a patch: as its input, or as a shell line around one. */
export function plannedChanges(tool: string, input: Json, cwd: string): FileChange[] {
  const from = asObject(input)
  const source =
    tool === 'apply_patch'
      ? (optionalString(from.input) ?? optionalString(from.patch) ?? commandOf(input))
      : shellPatch(commandOf(input))
  return source ? patchChanges(source, optionalString(from.workdir) ?? cwd) : []
}

function shellPatch(command: string): string {
  return /^[^\n]*\bapply_?patch\b[\s\S]*\*\*\* Begin Patch/.test(command) ? command : ''
}
