// Finds the project of a deleted folder from what other sessions say: in the same folder, in other
// worktrees of its repository, or in the repository around it.
import type { ProjectIdentity } from '../../core/project/project.ts'
import { lastPart } from '../../core/project/project-names.ts'
import { isCollection, isHome, isInside, parseWorktreePath } from '../../core/project/worktree-path.ts'

/** What is known of the place of a session. */
export interface SessionPlace {
  cwd: string
  /** Root of the repository, from the agent or from the output of git. */
  root: string | null
  /** By its own `.git`, its own transcript or its own path. */
  found: ProjectIdentity
  /** Of a folder that exists, git has the last word. */
  isGone: boolean
}

/** Later sessions come last. */
export function findSiblingProjects(places: readonly SessionPlace[]): (place: SessionPlace) => ProjectIdentity {
  const known = collectKnown(places)
  return (place) => resolve(known, place)
}

interface KnownFolders {
  /** The last remote of sessions in a folder. */
  remotes: Map<string, string>
  /** Roots of repositories, and folders inside repositories with a remote. */
  repositories: Map<string, { isRoot: boolean; remotes: Set<string> }>
  /** Folders where sessions ran. */
  folders: Set<string>
  /** Main working trees by their name. */
  byName: Map<string, SessionPlace[]>
}

function collectKnown(places: readonly SessionPlace[]): KnownFolders {
  const known: KnownFolders = { remotes: new Map(), repositories: new Map(), folders: new Set(), byName: new Map() }
  for (const place of places) {
    const { cwd, found } = place
    known.folders.add(cwd)
    const remote = found.kind === 'remote' ? found.key : undefined
    if (remote) known.remotes.set(cwd, remote)
    const root = rootOf(place)
    if (root !== undefined && !isHome(root)) addRepository(known, root, remote, true)
    if (remote && !isCollection(cwd)) addRepository(known, cwd, remote, false)
    const main = root ?? cwd
    if (!parseWorktreePath(main)) addTo(known.byName, lastPart(main), place)
  }
  for (const { cwd, found, isGone } of places) {
    const root = isGone ? possibleRoot(cwd) : undefined
    const isKnown = root && (known.repositories.has(root) || (known.folders.has(root) && !isCollection(root)))
    if (isKnown) addRepository(known, root, found.kind === 'remote' ? found.key : undefined, true)
  }
  return known
}

/** The main working tree, as far as this session alone tells. */
function rootOf({ cwd, root, found, isGone }: SessionPlace): string | undefined {
  if (root !== null) return mainTree(root) ?? root
  if (found.kind === 'repository') return found.key
  return isGone ? mainTree(cwd) : undefined
}

function mainTree(folder: string): string | undefined {
  const path = parseWorktreePath(folder)
  return path?.kind === 'root' && path.isCertain ? path.root : undefined
}

/** `<repo>` of `<repo>/worktrees/<name>` and the like, which counts if it is known otherwise. */
function possibleRoot(cwd: string): string | undefined {
  const path = parseWorktreePath(cwd)
  return path?.kind === 'root' ? path.root : undefined
}

function addRepository({ repositories }: KnownFolders, folder: string, remote: string | undefined, isRoot: boolean) {
  const repository = repositories.get(folder) ?? { isRoot: false, remotes: new Set() }
  repository.isRoot ||= isRoot
  if (remote) repository.remotes.add(remote)
  repositories.set(folder, repository)
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}

function resolve(known: KnownFolders, place: SessionPlace): ProjectIdentity {
  const { cwd, found, isGone } = place
  if (found.kind === 'remote') return found
  const remote = known.remotes.get(cwd)
  if (remote) return { key: remote, kind: 'remote' }
  const root = rootOf(place)
  if (root !== undefined) return ofRoot(known, root) ?? { key: root, kind: 'repository' }
  if (!isGone) return found
  return ofRoot(known, possibleRoot(cwd) ?? cwd) ?? ofName(known, cwd) ?? found
}

/** The project of the repository at or around a folder; undefined if none is known. */
function ofRoot({ repositories }: KnownFolders, folder: string): ProjectIdentity | undefined {
  for (const around of foldersFrom(folder)) {
    const repository = repositories.get(around)
    if (!repository) continue
    const [remote, other] = repository.remotes
    if (remote && !other) return { key: remote, kind: 'remote' }
    // Several remotes over time: which one it was is unknown, but not where.
    if (repository.isRoot) return { key: around, kind: 'repository' }
  }
  return undefined
}

/** The only project of that user with a main working tree of this name. */
function ofName(known: KnownFolders, cwd: string): ProjectIdentity | undefined {
  const path = parseWorktreePath(cwd)
  if (path?.kind !== 'name') return undefined
  const near = (known.byName.get(path.name) ?? []).filter((place) => isInside(place.cwd, path.near))
  const projects = new Map(near.map((place) => resolve(known, place)).map((project) => [project.key, project]))
  return projects.size === 1 ? projects.values().next().value : undefined
}

/** The folder and those around it, up to a user's folder. */
function* foldersFrom(folder: string): Iterable<string> {
  for (let at = folder; at !== '' && !isHome(at); at = at.slice(0, Math.max(at.lastIndexOf('/'), at.lastIndexOf('\\'))))
    yield at
}
