// The package as npm publishes it, and commands that can write only into one folder.
import { execFileSync, spawnSync } from 'node:child_process'
import { realpathSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')

/** The folder of npm itself, which may be another one than that of Node. */
export const npmFolder = dirname(
  execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim() || process.execPath,
)

/** Packs what is built into a folder; returns the path and the size of the archive. */
export function packInto(folder: string): { path: string; bytes: number } {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  const name = execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim().split('\n').at(-1)!
  const path = realpathSync(join(folder, name))
  return { path, bytes: statSync(path).size }
}

/** The command line with everything but the folder read-only; as it is where mounting is not allowed. */
export function writingOnlyTo(folder: string, command: string[]): string[] {
  const script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro / && cd "$0" && exec "$@"'
  for (const flags of ['-m', '-rm']) {
    const inside = ['unshare', flags, 'sh', '-c', script, folder]
    if (spawnSync(inside[0]!, [...inside.slice(1), 'true']).status === 0) return [...inside, ...command]
  }
  return command
}
