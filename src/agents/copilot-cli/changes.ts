// Files that calls of Copilot CLI are to change: an edit has happened when the result of its call says so.
import type { FileChange, Json } from '../../core/session.ts'
import { type Fields, fields, list, named, text } from '../values.ts'

export interface ChangeBook {
  opened(call: string, tool: string, input: Json): void
  /** What the call changed, with the line counts of its result where it has them. */
  closed(call: string | undefined, data: Fields): FileChange[]
  state(): Json
}

/** Calls of a session that was killed never close. */
const most = 200

export function changeBook(state: Json | undefined): ChangeBook {
  const open = new Map<string, FileChange[]>(
    // What we wrote ourselves in state().
    Object.entries(fields(state)).map(([call, files]) => [call, list(files) as unknown as FileChange[]]),
  )
  return {
    opened(call, tool, input) {
      const files = changesOf(tool, input)
      if (files.length > 0) open.set(call, files)
      if (open.size > most) open.delete(open.keys().next().value!)
    },
    closed(call, data) {
      const files = (call && open.get(call)) || []
      if (call) open.delete(call)
      const { linesAdded, linesRemoved } = fields(fields(data.toolTelemetry).metrics)
      return files.length === 1 && typeof linesAdded === 'number' && typeof linesRemoved === 'number'
        ? [{ ...files[0]!, added: linesAdded, removed: linesRemoved }]
        : files
    },
    state: () => Object.fromEntries([...open].map(([call, files]) => [call, files.map((file) => ({ ...file }))])),
  }
}

function changesOf(tool: string, input: Json): FileChange[] {
  const { path, command, old_str, new_str, file_text, ...rest } = fields(input)
  if (tool === 'apply_patch')
    return patched(typeof input === 'string' ? input : (named(rest.input) ?? text(rest.patch)))
  if (!named(path)) return []
  const action = tool === 'str_replace_editor' ? command : tool
  if (action === 'create') return [{ path: text(path), change: 'add', added: lines(text(file_text)), removed: 0 }]
  return action === 'edit' || action === 'str_replace' || action === 'insert'
    ? [{ path: text(path), change: 'update', added: lines(text(new_str)), removed: lines(text(old_str)) }]
    : []
}

/** `*** Update File: a.ts` and below it the lines with their signs. */
function patched(patch: string): FileChange[] {
  const parts = patch.split(/^\*\*\* (?=(?:Add|Update|Delete) File: )/m).slice(1)
  return parts.map((part) => ({
    path: /File: (.*)/.exec(part)?.[1]?.trim() ?? '',
    change: part.startsWith('Add') ? 'add' : part.startsWith('Delete') ? 'delete' : 'update',
    added: part.match(/^\+/gm)?.length ?? 0,
    removed: part.match(/^-/gm)?.length ?? 0,
  }))
}

function lines(value: string): number {
  return value === '' ? 0 : value.replace(/\n$/, '').split('\n').length
}
