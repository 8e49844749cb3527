// How this program was installed, told from where it is, and the command that installs a newer one.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import manifest from '../../package.json' with { type: 'json' }
import { typedCommand } from '../core/shell/command-line.ts'

export interface Installation {
  /** As told to the user. */
  by: string
  upgrade: string
  /** Whether hooks have to be renewed afterwards: they know the path of the program. */
  hasHooks: boolean
}

/** The address of the repository, from package.json. */
export const repository = manifest.repository.url.replace(/^git\+|\.git$/g, '')

/** `cli` is the real path of the program that runs, `version` the one to upgrade to if it is known. */
export function installationOf(cli: string, version?: string): Installation {
  const archive = archiveOf(version)
  const path = cli.replaceAll('\\', '/')
  for (const [pattern, by, upgrade] of managers) {
    if (pattern.test(path)) return { by, upgrade: upgrade.replace('<archive>', archive), hasHooks: by !== 'npx' }
  }
  const inRoot = dirname(dirname(cli))
  if (existsSync(join(inRoot, 'src', 'cli', 'main.ts')))
    return {
      by: 'a checkout of the repository',
      upgrade: `${typedCommand('git', '-C', inRoot, 'pull')} && ${typedCommand('npm', '--prefix', inRoot, 'run', 'build')}`,
      hasHooks: true,
    }
  const project = dirname(dirname(inRoot))
  if (existsSync(join(project, 'package.json')))
    return {
      by: `npm, in ${project}`,
      upgrade: `${typedCommand('npm', 'install', '--prefix', project)} ${archive}`,
      hasHooks: true,
    }
  return { by: 'npm', upgrade: `npm install -g ${archive}`, hasHooks: true }
}

/** An archive of a release: the name on npm may be somebody else's. */
function archiveOf(version: string | undefined): string {
  const releases = `${repository}/releases`
  return version === undefined
    ? `<the archive from ${releases}/latest>`
    : `${releases}/download/v${version}/recollect-${version}.tgz`
}

/** Folders that the package managers use, as documented by them. */
const managers: [RegExp, string, string][] = [
  [/\/_npx\//, 'npx', 'npx -y <archive>'],
  [/\/Cellar\/recollect\//, 'Homebrew', 'brew upgrade recollect'],
  [/\/pnpm\/(?:global\/|.*\/global\/)/, 'pnpm', 'pnpm add -g <archive>'],
  [/\/\.bun\/install\/global\//, 'Bun', 'bun add -g <archive>'],
  [/\/yarn\/(?:Data\/)?global\//, 'Yarn', 'yarn global add <archive>'],
]
