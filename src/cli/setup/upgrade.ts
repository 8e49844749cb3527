import { execFile } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { promisify } from 'node:util'
import { createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { findPackageFile } from '../../core/package-files.ts'
import { installationOf } from '../../install/installation.ts'
import { type CommandContext, examples } from '../command.ts'
import { compareVersions, notesAfter, type ReleaseNotes } from './release-notes.ts'
import { noteVersion, usedVersion } from './used-version.ts'

interface Options {
  check?: boolean
  notes?: boolean
  json?: boolean
}

export function addUpgrade({ program, terminal }: CommandContext): void {
  program
    .command('upgrade')
    .description('Show the version, how to upgrade it, and what is new')
    .option('--check', 'Ask the npm registry for the latest version; otherwise nothing is sent')
    .option('--notes', 'Only show what is new since the version that was used before')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect upgrade', 'recollect upgrade --check', 'recollect upgrade --notes'))
    .action(async (options: Options) => {
      const { layout } = createApp({ ignoresConfig: true })
      const version = program.version()!
      noteVersion(layout, version) // the notes below say more than the line
      const used = usedVersion(layout)
      const since = used?.previous ?? version
      const notes = notesAfter(readChangelog(), since)
      const installation = installationOf(realpathSync(process.argv[1]!))
      const latest = options.check ? await latestVersion() : undefined
      if (options.json) {
        const { by, upgrade } = installation
        return terminal.json({ version, previous: used?.previous ?? null, installedBy: by, upgrade, latest, notes })
      }
      if (!options.notes) {
        terminal.print(`Recollect ${version} (${installation.by})`)
        if (latest !== undefined && compareVersions(latest, version) <= 0)
          return terminal.print(`The latest version is ${latest}: nothing to do.`)
        if (latest !== undefined) terminal.print(`The latest version is ${latest}.`)
        terminal.print(`To upgrade: ${installation.upgrade}`)
        if (installation.hasHooks) terminal.print('Then renew hooks: recollect install')
      }
      if (options.notes || notes.length > 0) printNotes(terminal.print, notes, since)
    })
}

function printNotes(print: (text: string) => void, notes: readonly ReleaseNotes[], since: string): void {
  if (notes.length === 0) return print(`Nothing is new since ${since}.`)
  for (const { version, text } of notes) print(`\n${version}\n\n${text}`)
}

function readChangelog(): string {
  const path = findPackageFile('CHANGELOG.md')
  return path ? readFileSync(path, 'utf8') : ''
}

/** npm is asked, because it knows the registry, proxy and keys that the user has configured. */
async function latestVersion(): Promise<string> {
  const args = ['view', 'recollect', 'version', '--json', '--fetch-retries=0', '--fetch-timeout=10000']
  try {
    const { stdout } = await promisify(execFile)('npm', args, { timeout: 30_000, shell: process.platform === 'win32' })
    return JSON.parse(stdout) as string
  } catch (error) {
    const { code, stdout = '', message } = error as { code?: string; stdout?: string; message: string }
    if (code === 'ENOENT') throw new UserError('npm is not installed', 'Install it, or look at the releases yourself.')
    throw new UserError(
      `The npm registry could not be asked: ${registryError(stdout) ?? message.split('\n')[0]}`,
      'Check the network and `npm config get registry`, then try again.',
      3,
    )
  }
}

/** npm prints errors as JSON, too. */
function registryError(stdout: string): string | undefined {
  try {
    const { error } = JSON.parse(stdout) as { error?: { code?: string; summary?: string } }
    return error && [error.code, error.summary?.split('\n')[0]].filter(Boolean).join(': ')
  } catch {
    return undefined
  }
}
