// Whether a path that a session wrote down is the file that somebody asks for. The session may have run in another worktree, in a
// subfolder, in a checkout that is gone or on another machine, and its agent may name files absolutely or from some folder.
import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { findRepository } from '../core/project.ts'

export interface AskedFile {
  /** From the root of the project, with slashes. */
  path: string
  /** Where it lies on this machine; null where only the project is known. */
  absolute: string | null
  /** The working tree that it lies in. */
  folder: string | null
  hasGit: boolean
}

/** `project` is its key: where there is no repository, the folder that it stands for is the root. */
export function askedFile(absolute: string, project: string | null): AskedFile {
  const repository = findRepository(dirname(absolute))
  const isInside = project !== null && slashed(absolute).startsWith(`${slashed(project)}/`)
  const folder = repository?.folder ?? (isInside ? project : dirname(absolute))
  return { path: slashed(relative(folder, absolute)), absolute, folder, hasGit: repository !== undefined }
}

export interface WrittenPath {
  path: string
  cwd: string | null
}

export function isSameFile(written: WrittenPath, file: AskedFile): boolean {
  const path = slashed(written.path)
  const cwd = written.cwd === null ? null : slashed(written.cwd)
  const absolute = isAbsolute(path) ? path : cwd === null ? null : slashed(joined(cwd, path))
  // Some agents name files from the root of the repository, wherever they run.
  const isFromRoot = path.replace(/^(?:\.\/)+/, '') === file.path
  if (isFromRoot && (absolute === null || !existsSync(absolute))) return true
  if (absolute === null) return false
  if (file.absolute !== null && absolute === slashed(file.absolute)) return true
  if (!absolute.endsWith(`/${file.path}`)) return false
  return isRoot(absolute.slice(0, -file.path.length - 1), cwd)
}

/** Whether what stands before the path in the project is a root of it: `packages/a/src/index.ts` is not `src/index.ts`. */
function isRoot(folder: string, cwd: string | null): boolean {
  if (existsSync(folder)) {
    const repository = findRepository(folder)
    if (repository) return slashed(repository.folder) === folder
  }
  if (cwd === null || !folder.startsWith(`${cwd}/`)) return true
  // Below the folder of its session only a worktree is a root of its own (Claude Code makes them in .claude/worktrees).
  return /(?:^|\/)\.?worktrees\//.test(folder.slice(cwd.length))
}

function joined(cwd: string, path: string): string {
  // A Windows path that was swept elsewhere: resolve would take it for a name in the present folder.
  return cwd.startsWith('/') ? resolve(cwd, path) : `${cwd}/${path.replace(/^(?:\.\/)+/, '')}`
}

export function slashed(path: string): string {
  return path.replaceAll('\\', '/')
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(path)
}
