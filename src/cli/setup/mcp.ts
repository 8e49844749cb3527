import { type App, createApp } from '../../app.ts'
import { messageOf, UserError } from '../../core/errors.ts'
import { appendLog } from '../../core/files.ts'
import { answerFirstMessage } from '../../mcp/initialize.ts'
import { type CommandContext, examples, portOption } from '../command.ts'

interface Options {
  http?: boolean
  plugin?: boolean
  port?: string
}

export function addMcp(cli: CommandContext): void {
  const { program } = cli
  program
    .command('mcp')
    .description('Serve the memory to an agent over MCP (stdio or HTTP)')
    .option('--http', 'Serve on localhost over HTTP, with a token')
    .option('--port <n>', 'With --http: port (default: 7717; 0 for any free port)')
    .option('--plugin', 'For plugins: also write the hook that they run, if it is missing')
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
      const app = createApp({ ignoresConfig: true })
      const { layout, clock } = app
      if (options.plugin) await writeHookOfPlugin(app)
      const serving = { version: program.version()!, cwd: process.cwd(), layout, clock }
      if (options.port !== undefined && !options.http)
        throw new UserError('--port only works with --http', 'For example: recollect mcp --http --port 7717')
      const first = options.http ? undefined : answerFirstMessage(serving.version)
      const { say } = cli.terminal
      // Loaded here, so that other commands do not load the protocol.
      if (first) return (await import('../../mcp/stdio.ts')).serveOnStdio(serving, first)
      const { defaultPort, serveOnHttp } = await import('../../mcp/http.ts')
      await serveOnHttp(serving, portOption(options.port, 7717) ?? defaultPort, say)
    })
}

/** The server works without the hook, so a failure is only noted: an agent could not repair it. */
async function writeHookOfPlugin(app: App): Promise<void> {
  try {
    const [{ provideHook }, { programOf }] = await Promise.all([
      import('../../hook/script.ts'),
      import('../../install/program.ts'),
    ])
    provideHook(programOf(app), app.agents)
  } catch (error) {
    appendLog(app.layout.logs, 'mcp', app.clock, `the hook cannot be written: ${messageOf(error)}`)
  }
}
