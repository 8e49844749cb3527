import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Where everything of ours lives, below $RECOLLECT_HOME. */
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
  /** What the start hook prints, prepared. */
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

/** `~/x` as people write it in a configuration file. */
export function expandHome(path: string, home: string): string {
  if (path === '~') return home
  return path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(2)) : path
}

/** Whether a text is the pattern, or lies below it; `*` stands for any part of one name, `**` for any number of folders. */
export function matchesGlob(text: string, pattern: string): boolean {
  const source = pattern
    .replace(/[/\\]+$/, '')
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*\*|\*|\?/g, (star) => (star === '**' ? '.*' : star === '*' ? '[^/\\\\]*' : '.'))
  return new RegExp(`^${source}(?:[/\\\\]|$)`).test(text)
}

/** What the program knows of the computer it runs on. Read once, in app.ts; passed as data from there. */
export interface Machine {
  home: string
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
  /** What it is called. */
  name?: string
}
