// Parses the command line, runs one command and prints its errors. What a command does is in the
// stages; the commands only read options and print results.
import { Command, CommanderError, Help } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { createApp, terminalColumns, wantsColour } from '../app.ts'
import { hintOf, messageOf, UserError } from '../core/errors.ts'
import { isDamaged } from '../core/sqlite.ts'
import { suspectDamage } from '../store/recovery/ledger-files.ts'
import type { CommandContext } from './command.ts'
import { type AddCommand, commandNames, loadCommand } from './commands.ts'
import { pointToHelp, programHelp } from './help.ts'
import { createTerminal, printable } from './terminal.ts'

export async function run(argv: string[]): Promise<void> {
  const terminal = createTerminal(process.stdout, process.stderr, {
    colour: wantsColour(process.stdout),
    columns: terminalColumns(process.stdout),
  })
  const program = new Command('recollect')
  const cli: CommandContext = { program, terminal, exit: setExitCode }
  program
    .summary('Capture new sessions, then show an overview')
    .description('Memory for coding agents: what was asked, what was done, what was learned.')
    .version(manifest.version, '-V, --version', 'Show the version')
    .option('--json', 'Print JSON')
    .helpOption('-h, --help', 'Show help')
    .helpCommand('help [command]', 'Show help for a command')
    .configureHelp({
      formatHelp: (command, help) =>
        command === program ? programHelp(program) : Help.prototype.formatHelp.call(help, command, help),
    })
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => process.stdout.write(printable(text)),
      writeErr: (text) => process.stderr.write(printable(text)),
    })
    .showSuggestionAfterError()
  for (const add of await commandsFor(argv)) add(cli)
  pointToHelp(program, 'recollect')
  // A reader that closes the pipe early (`| head`) is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
    terminal.say(`Could not write the output: ${error.message}`)
    process.exit(3)
  })
  // `recollect --json sessions` means the same as `recollect sessions --json`.
  program.hook('preAction', (_, command) => {
    if (program.opts().json) command.setOptionValue('json', true)
  })
  if (argv.slice(2).join(' ') === 'help --man') {
    const { manPage } = await import('./completion/man-page.ts')
    return terminal.print(manPage(program))
  }
  process.umask(0o077) // files created from here on are readable by the user only
  try {
    await program.parseAsync(argv)
    if (process.stdout.isTTY && process.stderr.isTTY && !argv.includes('--json')) await sayUpgraded(terminal.say)
  } catch (error) {
    process.exitCode = report(error, (text) => terminal.say(text))
  }
}

/** Loads only the command that is named; all of them for the help and for an unknown name. */
async function commandsFor(argv: string[]): Promise<AddCommand[]> {
  const [first] = argv.slice(2).filter((word) => word !== '--json')
  const isAboutAll = first === 'completion'
  if (first !== undefined && commandNames.includes(first) && !isAboutAll) return [await loadCommand(first)]
  if (first !== undefined && /^(?:-V|--version)$/.test(first)) return []
  const { addOverview } = await import('./overview.ts')
  return first === undefined ? [addOverview] : [addOverview, ...(await Promise.all(commandNames.map(loadCommand)))]
}

/** Once after an upgrade, and only to a person. */
async function sayUpgraded(say: (text: string) => void): Promise<void> {
  const { noteVersion } = await import('./setup/used-version.ts')
  const line = noteVersion(createApp({ ignoresConfig: true }).layout, manifest.version)
  if (line) say(line)
}

function setExitCode(code: number): void {
  process.exitCode = code
}

/** The next sweep then checks the ledger. */
function noteDamage(error: unknown): void {
  suspectDamage(createApp({ ignoresConfig: true }).layout, error)
}

/** The one place that prints errors. */
function report(error: unknown, say: (text: string) => void): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UserError) {
    say(`${error.message}\n${error.hint}`)
    return error.exitCode
  }
  if (isDamaged(error)) noteDamage(error)
  const hint = hintOf(error, createApp({ ignoresConfig: true }).layout.root)
  if (hint) {
    say(`${isDamaged(error) ? `The ledger is damaged: ${messageOf(error)}` : messageOf(error)}\n${hint}`)
    return 3
  }
  say(`Something went wrong: ${messageOf(error)}`)
  say(error instanceof Error && error.stack ? error.stack.split('\n').slice(1, 6).join('\n') : '')
  say('No captured data is lost. To find out what is wrong: recollect doctor')
  return 3
}
