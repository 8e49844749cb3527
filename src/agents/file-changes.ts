// What calls do to files: counted from what an agent wrote down, and kept until the result says that it happened.
import { posix, win32 } from 'node:path'
import type { FileChange, Json } from '../core/session.ts'
import { asArray, asObject } from './json-values.ts'

export interface PendingChanges {
  /** Remembers what a call is to change until its result comes. */
  open(call: string | undefined, files: FileChange[]): void
  /** What the call was to change. */
  close(call: string | undefined): FileChange[]
  state(): Json
}

/** A session killed in the middle of calls never closes them: the oldest are forgotten past this. */
const maxPending = 200

export function pendingChanges(state: Json | undefined): PendingChanges {
  const open = new Map<string, FileChange[]>(
    // What we wrote ourselves in state().
    Object.entries(asObject(state)).map(([call, files]) => [call, asArray(files) as unknown as FileChange[]]),
  )
  return {
    open(call, files) {
      if (!call || files.length === 0) return
      open.set(call, files)
      if (open.size > maxPending) open.delete(open.keys().next().value!)
    },
    close(call) {
      const files = call ? open.get(call) : undefined
      if (!files) return []
      open.delete(call!)
      return files
    },
    state: () => Object.fromEntries([...open].map(([call, files]) => [call, files.map((file) => ({ ...file }))])),
  }
}

/** `*** Begin Patch`, then per file a heading and lines that begin with +, - or a blank, then `*** End Patch`. */
export function patchChanges(patch: string, cwd: string | undefined): FileChange[] {
  const changes: FileChange[] = []
  let at: Required<FileChange> | undefined
  for (const line of patch.slice(Math.max(0, patch.indexOf('*** Begin Patch'))).split('\n')) {
    const heading = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/.exec(line)
    if (heading) {
      const change = heading[1]!.toLowerCase() as 'add' | 'update' | 'delete'
      at = { path: absolutePath(heading[2]!, cwd), change, added: 0, removed: 0 }
      changes.push(at)
      continue
    }
    if (line.startsWith('*** End Patch')) break
    if (!at) continue
    const moved = /^\*\*\* Move to: (.+?)\s*$/.exec(line)?.[1]
    if (moved) Object.assign(at, { path: absolutePath(moved, cwd), change: 'move' })
    else if (line.startsWith('+')) at.added++
    else if (line.startsWith('-')) at.removed++
  }
  return changes
}

/** Paths are those of the machine that wrote the transcript, which need not be this one. */
export function absolutePath(path: string, cwd: string | undefined): string {
  if (!cwd || /^(?:[/\\~]|[A-Za-z]:)/.test(path)) return path
  return (/^(?:[A-Za-z]:|\\\\)/.test(cwd) ? win32 : posix).join(cwd, path)
}

/** Lines that a unified diff adds and removes. */
export function diffCounts(diff: string): { added: number; removed: number } {
  // `--- a` is a heading only with `+++ b` below it: alone it removes a line that began with `-- `.
  const lines = diff.replace(/^--- .*\r?\n\+\+\+ .*/gm, '').split('\n')
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  }
}

export function lineCount(content: string): number {
  return linesOf(content).length
}

/** The line break at the end of a file begins no line. */
export function linesOf(content: string): string[] {
  return content === '' ? [] : content.replace(/\n$/, '').split('\n')
}
