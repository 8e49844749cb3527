// The command line: parses, calls, prints. What a command does lies in the stages; how it is shown, beside this file.
import { Command, CommanderError } from 'commander'
import manifest from '../../package.json' with { type: 'json' }
import { wantsColour } from '../app.ts'
import { hintOf, messageOf, UserError } from '../core/errors.ts'
import type { CommandContext } from './command.ts'
import { type CommandName, commandNames, loadCommand } from './commands.ts'
import { createTerminal } from './terminal.ts'

export async function run(argv: string[]): Promise<void> {
  const terminal = createTerminal(process.stdout, process.stderr, { colour: wantsColour(process.stdout) })
  const program = new Command('recollect')
  const cli: CommandContext = { program, terminal, exit: setExitCode }
  program
    .description('Memory for coding agents: what was asked, what was done, how it ended, what it cost.')
    .version(manifest.version)
    .option('--json', 'data as JSON on standard output')
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(text) })
    .showSuggestionAfterError()
  for (const name of wanted(argv)) (await loadCommand(name))(cli)
  // A reader that closes early (`| head`) is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0)
    process.stderr.write(`The output could not be written: ${error.message}\n`)
    process.exit(3)
  })
  // `recollect --json sessions` means the same as `recollect sessions --json`.
  program.hook('preAction', (_, command) => {
    if (program.opts().json) command.setOptionValue('json', true)
  })
  process.umask(0o077) // whatever is made from here on is the user's alone
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error, (text) => terminal.say(text))
  }
}

/** Only the command that was asked for is loaded; all of them for help, and where none has that name. */
function wanted(argv: string[]): readonly CommandName[] {
  const asked = argv.slice(2).filter((word) => word !== '--json')
  if (asked.length === 0) return ['overview']
  const name = commandNames.find((one) => one === asked[0] && one !== 'overview')
  return name ? [name] : /^(?:-V|--version)$/.test(asked[0]!) ? [] : commandNames
}

function setExitCode(code: number): void {
  process.exitCode = code
}

/** Every error is printed here, once. */
function report(error: unknown, say: (text: string) => void): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof UserError) {
    say(`${error.message}\n${error.hint}`)
    return error.exitCode
  }
  const hint = hintOf(error)
  if (hint) {
    say(`${messageOf(error)}\n${hint}`)
    return 3
  }
  say(`Something went wrong: ${messageOf(error)}`)
  say(error instanceof Error && error.stack ? error.stack.split('\n').slice(1, 6).join('\n') : '')
  say('Nothing that was captured is lost. "recollect doctor" shows what can be repaired.')
  return 3
}
