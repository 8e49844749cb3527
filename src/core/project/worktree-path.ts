// Recognises by its path a worktree that may be deleted. People and tools put worktrees into the
// repository, beside it, or into a folder for all repositories, where only a name tells which one.

export type WorktreePath =
  /** `root` is the main working tree. */
  | { kind: 'root'; root: string; isCertain: boolean }
  /**
   * Only the name of the repository is known. `group` stands for all its worktrees there, `near` is
   * the folder of the user whose repository it is, empty if unknown.
   */
  | { kind: 'name'; name: string; group: string; near: string; isCertain: boolean }

export function parseWorktreePath(folder: string): WorktreePath | undefined {
  return inSharedFolder(folder) ?? inRepository(folder) ?? besideRepository(folder)
}

/**
 * Folders that hold worktrees of many repositories, in a user's folder: Codex app (26.2), Cursor
 * (2.0), Superset, Conductor (0.25), Claude desktop, PostHog Code, Vibe Kanban. `*` is the name of
 * the repository, `?` that of the worktree.
 */
const sharedFolders: readonly { path: string; isCertain: boolean }[] = [
  { path: '.codex/worktrees/?/*', isCertain: true },
  { path: '.cursor/worktrees/*/?', isCertain: true },
  { path: '.superset/worktrees/*/?', isCertain: true },
  { path: 'conductor/workspaces/*/?', isCertain: true },
  { path: '.claude-worktrees/*/?', isCertain: true },
  { path: '.twig/worktrees/?/*', isCertain: true },
  // Older versions have no folder of the repository, so this may be a subfolder.
  { path: '.vibe-kanban-workspaces/?/*', isCertain: false },
  { path: 'vibe-kanban/worktrees/?/*', isCertain: false },
]

function inSharedFolder(folder: string): WorktreePath | undefined {
  const parts = folder.split(/[\\/]/)
  for (const { path, isCertain } of sharedFolders) {
    const wanted = path.split('/')
    const fixed = wanted.slice(0, -2)
    const at = parts.findIndex((_, index) => fixed.every((part, offset) => parts[index + offset] === part))
    const [first, second] = at < 0 ? [] : parts.slice(at + fixed.length)
    if (!first || !second) continue
    const near = firstParts(folder, at)
    // Inside a repository the same folder holds worktrees of that repository alone.
    if (isCertain && !isHome(near)) continue
    const user = isHome(near) ? near : ''
    const name = wanted.at(-1) === '*' ? second : first
    const base = firstParts(folder, at + fixed.length)
    return { kind: 'name', name, group: `${base}${separatorOf(folder)}${name}`, near: user, isCertain }
  }
  return undefined
}

/**
 * `<repo>/.worktrees/<name>`, `<repo>/.claude/worktrees/<name>` (also of other agents),
 * `<repo>/.claude-worktrees/<name>`, `<repo>/.conductor/<name>`. `<repo>/worktrees/<name>` is not
 * certain: the folder may as well hold repositories and worktrees of all of them.
 */
function inRepository(folder: string): WorktreePath | undefined {
  const hidden = /^(.+?)[\\/]\.(?:[^\\/]+[\\/])?(?:[^\\/]+-)?worktrees?[\\/][^\\/]/.exec(folder)?.[1]
  const root = hidden ?? /^(.+?)[\\/]\.conductor[\\/][^\\/]/.exec(folder)?.[1]
  if (root !== undefined) return isHome(root) ? undefined : { kind: 'root', root, isCertain: !isCollection(root) }
  const plain = /^(.+?)[\\/]worktrees[\\/][^\\/]/.exec(folder)?.[1]
  return plain === undefined || isHome(plain) ? undefined : { kind: 'root', root: plain, isCertain: false }
}

/** `<repo>.worktrees/<name>` (VS Code) and `<repo>__worktrees/<name>`; not certain: `<repo>-worktrees`. */
function besideRepository(folder: string): WorktreePath | undefined {
  const [, root, mark] = /^(.*[^\\/._-])(\.|__|_|-)worktrees[\\/][^\\/]/.exec(folder) ?? []
  if (root === undefined || isHome(root)) return undefined
  return { kind: 'root', root, isCertain: mark === '.' || mark === '__' }
}

/** A user's folder, or the root of a file system. */
export function isHome(folder: string): boolean {
  return /^(?:(?:[A-Za-z]:)?[\\/](?:(?:Users|home)[\\/][^\\/]+|root|Users|home)?|[A-Za-z]:)[\\/]?$/.test(folder)
}

/** A folder that usually holds repositories and is none, by its name. */
export function isCollection(folder: string): boolean {
  const name = folder.split(/[\\/]/).at(-1) ?? ''
  return isHome(folder) || collectionNames.has(name.toLowerCase())
}

const collectionNames: ReadonlySet<string> = new Set(
  `code coding src source sources dev devel develop development projects repos repositories git github
  gitlab work works workspace workspaces documents desktop downloads tmp temp t var opt mnt srv volumes media worktrees`.split(
    /\s+/,
  ),
)

/** Whether a path is the folder or below it. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || (path.startsWith(folder) && /[\\/]/.test(path[folder.length] ?? ''))
}

function firstParts(folder: string, count: number): string {
  const separator = separatorOf(folder)
  return folder.split(/[\\/]/).slice(0, count).join(separator)
}

function separatorOf(folder: string): string {
  return folder.includes('/') ? '/' : '\\'
}
