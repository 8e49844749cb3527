// Prints the help of the program with its commands in groups, and points usage errors to the help
// of the command they are about.
import type { Command } from 'commander'
import { commandGroups } from './commands.ts'
import { guides } from './guide-names.ts'
import { wrapText } from './terminal.ts'

const bareCommand = '(no command)'

/** Longer lines are hard to read. */
export const maxHelpColumns = 80

export function programHelp(program: Command, columns = maxHelpColumns): string {
  const descriptions = new Map(program.commands.map((command) => [command.name(), command.description()]))
  const groups = [...commandGroups].map(([title, names], index) => {
    const items = names.map((name) => helpLine(name, descriptions.get(name) ?? '', columns))
    return [`${title}:`, ...(index === 0 ? [helpLine(bareCommand, program.summary(), columns)] : []), ...items].join(
      '\n',
    )
  })
  const options = program.createHelp().visibleOptions(program)
  return [
    'Usage: recollect [command] [options]',
    wrapText(program.description(), columns).join('\n'),
    ...groups,
    ['Options:', ...options.map(({ flags, description }) => helpLine(flags, description, columns))].join('\n'),
    `To learn more about a command: recollect help <command>\nGuides, with recollect help <guide>:\n${wrapText(
      guides.join(', '),
      columns - 2,
    )
      .map((line) => `  ${line}`)
      .join('\n')}\n`,
  ].join('\n\n')
}

function helpLine(term: string, description: string, columns: number): string {
  const indent = 17
  return `  ${term.padEnd(15)}${wrapText(description, columns - indent).join(`\n${' '.repeat(indent)}`)}`
}

/**
 * A usage error ends with the command whose help explains what is expected. There is one command `help`
 * for all, in guides.ts.
 */
export function pointToHelp(command: Command, path: string): void {
  command.helpCommand(false).showHelpAfterError(`See: ${path} --help`)
  for (const child of command.commands) pointToHelp(child, `${path} ${child.name()}`)
}
