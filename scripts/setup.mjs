// Installs what the lockfile names when node_modules is missing or older than the lockfile, and builds dist when it is
// older than the sources. Uses nothing but Node itself, so that it runs on an old Node right after a clone.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The Node that the dev dependency `node` brings; the one that runs this script may be older. */
export function nodeBinary() {
  const own = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  return existsSync(own) ? own : process.execPath
}

export function install() {
  const marker = join(root, 'node_modules', '.package-lock.json')
  const lock = join(root, 'package-lock.json')
  if (existsSync(marker) && statSync(marker).mtimeMs >= statSync(lock).mtimeMs) return
  console.error('Installing dependencies (once) ...')
  const npm = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (npm.status !== 0) {
    console.error('npm ci failed. Check the network and run it again: npm ci')
    process.exit(1)
  }
}

export function build() {
  const built = join(root, 'dist', 'cli.js')
  if (existsSync(built) && statSync(built).mtimeMs >= newest(join(root, 'src'))) return
  const result = spawnSync(nodeBinary(), [join(root, 'scripts', 'build.mjs')], { cwd: root, stdio: ['ignore', 2, 2] })
  if (result.status !== 0) process.exit(1)
}

function newest(path) {
  const own = statSync(path).mtimeMs
  if (!statSync(path).isDirectory()) return own
  return readdirSync(path).reduce((latest, name) => Math.max(latest, newest(join(path, name))), own)
}
