import { mkdirSync } from 'node:fs'
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
  }
}

export function makeHome(layout: Layout): void {
  for (const folder of [layout.root, layout.bodies, layout.run]) mkdirSync(folder, { recursive: true, mode: 0o700 })
}

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
  const source = pattern
    .replace(/[/\\]+$/, '')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*|\*|\?/g, (star) => (star === '**' ? '.*' : star === '*' ? '[^/\\\\]*' : '.'))
  return new RegExp(`^${source}(?:[/\\\\]|$)`).test(text)
}

/** The computer that the program runs on. Read once in app.ts and passed as data. */
export interface Machine {
  home: string
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** Host name. */
  name?: string
}
