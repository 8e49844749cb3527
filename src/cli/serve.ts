// `recollect serve`: the page in the browser.
import { createApp } from '../app.ts'
import { UserError } from '../core/errors.ts'
import { type CommandContext, examples, portOption } from './command.ts'
import { openInBrowser } from './open-in-browser.ts'
import { programOf } from './program.ts'

interface Options {
  port?: string
  host?: string
  publicUrl?: string
  open: boolean
}

export function addServe({ program, terminal }: CommandContext): void {
  program
    .command('serve')
    .description('Open a page with sessions, memories, journal, wiki, patterns and cost')
    .option('--port <port>', 'Port (default: 7718; 0 selects a free one)')
    .option('--host <address>', 'Address to listen on; other machines can connect unless it is loopback', '127.0.0.1')
    .option('--public-url <url>', 'How the browser reaches the page, for example with port forwarding')
    .option('--no-open', 'Only print the link')
    .addHelpText(
      'after',
      examples(
        'recollect serve',
        'recollect serve --port 0 --no-open',
        'recollect serve --public-url http://localhost:9000',
      ),
    )
    .action(async (options: Options) => {
      const { defaultPagePort, servePage } = await import('../web/serve.ts')
      const app = createApp()
      app.existingLedger().close()
      await servePage(app, {
        host: options.host ?? '127.0.0.1',
        port: portOption(options.port, defaultPagePort) ?? defaultPagePort,
        program: programOf(app),
        publicUrl: publicUrlOption(options.publicUrl),
        onReady: (link) => {
          terminal.print(link)
          terminal.say('Open this link once; then a cookie lets the browser in. To stop: Ctrl-C')
          if (options.open) openInBrowser(app.machine, link)
        },
      })
    })
}

function publicUrlOption(value: string | undefined): URL | undefined {
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/') return url
  throw new UserError(
    `--public-url takes the address of a server, not "${value}"`,
    'For example: --public-url http://localhost:9000',
  )
}
