// Parses the command line, runs one command and prints its errors. What a command does is in the
// stages; the commands only read options and print results.
import { Command, CommanderError, Help } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { createApp, pagerFor, terminalColumns, wantsColour } from '../app.ts'
import { hintOf, messageOf, systemMessage, UserError } from '../core/errors.ts'
import { isDamaged } from '../core/sqlite.ts'
import { suspectDamage } from '../store/recovery/ledger-files.ts'
import type { CommandContext } from './command.ts'
import { type AddCommand, commandFor, commandNames, loadCommand, pagedCommands } from './commands.ts'
import { maxHelpColumns, pointToHelp, programHelp } from './help.ts'
import { openOutput } from './output-stream.ts'
import { createTerminal, printable, type Terminal } from './terminal.ts'

export async function run(given: string[]): Promise<void> {
  const { argv, wantsPager } = normalise(given)
  const program = new Command('recollect')
  let opened: OpenTerminal | undefined
  const open = () => {
    opened ??= openTerminal(wantsPager)
    return opened
  }
  const cli: CommandContext = {
    program,
    // On first use: `mcp` answers without one.
    get terminal() {
      return open().terminal
    },
    exit: setExitCode,
  }
  program
    .summary('Show an overview and capture new sessions')
    .description('Memory for coding agents: what was asked, what was done, what was learned.')
    .version(manifest.version, '-V, --version', 'Show the version')
    .option('--json', 'Print JSON')
    .option('--no-pager', 'Print long output without a pager')
    .helpOption('-h, --help', 'Show help')
    .configureHelp({
      minWidthToWrap: 20,
      formatHelp: (command, help) =>
        command === program
          ? programHelp(program, help.helpWidth)
          : Help.prototype.formatHelp.call(help, command, help),
    })
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => Math.min(cli.terminal.columns, maxHelpColumns),
      writeOut: (text) => process.stdout.write(printable(text)),
      writeErr: (text) => process.stderr.write(printable(text)),
    })
    .showSuggestionAfterError()
  for (const add of await commandsFor(argv)) add(cli)
  pointToHelp(program, 'recollect')
  // `recollect --json sessions` means the same as `recollect sessions --json`.
  program.hook('preAction', (_, command) => {
    if (program.opts().json) command.setOptionValue('json', true)
    if (pagedCommands.has(pathOf(command)) && !command.opts().json) cli.terminal.hold()
  })
  process.umask(0o077) // files created from here on are readable by the user only
  try {
    await program.parseAsync(argv)
    cli.terminal.release()
    if (open().isForPerson && !argv.includes('--json')) await sayUpgraded(cli.terminal.say)
  } catch (error) {
    cli.terminal.release()
    process.exitCode = report(error, (text) => cli.terminal.say(text))
  }
}

interface OpenTerminal {
  terminal: Terminal
  /** Whether both outputs go to a terminal. */
  isForPerson: boolean
}

function openTerminal(wantsPager: boolean): OpenTerminal {
  const stdout = openOutput(1, () => process.stdout)
  const stderr = openOutput(2, () => process.stderr)
  const terminal = createTerminal(stdout, stderr, {
    colour: wantsColour(stdout),
    columns: terminalColumns(stdout),
    ...(stdout.rows === undefined ? {} : { rows: stdout.rows }),
    pager: wantsPager ? pagerFor(stdout) : undefined,
  })
  // A reader that closes the pipe early (`| head`) is not an error.
  stdout.onError((error) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
    terminal.say(`Could not write the output: ${error.message}`)
    process.exit(3)
  })
  // Messages that nobody reads must not stop a command.
  stderr.onError(() => {})
  return { terminal, isForPerson: stdout.isTTY === true && stderr.isTTY === true }
}

/** Global options may stand anywhere, and a command may have a name that people know from elsewhere. */
function normalise(given: string[]): { argv: string[]; wantsPager: boolean } {
  const end = given.indexOf('--')
  const isOption = (word: string, at: number) => word === '--no-pager' && (end < 0 || at < end)
  const argv = given.filter((word, at) => !isOption(word, at))
  const at = argv.findIndex((word, index) => index > 1 && word !== '--json')
  const command = at < 0 ? undefined : commandFor(argv[at]!)
  return { argv: command === undefined ? argv : argv.with(at, command), wantsPager: argv.length === given.length }
}

/** The names of a command and those above it, without the program. */
function pathOf(command: Command): string {
  const names: string[] = []
  for (let one: Command | null = command; one?.parent; one = one.parent) names.unshift(one.name())
  return names.join(' ')
}

/** Loads only the command that is named; all of them for the help and for an unknown name. */
async function commandsFor(argv: string[]): Promise<AddCommand[]> {
  const [first] = argv.slice(2).filter((word) => word !== '--json')
  const isAboutAll = first === 'completion'
  if (first !== undefined && commandNames.includes(first) && !isAboutAll) return [await loadCommand(first)]
  if (first !== undefined && /^(?:-V|--version)$/.test(first)) return []
  const { addOverview } = await import('./overview.ts')
  if (first === undefined) return [addOverview]
  const { addHelp } = await import('./guides.ts')
  return [addOverview, addHelp, ...(await Promise.all(commandNames.map(loadCommand)))]
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
  const { root } = createApp({ ignoresConfig: true }).layout
  const hint = hintOf(error, root)
  if (hint) {
    say(`${systemMessage(error, root)}\n${hint}`)
    return 3
  }
  say(`Something went wrong: ${messageOf(error)}`)
  say(error instanceof Error && error.stack ? error.stack.split('\n').slice(1, 6).join('\n') : '')
  say('No captured data is lost. To find out what is wrong: recollect doctor')
  return 3
}
