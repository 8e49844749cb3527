// Which project an agent's memory file belongs to.
import { existsSync, readdirSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { matchesGlob } from '../../core/globs.ts'
import { findRepository, type ProjectRules, projectOf } from '../../core/project.ts'
import type { Ledger } from '../../store/ledger.ts'
import { projectOfTranscripts, sessionFolders } from '../../store/memories/files.ts'
import { projectOfFolder } from '../../store/sessions/projects.ts'

/** Around a folder that a note names. */
export function projectAround(ledger: Ledger, folder: string, rules: ProjectRules): string {
  return projectOfFolder(ledger, folder) ?? projectOf(folder, undefined, rules).key
}

/**
 * By the sessions whose transcripts lie in the same folder; by a folder that sessions ran in, or its repository, whose path makes
 * this name; by such a folder on disk. Undefined where there is none of them.
 */
export function projectOfTranscriptFolder(ledger: Ledger, folder: string, rules: ProjectRules): string | undefined {
  const told = projectOfTranscripts(ledger, folder, sep)
  if (told) return told
  const name = basename(folder)
  for (const { cwd, project } of sessionFolders(ledger)) {
    const root = existsSync(cwd) ? findRepository(cwd)?.root : undefined
    if (mangled(cwd) === name || (root && mangled(root) === name)) return project
  }
  const found = folderNamed(name)
  return found && projectOf(found, undefined, rules).key
}

/** Nothing comes in from folders that are never captured; of a name made of a path every dash may be a slash. */
export function isIgnoredFolder(folder: string, patterns: readonly string[]): boolean {
  const plain = (path: string) => path.replace(/[^A-Za-z0-9*?]/g, '/')
  return patterns.some((pattern) => matchesGlob(plain(folder), plain(pattern.replace(/[/\\]+$/, ''))))
}

function mangled(path: string): string {
  return path.replace(/[^A-Za-z0-9]/g, '-')
}

/** Walks down the folders whose names fit; a dash may stand for any sign, so several may have to be tried. */
function folderNamed(name: string, from = '/', tries = { left: 200 }): string | undefined {
  const done = from === '/' ? '' : mangled(from)
  if (done === name) return from
  if (!name.startsWith(`${done}-`) || tries.left-- <= 0) return undefined
  const fitting = subfolders(from).filter((child) => `${name}-`.startsWith(`${mangled(child)}-`))
  for (const child of fitting) {
    const found = folderNamed(name, child, tries)
    if (found) return found
  }
  return undefined
}

function subfolders(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(folder, entry.name))
  } catch {
    return []
  }
}
