// Walking an agent's folders: what cannot be listed is not there.
import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Entries of a folder in the order of their names, so that every sweep sees the same order. */
export function listEntries(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    return []
  }
}

export function listSubfolders(folder: string): string[] {
  return listEntries(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(folder, entry.name))
}

/** Every file below a folder whose name fits, at most `depth` folders down. */
export function* findFiles(folder: string, fits: RegExp, depth: number): Iterable<string> {
  for (const entry of listEntries(folder)) {
    const path = join(folder, entry.name)
    if (entry.isFile() && fits.test(entry.name)) yield path
    if (entry.isDirectory() && depth > 0) yield* findFiles(path, fits, depth - 1)
  }
}
