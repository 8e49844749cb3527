// How this program was installed, told from where it is, and the command that installs a newer one.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { typedCommand } from '../core/shell/command-line.ts'

export interface Installation {
  /** As told to the user. */
  by: string
  upgrade: string
  /** Whether hooks have to be renewed afterwards: they know the path of the program. */
  hasHooks: boolean
}

/** `cli` is the real path of the program that runs. */
export function installationOf(cli: string): Installation {
  const path = cli.replaceAll('\\', '/')
  for (const [pattern, by, upgrade] of managers) {
    if (pattern.test(path)) return { by, upgrade, hasHooks: by !== 'npx' }
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
      upgrade: typedCommand('npm', 'install', '--prefix', project, 'recollect@latest'),
      hasHooks: true,
    }
  return { by: 'npm', upgrade: 'npm install -g recollect@latest', hasHooks: true }
}

/** Folders that the package managers use, as documented by them. */
const managers: [RegExp, string, string][] = [
  [/\/_npx\//, 'npx', 'npx -y recollect@latest'],
  [/\/Cellar\/recollect\//, 'Homebrew', 'brew upgrade recollect'],
  [/\/pnpm\/(?:global\/|.*\/global\/)/, 'pnpm', 'pnpm add -g recollect@latest'],
  [/\/\.bun\/install\/global\//, 'Bun', 'bun add -g recollect@latest'],
  [/\/yarn\/(?:Data\/)?global\//, 'Yarn', 'yarn global add recollect@latest'],
]
