import { createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { type CommandContext, examples, portOption } from '../command.ts'

interface Options {
  http?: boolean
  port?: string
}

export function addMcp({ program, terminal }: CommandContext): void {
  program
    .command('mcp')
    .description('Serve the memory to an agent over MCP (stdio or HTTP)')
    .option('--http', 'Serve on localhost over HTTP, with a token')
    .option('--port <n>', 'With --http: port (default: 7717; 0 for any free port)')
    .addHelpText(
      'after',
      examples(
        'recollect install --mcp    (registers it with the agents found here)',
        'claude mcp add recollect -- recollect mcp',
        'recollect mcp --http --port 7717',
      ),
    )
    .action(async (options: Options) => {
      // Tools report errors in config.toml: a server that does not start could not.
      const { layout, clock } = createApp({ ignoresConfig: true })
      const serving = { version: program.version()!, cwd: process.cwd(), layout, clock }
      // Loaded here, so that other commands do not load the protocol.
      if (!options.http) {
        if (options.port !== undefined)
          throw new UserError('--port only works with --http', 'For example: recollect mcp --http --port 7717')
        const { serveOnStdio } = await import('../../mcp/stdio.ts')
        return serveOnStdio(serving)
      }
      const { defaultPort, serveOnHttp } = await import('../../mcp/http.ts')
      await serveOnHttp(serving, portOption(options.port, 7717) ?? defaultPort, terminal.say)
    })
}
