// `recollect serve`: the page in the browser.
import { type App, createApp } from '../app.ts'
import { UserError } from '../core/errors.ts'
import { programOf } from '../install/program.ts'
import { type CommandContext, examples, portOption } from './command.ts'
import { openInBrowser } from './open-in-browser.ts'
import { isInteractive, openKeyReader } from './prompts.ts'
import { restartWithSmallHeap } from './small-heap.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  port?: string
  host?: string
  publicUrl?: string
  open: boolean
}

export function addServe({ program, terminal }: CommandContext): void {
  program
    .command('serve')
    .description('Open a page with sessions, memories, wiki, patterns and cost')
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
      const app = createApp()
      app.existingLedger().close()
      const port = portOption(options.port, 7718)
      const publicUrl = publicUrlOption(options.publicUrl)
      restartWithSmallHeap(app, process.argv.slice(2))
      await serve(app, terminal, { host: options.host ?? '127.0.0.1', port, publicUrl, isOpened: options.open })
    })
}

interface ServeOptions {
  host: string
  port: number | undefined
  publicUrl?: URL | undefined
  isOpened: boolean
}

async function serve(app: App, terminal: Terminal, { isOpened, port, ...options }: ServeOptions): Promise<void> {
  const { defaultPagePort, servePage } = await import('../web/serve.ts')
  await servePage(app, {
    ...options,
    port: port ?? defaultPagePort,
    program: programOf(app),
    onReady: (link) => {
      terminal.print(link)
      terminal.say('Open this link once; then a cookie lets the browser in. To stop: Ctrl-C')
      if (isOpened) openInBrowser(app.machine, link)
    },
  })
}

/** At the end of the overview, at a terminal: Enter opens the page, any other key leaves. */
export async function offerPage(app: App, terminal: Terminal): Promise<void> {
  if (!isInteractive()) return
  const keys = openKeyReader()
  const key = await keys.next('Look at it in the browser? Enter opens the page, any other key leaves: ')
  keys.close()
  if (key !== '\r' && key !== '\n') return
  restartWithSmallHeap(app, ['serve', '--port', '0'])
  await serve(app, terminal, { host: '127.0.0.1', port: 0, isOpened: true })
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
