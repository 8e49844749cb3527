import { type LinkRequest, linkMemories, unlinkMemories } from '../../learn/links.ts'
import { type LinkType, linkTypes } from '../../memory/links.ts'
import { type CommandContext, changeContext, examples, oneOf, refreshMemoryFiles, withLedger } from '../command.ts'
import { memoryLine } from './memory-text.ts'

const typesHelp = `
Types:
  supersedes    the second one no longer holds: the first one is given instead
  resolved-by   the second one solves what the first one describes
  part-of       the first one belongs to the second one
  see-also      the two are related
`

export function addLink(cli: CommandContext): void {
  cli.program
    .command('link <from> <type> <to>')
    .description('Link two memories, such as one that supersedes another')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      `${typesHelp}${examples('recollect link m-k3j5 supersedes m-a2b4', 'recollect link m-k3j5 see-also m-a2b4')}`,
    )
    .action(changeLink(cli, linkMemories, 'Linked.'))
}

export function addUnlink(cli: CommandContext): void {
  cli.program
    .command('unlink <from> <type> <to>')
    .description('Remove a link between two memories')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect show m-k3j5', 'recollect unlink m-k3j5 see-also m-a2b4'))
    .action(changeLink(cli, unlinkMemories, 'Link removed.'))
}

function changeLink({ terminal }: CommandContext, change: typeof linkMemories, done: string) {
  return (from: string, named: string, to: string, options: { json?: boolean }) =>
    withLedger(async (app, ledger) => {
      const request: LinkRequest = { from, type: oneOf('type', named, [...linkTypes]) as LinkType, to }
      const { link, memory } = change(changeContext(app, ledger), request)
      await refreshMemoryFiles(app, ledger)
      if (options.json) return terminal.json(link)
      terminal.say(`${done} To undo: recollect undo`)
      terminal.print(`${link.from} ${link.type} ${link.to}`)
      terminal.tell(memoryLine(ledger, memory, app, terminal.style))
    })
}
