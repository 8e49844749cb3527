// `recollect help`: the help of a command, or a guide of the documentation.
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { UserError } from '../core/errors.ts'
import { findPackageFile } from '../core/package-files.ts'
import { nearest } from '../text/nearest.ts'
import { type CommandContext, examples } from './command.ts'
import { commandFor } from './commands.ts'
import { guides } from './guide-names.ts'
import { guideText } from './guide-text.ts'

export function addHelp({ program, terminal }: CommandContext): void {
  program
    .command('help')
    .description('Show help for a command, or a guide')
    .argument('[topic...]', `A command, or a guide: ${guides.join(', ')}`)
    .option('--guide', 'The guide, where a command has the same name')
    .option('--man', 'The manual page of the program, in roff')
    .addHelpText(
      'after',
      examples(
        'recollect help sessions',
        'recollect help patterns detect',
        'recollect help hooks',
        'recollect help --guide sessions',
      ),
    )
    .action(async (words: string[], options: { guide?: boolean; man?: boolean }) => {
      if (options.man) {
        const { manPage } = await import('./completion/man-page.ts')
        return terminal.print(manPage(program))
      }
      if (words.length === 0) return terminal.print(helpOf(program))
      const topic = words.join(' ')
      const command = options.guide ? undefined : commandNamed(program, words)
      const guide = guides.find((name) => name === topic.toLowerCase())
      if (command) {
        terminal.print(helpOf(command))
        if (guide) terminal.print(`To read more: recollect help --guide ${guide}`)
      } else if (guide) terminal.print(guideText(readGuide(guide), terminal))
      else throw unknownTopic(program, topic)
    })
}

/** The command `patterns detect` for the words `patterns` and `detect`. */
function commandNamed(program: Command, [first = '', ...rest]: readonly string[]): Command | undefined {
  const names = [commandFor(first), ...rest]
  return names.reduce(
    (parent: Command | undefined, name) => parent?.commands.find((command) => command.name() === name),
    program,
  )
}

/** With the examples, which belong to the output of `--help` only. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) })
  command.outputHelp()
  return text.replace(/\n$/, '')
}

function readGuide(name: string): string {
  const path = findPackageFile(`docs/${name}.md`)
  if (path === undefined)
    throw new UserError(`The guide ${name} is missing from this installation`, 'Install it again.')
  return readFileSync(path, 'utf8')
}

function unknownTopic(program: Command, topic: string): UserError {
  const suggestion = nearest(topic, [...program.commands.map((command) => command.name()), ...guides])
  return new UserError(
    `No command or guide is called "${topic}"`,
    suggestion ? `Did you mean ${suggestion}?` : `Guides: ${guides.join(', ')}. Commands: recollect help`,
  )
}
