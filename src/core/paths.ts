import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Paths of all files of Recollect, below $RECOLLECT_HOME. */
export interface Layout {
  root: string
  config: string
  ledger: string
  bodies: string
  backups: string
  run: string
  logs: string
  vault: string
  spool: string
  /** Prepared output of the start hook. */
  briefs: string
  /** What was deleted and can be restored for a day, a folder per deletion. */
  deleted: string
}

/** Folder of Recollect's data: `$RECOLLECT_HOME`, else `~/.recollect`. */
export function storeRoot({ home, env }: Machine): string {
  return env.RECOLLECT_HOME || join(home, '.recollect')
}

export function layoutOf(root: string): Layout {
  return {
    root,
    config: join(root, 'config.toml'),
    ledger: join(root, 'ledger.db'),
    bodies: join(root, 'bodies'),
    backups: join(root, 'backups'),
    run: join(root, 'run'),
    logs: join(root, 'logs'),
    vault: join(root, 'vault'),
    spool: join(root, 'spool'),
    briefs: join(root, 'briefs'),
    deleted: join(root, 'deleted'),
  }
}

/** Folder below `run` in which a program asks a model for us. */
export const judgeFolder = 'judge'

export function makeHome(layout: Layout): void {
  for (const folder of [layout.root, layout.bodies, layout.run]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  closeToOthers(layout)
}

/**
 * Removes the permissions of other users from an existing folder that holds nothing but our data. A
 * folder that is shared on purpose, such as /tmp, has other files or the sticky bit.
 */
function closeToOthers({ root, ledger }: Layout): void {
  if (process.platform === 'win32') return
  const { mode, uid } = statSync(root)
  if ((mode & 0o077) === 0 || (mode & 0o1000) !== 0 || uid !== process.getuid?.()) return
  const isOurs = existsSync(ledger) || readdirSync(root).every((name) => ownNames.has(name))
  if (isOurs) chmodSync(root, mode & 0o700)
}

const ownNames = new Set([
  'bodies',
  'run',
  'config.toml',
  'bin',
  'spool',
  'briefs',
  'logs',
  'vault',
  'backups',
  'deleted',
])

/** Expands `~/x` as used in configuration files. */
export function expandHome(path: string, home: string): string {
  if (path === '~') return home
  return path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(2)) : path
}

/**
 * Whether a path matches the pattern or is below it; `*` matches part of one name, `**` any number
 * of folders.
 */
export function matchesGlob(text: string, pattern: string): boolean {
  return globPattern(pattern).test(text)
}

/** The same for many paths. */
export function globPattern(pattern: string): RegExp {
  const source = pattern
    .replace(/[/\\]+$/, '')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*|\*|\?/g, (star) => (star === '**' ? '.*' : star === '*' ? '[^/\\\\]*' : '.'))
  return new RegExp(`^${source}(?:[/\\\\]|$)`)
}

/** The computer that the program runs on. Read once in app.ts and passed as data. */
export interface Machine {
  home: string
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** Host name. */
  name?: string
}

/**
 * A path inside a folder without that folder, with forward slashes; undefined for any other path.
 * Both may come from a machine with the other kind of slashes.
 */
export function pathInside(folder: string, path: string): string | undefined {
  const [base, full] = [folder, path].map((one) => one.replaceAll('\\', '/').replace(/\/+$/, ''))
  if (!/^(?:\/|[A-Za-z]:)/.test(full!)) return full
  const isWindows = /^[A-Za-z]:/.test(full!)
  const isInside = isWindows ? full!.toLowerCase().startsWith(`${base!.toLowerCase()}/`) : full!.startsWith(`${base}/`)
  return isInside ? full!.slice(base!.length + 1) : undefined
}

/** The path as people write it: `~` for the home folder. */
export function shortPath(path: string, home: string): string {
  const inside = pathInside(home, path)
  return inside === undefined || inside === path ? path : `~/${inside}`
}
