import { createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { type CommandContext, examples } from '../command.ts'

interface Options {
  http?: boolean
  port?: string
}

export function addMcp({ program, terminal }: CommandContext): void {
  program
    .command('mcp')
    .description('the memory as tools of an agent (Model Context Protocol on standard input and output, or HTTP)')
    .option('--http', 'serve on this machine over HTTP, with a token, until it is stopped')
    .option('--port <n>', 'with --http: the port (default: 7717; 0 for any that is free)')
    .addHelpText(
      'after',
      examples(
        'claude mcp add recollect -- recollect mcp',
        'codex mcp add recollect -- recollect mcp',
        'recollect mcp --http --port 7717',
      ),
    )
    .action(async (options: Options) => {
      // What stands in config.toml is told by each tool: a server that does not start says nothing.
      const { layout, clock } = createApp({ ignoresConfig: true })
      const serving = { version: program.version()!, cwd: process.cwd(), layout, clock }
      // Loaded here: no other command pays for the protocol.
      if (!options.http) {
        if (options.port !== undefined)
          throw new UserError('--port is for --http', 'For example: recollect mcp --http --port 7717')
        const { serveOnStdio } = await import('../../mcp/stdio.ts')
        return serveOnStdio(serving)
      }
      const { defaultPort, serveOnHttp } = await import('../../mcp/http.ts')
      await serveOnHttp(serving, portOption(options.port) ?? defaultPort, terminal.say)
    })
}

function portOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw new UserError(`--port takes a number from 0 to 65535, not "${value}"`, 'For example: --port 7717')
  return port
}
