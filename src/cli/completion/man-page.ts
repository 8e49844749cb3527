// The manual page in the man macros of roff, from the same definitions as the help.
import type { Command } from 'commander'
import { commandGroups } from '../commands.ts'

export function manPage(program: Command): string {
  const named = new Map(program.commands.map((command) => [command.name(), command]))
  const groups = [...commandGroups].flatMap(([title, names]) => [
    `.SS ${roff(title)}`,
    ...names.flatMap((name) => commandLines(named.get(name)!, name)),
  ])
  return [
    `.TH RECOLLECT 1 "" "recollect ${program.version()}" "User Commands"`,
    '.SH NAME',
    `recollect \\- ${roff('memory for coding agents')}`,
    '.SH SYNOPSIS',
    '.B recollect',
    '.RI [ command ]\n.RI [ options ]',
    '.SH DESCRIPTION',
    roff(program.description()),
    '.PP',
    roff(
      'Recollect reads the transcripts that coding agents leave on this machine into one store, makes them searchable, learns from them, and gives the result to the next session. Without a command it captures new sessions and shows an overview.',
    ),
    '.PP',
    `Every command that prints data takes ${bold('--json')}.`,
    '.SH OPTIONS',
    ...optionLines(program),
    '.SH COMMANDS',
    ...groups,
    '.SH ENVIRONMENT',
    ...environment.flatMap(([name, text]) => entry(bold(name), text)),
    '.SH FILES',
    ...entry(
      italic('~/.recollect'),
      'The store: configuration (config.toml), ledger, journal, wiki. Deleting it deletes all data.',
    ),
    '.SH EXIT STATUS',
    ...exitCodes.flatMap(([code, text]) => entry(bold(code), text)),
    '.SH EXAMPLES',
    ...examplesOf(program),
    '.SH SEE ALSO',
    `${bold('recollect help')} ${italic('command')} shows the help of a command with all of its examples.`,
  ].join('\n')
}

const environment: [string, string][] = [
  ['RECOLLECT_HOME', 'Folder of the store, instead of ~/.recollect.'],
  ['DATABASE_URL', 'Database of the server, see recollect server.'],
  ['RECOLLECT_INTERNAL', 'If set, hooks ignore the session: for programs that start agents.'],
  ['NO_COLOR', 'If set, no colours are printed.'],
]

const exitCodes: [string, string][] = [
  ['0', 'Success.'],
  ['1', 'Nothing was found.'],
  ['2', 'The command or its arguments are wrong, or something has to be done first.'],
  ['3', 'Something failed. No captured data is lost.'],
]

function commandLines(command: Command, path: string): string[] {
  const own = command
    .createHelp()
    .visibleCommands(command)
    .filter((child) => child.name() !== 'help')
  return [
    '.TP',
    `${bold(path)}${argumentUsage(command)}`,
    roff(command.description()),
    '.RS',
    ...optionLines(command),
    '.RE',
    ...own.flatMap((child) => commandLines(child, `${path} ${child.name()}`)),
  ]
}

function argumentUsage(command: Command): string {
  return command.registeredArguments
    .map((argument) => {
      const name = `${italic(argument.name())}${argument.variadic ? '...' : ''}`
      return argument.required ? ` ${name}` : ` [${name}]`
    })
    .join('')
}

/** Options that all commands have are listed once, with those of the program. */
function optionLines(command: Command): string[] {
  return command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => command.parent === null || (long !== '--help' && long !== '--json'))
    .flatMap((option) => entry(flagsOf(option.flags), option.description))
}

/** Values stand in angle brackets, or in square ones if they can be left out. */
function flagsOf(flags: string): string {
  return flags
    .split(/(<[^>]+>|\[[^\]]+\])/)
    .map((part) => (part.startsWith('<') ? italic(part.slice(1, -1)) : part.trim() === '' ? roff(part) : bold(part)))
    .join('')
}

function entry(term: string, text: string): string[] {
  return ['.TP', term, roff(text)]
}

/** The examples are text that follows the help, so that is where they are taken from. */
function examplesOf(program: Command): string[] {
  let text = ''
  // Commander keeps them in listeners, and its types do not say that a command is an emitter.
  const emitter = program as unknown as NodeJS.EventEmitter
  emitter.emit('afterHelp', { error: false, command: program, write: (part: string) => (text += part) })
  const lines = text.split('\n').flatMap((line) => (line.startsWith('  ') ? [line.trim()] : []))
  return ['.nf', ...lines.map(roff), '.fi']
}

function bold(text: string): string {
  return `\\fB${roff(text)}\\fR`
}

function italic(text: string): string {
  return `\\fI${roff(text)}\\fR`
}

/** Text that roff prints as it is: no escapes, no requests, hyphens as they are typed. */
function roff(text: string): string {
  return text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/[^ -~\n]/gu, (letter) => `\\[u${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`)
    .replace(/^([.'])/gm, '\\&$1')
}
