import { type Door, examples } from './command.ts'

export function addMcp({ program, terminal }: Door): void {
  program
    .command('mcp')
    .description('the memory as tools of an agent (Model Context Protocol on standard input and output)')
    .addHelpText(
      'after',
      examples('claude mcp add recollect -- recollect mcp', 'codex mcp add recollect -- recollect mcp'),
    )
    .action(async () => {
      // Loaded here: no other command pays for the protocol.
      const { serveMcp } = await import('../mcp/server.ts')
      await serveMcp(program.version()!, terminal.say)
    })
}
