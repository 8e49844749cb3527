// The files that a session changed. A file that was created and deleted again is none of its results.
import type { StoredEvent } from '../store/sessions/bodies.ts'

export type ChangedFiles = Record<string, { change: string; added: number; removed: number; times: number }>

const maxFiles = 200

export function noteEdits(files: ChangedFiles, edits: NonNullable<StoredEvent['files']>): void {
  for (const edit of edits) {
    // Own properties only: a file may be called `constructor`.
    const known = Object.hasOwn(files, edit.path) ? files[edit.path] : undefined
    if (known?.change === 'add' && edit.change === 'delete') {
      delete files[edit.path]
      continue
    }
    if (!known && Object.keys(files).length >= maxFiles) continue
    const { change, added, removed, times } = known ?? { change: edit.change, added: 0, removed: 0, times: 0 }
    files[edit.path] = {
      change: edit.change === 'delete' || change === 'delete' ? edit.change : change,
      added: added + (edit.added ?? 0),
      removed: removed + (edit.removed ?? 0),
      times: times + 1,
    }
  }
}

/** Files that a shell line deletes. */
export function noteRemovals(files: ChangedFiles, line: string): void {
  for (const path of removedFiles(line, Object.keys(files))) {
    const file = files[path]!
    if (file.change === 'add') delete files[path]
    else files[path] = { ...file, change: 'delete' }
  }
}

/** Those of the known paths that the line deletes by `rm`. A name that several files have deletes none. */
export function removedFiles(line: string, known: readonly string[]): string[] {
  if (!/\brm\b/.test(line)) return []
  return argumentsOfRm(line).flatMap((argument) => pathsNamed(argument, known))
}

const removal = /(?:^|&&|\|\||[;\n(])\s*(?:sudo\s+)?(?:git\s+)?rm\s+((?:"[^"\n]*"|'[^'\n]*'|[^"'\s;&|)]+|[ \t]+)+)/g

function argumentsOfRm(line: string): string[] {
  const script = line.slice(0, 20_000).replace(/<<-?\s*['"]?(\w+)['"]?[\s\S]*?\n\s*\1\b/g, ' ')
  return [...script.matchAll(removal)].flatMap(([, rest]) =>
    (rest!.match(/"[^"]*"|'[^']*'|\S+/g) ?? [])
      .map((word) => word.replace(/^["']|["']$/g, ''))
      .filter((word) => !/^-|[$*?<>]/.test(word)),
  )
}

function pathsNamed(argument: string, known: readonly string[]): string[] {
  const name = plain(argument).replace(/\/+$/, '')
  const isFolder = (path: string) => plain(path).startsWith(`${name}/`)
  const found = known.filter((path) => plain(path) === name || plain(path).endsWith(`/${name}`))
  return found.length === 1 ? found : known.filter((path) => /^(?:\/|[a-z]:)/.test(name) && isFolder(path))
}

function plain(path: string): string {
  return path
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/^[A-Za-z]:/, (drive) => drive.toLowerCase())
}
