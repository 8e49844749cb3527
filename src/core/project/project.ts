// Determines the identity of a project across worktrees, clones, subfolders, machines and agents:
// the normalised git remote, else the root of the repository or of the local one that it was cloned
// from, else the folder. Reads git's own files without starting a process. What other sessions say
// about a deleted folder is added by `capture/projects/assign-projects.ts`.
import { existsSync, statSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { readTextOrEmpty } from '../files.ts'
import { matchesGlob } from '../paths.ts'
import { isHome, parseWorktreePath } from './worktree-path.ts'

export interface Project {
  /** `github.com/owner/name`, or an absolute path. */
  key: string
  kind: 'remote' | 'repository' | 'folder'
  domain: string | null
}

export interface ProjectRules {
  aliases: Record<string, string>
  domains: Record<string, string>
}

/** `remote` comes from the transcript; it is used when the folder no longer exists. */
export function projectOf(cwd: string, remote: string | undefined, rules: ProjectRules): Project {
  const found = identityOf(cwd, remote, rules)
  return namedProject(found.key, found.kind, rules)
}

export type ProjectIdentity = Pick<Project, 'key' | 'kind'>

/** Before aliases; a folder that the user has given an alias is not taken for a worktree. */
export function identityOf(cwd: string, remote: string | undefined, { aliases }: ProjectRules): ProjectIdentity {
  const worktree = () => (aliases[cwd] === undefined ? fromWorktreePath(cwd) : undefined)
  return fromGit(cwd) ?? fromRemote(remote) ?? worktree() ?? { key: cwd, kind: 'folder' }
}

/** A worktree without its `.git` file belongs to the repository that its path names. */
function fromWorktreePath(cwd: string): ProjectIdentity | undefined {
  const path = parseWorktreePath(cwd)
  if (path?.kind === 'name') return path.isCertain ? { key: path.group, kind: 'folder' } : undefined
  if (!path) return undefined
  if (existsSync(path.root)) return fromGit(path.root)
  return path.isCertain ? { key: path.root, kind: 'repository' } : undefined
}

/** Applies the user's aliases and domains to an identity. */
export function namedProject(identity: string, kind: Project['kind'], rules: ProjectRules): Project {
  const key = rules.aliases[identity] ?? identity
  const domain = Object.entries(rules.domains).find(([pattern]) => matchesGlob(key, pattern))?.[1] ?? null
  return { key, kind, domain }
}

/**
 * A deleted folder may have been a repository, so a known identity is only replaced by a better one.
 */
export function betterProject(found: Project, known: ProjectIdentity | null, rules: ProjectRules): Project {
  const isWorse = known !== null && rank[found.kind] < rank[known.kind]
  return isWorse ? namedProject(known.key, known.kind, rules) : found
}

const rank = { folder: 0, repository: 1, remote: 2 }

function fromGit(cwd: string, depth = 0): ProjectIdentity | undefined {
  const repository = findRepository(cwd)
  // A repository of a user's whole folder says nothing about a deleted folder below it.
  if (!repository || (isHome(repository.root) && !existsSync(cwd))) return undefined
  const remote = remoteOf(repository.gitFolder)
  return fromRemote(remote) ?? fromLocalOrigin(remote, depth) ?? { key: repository.root, kind: 'repository' }
}

/** A clone of a repository on this machine belongs to the project of that repository. */
function fromLocalOrigin(remote: string | undefined, depth: number): ProjectIdentity | undefined {
  const path = remote ? localRemote(remote) : undefined
  if (!path || depth === maxLocalOrigins) return undefined
  if (existsSync(join(path, '.git'))) return fromGit(path, depth + 1)
  const isBare = existsSync(join(path, 'HEAD')) && existsSync(join(path, 'objects'))
  return isBare ? (fromRemote(remoteOf(path)) ?? { key: path, kind: 'repository' }) : undefined
}

/** Clones of clones that are followed; an origin may also be the repository itself. */
const maxLocalOrigins = 3

/** The folder of a remote on this machine; undefined for any other remote. */
export function localRemote(url: string): string | undefined {
  const path = url.replace(/^file:\/\//i, '').replace(/[\\/]+$/, '')
  return isAbsolute(path) ? path.replace(/[\\/]\.git$/, '') : undefined
}

export function fromRemote(remote: string | undefined): ProjectIdentity | undefined {
  const key = remote ? normaliseRemote(remote) : undefined
  return key ? { key, kind: 'remote' } : undefined
}

export interface Repository {
  /** Working tree around the given folder. */
  folder: string
  /** Main working tree: a worktree belongs to the repository it was created from. */
  root: string
  /** Folder with git's config file. */
  gitFolder: string
}

/** Finds the repository around a folder, which need not exist any more. */
export function findRepository(cwd: string): Repository | undefined {
  for (let folder = cwd; isAbsolute(folder); folder = dirname(folder)) {
    const git = join(folder, '.git')
    if (existsSync(git))
      return statSync(git).isDirectory() ? { folder, root: folder, gitFolder: git } : linkedRepository(folder, git)
    if (dirname(folder) === folder) return undefined
  }
  return undefined
}

/**
 * In a worktree or submodule `.git` is a file with the path of the real folder; `commondir` there
 * names the shared one.
 */
function linkedRepository(folder: string, git: string): Repository | undefined {
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(readTextOrEmpty(git))?.[1]
  if (!named) return undefined
  const own = resolve(folder, named)
  const common = readTextOrEmpty(join(own, 'commondir')).trim()
  const gitFolder = common ? resolve(own, common) : own
  return { folder, gitFolder, root: basename(gitFolder) === '.git' ? dirname(gitFolder) : folder }
}

/** URL of `origin`, else of the first remote. */
export function remoteOf(gitFolder: string): string | undefined {
  const remotes = new Map<string, string>()
  let current = ''
  for (const line of readTextOrEmpty(join(gitFolder, 'config')).split('\n')) {
    const section = /^\s*\[(.*)\]/.exec(line)?.[1]
    if (section !== undefined) current = /^remote "(.*)"$/.exec(section)?.[1] ?? ''
    const url = /^\s*url\s*=\s*(.+?)\s*$/.exec(line)?.[1]
    if (current && url && !remotes.has(current)) remotes.set(current, url)
  }
  return remotes.get('origin') ?? remotes.values().next().value
}

/**
 * One name for a repository over ssh, https or git, with or without `.git`, user or port; undefined
 * for a local path.
 */
export function normaliseRemote(url: string): string | undefined {
  const match =
    /^(?:[a-z+]+:\/\/)(?:[^@/]*@)?([^/:]+)(?::\d+)?\/+(.+)$/i.exec(url) ??
    /^(?:[^@/\s]+@)?([^/:\s]+\.[^/:\s]+):(?!\/\/)\/*(.+)$/.exec(url)
  if (!match || /^file:/i.test(url)) return undefined
  const path = match[2]!
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(/\.git$/i, '')
  return path ? `${match[1]!.toLowerCase()}/${path}` : undefined
}
