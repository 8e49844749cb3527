// The folder in which the forked judge writes its memories: created for one run, read once,
// removed.
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Clock } from '../../core/clock.ts'

export interface StagedFile {
  /** Relative to the folder, with slashes. */
  path: string
  text: string
}

export function makeStaging(run: string, clock: Clock): string {
  mkdirSync(run, { recursive: true, mode: 0o700 })
  removeLeftovers(run, clock)
  return realpathSync(mkdtempSync(join(run, prefix)))
}

const prefix = 'fork-'
const staleMs = 3_600_000

/** Workspaces of runs that were killed. */
function removeLeftovers(run: string, clock: Clock): void {
  for (const name of readdirSync(run).filter((entry) => entry.startsWith(prefix))) {
    const folder = join(run, name)
    const touchedMs = statSync(folder, { throwIfNoEntry: false })?.mtimeMs
    if (touchedMs !== undefined && clock.nowMs() - touchedMs > staleMs) rmSync(folder, { recursive: true, force: true })
  }
}

const maxFiles = 20
const maxBytes = 20_000

/** Reads the memories: plain files of a sensible size, without the index. */
export function readStaging(staging: string): StagedFile[] {
  return readdirSync(staging, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !/(?:^|[\\/])MEMORY\.md$/i.test(path))
    .map((path) => join(staging, path))
    .filter((path) => {
      const stat = lstatSync(path)
      return stat.isFile() && stat.size > 0 && stat.size <= maxBytes
    })
    .sort()
    .slice(0, maxFiles)
    .map((path) => ({ path: relative(staging, path).replaceAll('\\', '/'), text: readFileSync(path, 'utf8') }))
}

export function removeStaging(staging: string): void {
  rmSync(staging, { recursive: true, force: true, maxRetries: 3 })
}
