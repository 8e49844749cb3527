// Counts what calls change in files, from patches, diffs and SEARCH/REPLACE blocks (Aider's format,
// which Cline and Roo Code adopted), and keeps planned changes until the result confirms them.
import { posix, win32 } from 'node:path'
import type { FileChange, Json } from '../core/session.ts'
import { asArray, asObject } from './json-values.ts'

export interface PendingChanges {
  /** Saves the changes that a call plans until its result. */
  open(call: string | undefined, files: FileChange[]): void
  /** Returns and removes the planned changes of a call. */
  close(call: string | undefined): FileChange[]
  state(): Json
}

/** Killed sessions never close their calls: the oldest are dropped beyond this. */
const maxPending = 200

export function pendingChanges(state: Json | undefined): PendingChanges {
  const open = new Map<string, FileChange[]>(
    // Our own output of state().
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

/**
 * `*** Begin Patch`, then per file a heading and lines that begin with +, - or a space, then `***
 * End Patch`.
 */
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

/** Paths are those of the machine that wrote the transcript, possibly another one. */
export function absolutePath(path: string, cwd: string | undefined): string {
  if (!cwd || /^(?:[/\\~]|[A-Za-z]:)/.test(path)) return path
  return (/^(?:[A-Za-z]:|\\\\)/.test(cwd) ? win32 : posix).join(cwd, path)
}

/** `file:///srv/a%20b` and `file:///c:/src` become paths; anything else is one already. */
export function pathOfUri(uri: string): string {
  if (!uri.startsWith('file://')) return uri
  const path = uri.slice('file://'.length).replace(/^\/(?=[A-Za-z]:)/, '')
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Lines that a unified diff adds and removes. */
export function diffCounts(diff: string): { added: number; removed: number } {
  // `--- a` is a heading only if `+++ b` follows: alone it removes a line that began with `-- `.
  const lines = diff.replace(/^--- .*\r?\n\+\+\+ .*/gm, '').split('\n')
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  }
}

export function lineCount(content: string): number {
  return linesOf(content).length
}

/** A line break at the end of a file does not start another line. */
export function linesOf(content: string): string[] {
  return content === '' ? [] : content.replace(/\n$/, '').split('\n')
}

interface EditBlock {
  /** The name above the block; '' if there is none. */
  path: string
  added: number
  removed: number
  /** An empty SEARCH part: the file is new. */
  isNew: boolean
}

export function editBlocks(source: string): EditBlock[] {
  const blocks: EditBlock[] = []
  let path = ''
  let section: 'outside' | 'search' | 'replace' = 'outside'
  let search: string[] = []
  let replace: string[] = []
  for (const line of source.split('\n')) {
    if (section === 'outside') {
      if (/^(?:<{5,9}|-{5,9}) ?(?:SEARCH|ORIGINAL)>?\s*$/.test(line)) {
        section = 'search'
        search = []
        replace = []
      } else if (line.trim() !== '' && !/^\s*(?:`{3,}|~{3,})/.test(line)) path = nameIn(line)
    } else if (/^={5,9}\s*$/.test(line) && section === 'search') section = 'replace'
    else if (/^(?:>{5,9}|\+{5,9}) ?(?:REPLACE|UPDATED)\s*$/.test(line)) {
      blocks.push({ path, ...changedLines(search, replace), isNew: search.every((old) => old.trim() === '') })
      section = 'outside'
    } else if (section === 'replace') replace.push(line)
    else if (!/^(?::(?:start|end)_line:|-{5,9}\s*$)/.test(line)) search.push(line)
  }
  return blocks
}

/** Lines added and removed by SEARCH/REPLACE blocks or a unified diff. */
export function blockOrDiffCounts(diff: string): { added: number; removed: number } {
  const blocks = editBlocks(diff)
  if (blocks.length > 0) {
    return {
      added: blocks.reduce((sum, block) => sum + block.added, 0),
      removed: blocks.reduce((sum, block) => sum + block.removed, 0),
    }
  }
  return diffCounts(diff)
}

/** Models write the name plain, in backticks, as a heading or followed by a colon. */
function nameIn(line: string): string {
  return line
    .trim()
    .replace(/^[#*`\s]+|[*`:\s]+$/g, '')
    .trim()
}

/** Both sides repeat unchanged lines around the change. */
export function changedLines(search: string[], replace: string[]): { added: number; removed: number } {
  const least = Math.min(search.length, replace.length)
  let start = 0
  while (start < least && search[start] === replace[start]) start++
  let end = 0
  while (end < least - start && search.at(-1 - end) === replace.at(-1 - end)) end++
  return { added: replace.length - start - end, removed: search.length - start - end }
}
