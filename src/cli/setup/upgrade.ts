import { execFile } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { promisify } from 'node:util'
import { createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { findPackageFile } from '../../core/package-files.ts'
import type { Machine } from '../../core/paths.ts'
import { installationOf, repository } from '../../install/installation.ts'
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
    .option('--check', 'Ask the repository for the latest version; otherwise nothing is sent')
    .option('--notes', 'Only show what is new since the version that was used before')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect upgrade', 'recollect upgrade --check', 'recollect upgrade --notes'))
    .action(async (options: Options) => {
      const { layout, machine } = createApp({ ignoresConfig: true })
      const version = program.version()!
      noteVersion(layout, version) // the notes below say more than the line
      const used = usedVersion(layout)
      const since = used?.previous ?? version
      const notes = notesAfter(readChangelog(), since)
      const latest = options.check ? await latestVersion(machine) : undefined
      const installation = installationOf(realpathSync(process.argv[1]!), latest)
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

/**
 * The highest version that the repository has a tag of. git is asked, because it knows the proxy of
 * the user; npm would name whatever package has our name there.
 */
async function latestVersion({ env }: Machine): Promise<string> {
  const args = ['ls-remote', '--tags', '--refs', '--', repository, 'v*']
  try {
    const options = { timeout: 30_000, env: { ...env, GIT_TERMINAL_PROMPT: '0' } }
    const { stdout } = await promisify(execFile)('git', args, options)
    const versions = [...stdout.matchAll(/refs\/tags\/v(\d+\.\d+\.\d+)$/gm)].map(([, version]) => version!)
    if (versions.length > 0) return versions.toSorted(compareVersions).at(-1)!
  } catch (error) {
    const { code, stderr = '', message } = error as { code?: string; stderr?: string; message: string }
    if (code === 'ENOENT') throw new UserError('git is not installed', `Install it, or look at ${repository}/releases`)
    const reason = stderr.trim().split('\n')[0] || message.split('\n')[0]
    throw new UserError(
      `The repository could not be asked: ${reason}`,
      `Check the network, then try again: ${repository}`,
      3,
    )
  }
  throw new UserError('No version is released yet', `See ${repository}`, 1)
}
