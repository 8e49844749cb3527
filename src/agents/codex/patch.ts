// File changes, as Codex reports them after the fact and as the patch text itself says.

import { commandOf } from '../../core/commands.ts'
import type { FileChange, Json } from '../../core/session.ts'
import { fields, named, text } from '../values.ts'

/** `changes` of patch_apply_end and of a FileChange item: path → {type, content | unified_diff, move_path}. */
export function reportedChanges(changes: Json | undefined): FileChange[] {
  return Object.entries(fields(changes)).map(([path, value]) => {
    const change = fields(value)
    const moved = named(change.move_path)
    if (change.type === 'add') return { path, change: 'add', added: lines(text(change.content)), removed: 0 }
    if (change.type === 'delete') return { path, change: 'delete', added: 0, removed: lines(text(change.content)) }
    return { path: moved ?? path, change: moved ? 'move' : 'update', ...diffCounts(text(change.unified_diff)) }
  })
}

function lines(content: string): number {
  if (content === '') return 0
  return content.split('\n').length - (content.endsWith('\n') ? 1 : 0)
}

function diffCounts(diff: string): { added: number; removed: number } {
  let added = 0
  let removed = 0
  for (const line of diff.split('\n')) {
    if (line.startsWith('+') && !line.startsWith('+++ ')) added++
    if (line.startsWith('-') && !line.startsWith('--- ')) removed++
  }
  return { added, removed }
}

/** The files that a tool call would change, where it is a patch: as its input, or as a shell line around one. */
export function plannedChanges(tool: string, input: Json, cwd: string): FileChange[] {
  const from = fields(input)
  const source =
    tool === 'apply_patch' ? (named(from.input) ?? named(from.patch) ?? commandOf(input)) : shellPatch(commandOf(input))
  return source ? patchChanges(source, named(from.workdir) ?? cwd) : []
}

function shellPatch(command: string): string {
  return /^[^\n]*\bapply_?patch\b[\s\S]*\*\*\* Begin Patch/.test(command) ? command : ''
}

/** `*** Begin Patch`, then per file a heading and lines that begin with +, - or a blank, then `*** End Patch`. */
export function patchChanges(patch: string, cwd: string): FileChange[] {
  const changes: FileChange[] = []
  let at: Required<FileChange> | undefined
  for (const line of patch.slice(Math.max(0, patch.indexOf('*** Begin Patch'))).split('\n')) {
    const heading = /^\*\*\* (Add|Update|Delete) File: (.+?)\r?$/.exec(line)
    if (heading) {
      const change = heading[1]!.toLowerCase() as 'add' | 'update' | 'delete'
      at = { path: absolute(heading[2]!, cwd), change, added: 0, removed: 0 }
      changes.push(at)
      continue
    }
    if (line.startsWith('*** End Patch')) break
    if (!at) continue
    const moved = /^\*\*\* Move to: (.+?)\r?$/.exec(line)?.[1]
    if (moved) Object.assign(at, { path: absolute(moved, cwd), change: 'move' })
    else if (line.startsWith('+')) at.added++
    else if (line.startsWith('-')) at.removed++
  }
  return changes
}

function absolute(path: string, cwd: string): string {
  const isAbsolute = /^(?:[/\\~]|[A-Za-z]:)/.test(path)
  return isAbsolute || !cwd ? path : `${cwd.replace(/[/\\]$/, '')}/${path.replace(/^\.\//, '')}`
}
