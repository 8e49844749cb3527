// Prints the help of the program with its commands in groups, and points usage errors to the help
// of the command they are about.
import type { Command } from 'commander'
import { commandGroups } from './commands.ts'
import { guides } from './guide-names.ts'
import { wrapText } from './terminal.ts'

const bareCommand = '(no command)'

export function programHelp(program: Command): string {
  const descriptions = new Map(program.commands.map((command) => [command.name(), command.description()]))
  const groups = [...commandGroups].map(([title, names], index) => {
    const items = names.map((name) => helpLine(name, descriptions.get(name) ?? ''))
    return [`${title}:`, ...(index === 0 ? [helpLine(bareCommand, program.summary())] : []), ...items].join('\n')
  })
  const options = program.createHelp().visibleOptions(program)
  return [
    'Usage: recollect [command] [options]',
    program.description(),
    ...groups,
    ['Options:', ...options.map(({ flags, description }) => helpLine(flags, description))].join('\n'),
    `To learn more about a command: recollect help <command>\nGuides, with recollect help <guide>:\n${wrapText(
      guides.join(', '),
      78,
    )
      .map((line) => `  ${line}`)
      .join('\n')}\n`,
  ].join('\n\n')
}

function helpLine(term: string, description: string): string {
  return `  ${term.padEnd(15)}${description}`
}

/** A usage error ends with the command whose help explains what is expected. */
export function pointToHelp(command: Command, path: string): void {
  command.showHelpAfterError(`See: ${path} --help`)
  for (const child of command.commands) pointToHelp(child, `${path} ${child.name()}`)
}
