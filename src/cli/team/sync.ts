import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type App, createApp } from '../../app.ts'
import { messageOf, UserError } from '../../core/errors.ts'
import { waitForLock } from '../../core/lock.ts'
import { plural } from '../../core/units.ts'
import type { Ledger } from '../../store/ledger.ts'
import { retryRefused } from '../../store/sync/outbox.ts'
import type { DiscardResult, SyncContext } from '../../sync/item-kind.ts'
import type { SyncResult } from '../../sync/sync.ts'
import { type CommandContext, examples, refreshMemoryFiles } from '../command.ts'
import { lockOwnerText, syncReportText } from '../reports.ts'
import type { Terminal } from '../terminal.ts'
import { printSyncStatus, syncStatusOf } from './sync-status.ts'

interface Options {
  json?: boolean
  status?: boolean
}

export function addSync(cli: CommandContext): void {
  const { program, terminal, exit } = cli
  const command = program
    .command('sync')
    .description('Exchange memories with a server now; join or leave one')
    .option('--status', 'Show pending and refused changes without contacting the server')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect sync join https://memory.example.com',
        'recollect sync',
        'recollect sync --status',
        'recollect sync retry',
        'recollect sync leave',
      ),
    )
    .action((options: Options) =>
      withSyncContext(async (app, context) => {
        if (options.status) return showStatus(cli, app, context.ledger, options)
        requireServer(app)
        exit(await syncNow(app, context, terminal, options))
      }),
    )
  addJoin(command, cli)
  addLeave(command, cli)
  addRetry(command, cli)
  addDismiss(command, cli)
}

function addJoin(sync: Command, { terminal, exit }: CommandContext): void {
  sync
    .command('join <url>')
    .description('Connect this machine to a server')
    .option('--key-file <file>', 'File with the key (default: RECOLLECT_KEY, or ask for it)')
    .option('--insecure', 'Allow plain http to other machines')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect sync join https://memory.example.com',
        'RECOLLECT_KEY=… recollect sync join https://memory.example.com',
        'recollect sync join http://localhost:7718 --key-file ~/key',
      ),
    )
    .action((url: string, options: Options & { keyFile?: string; insecure?: boolean }, command: Command) =>
      withSyncContext(async (app, context) => {
        const { keyFile, insecure = false } = options
        // Commander assigns --json to the parent command if both define it.
        const json = options.json ?? command.optsWithGlobals<Options>().json
        const [{ joinServer }, { checkAddress }] = await Promise.all([
          import('../../sync/join.ts'),
          import('../../sync/credentials.ts'),
        ])
        const server = checkAddress(url, insecure)
        const key = await keyFrom(app, keyFile)
        const me = await joinServer(context, app, { server, key, isInsecure: insecure })
        terminal.say(
          `Joined ${server} as ${me.user}. Spaces: ${me.spaces.map(({ name, role }) => `${name} (${role})`).join(', ')}`,
        )
        // Joining changed config.toml: load it again.
        const joined = createApp()
        exit(await syncNow(joined, { ...context, config: joined.config }, terminal, json ? { json } : {}))
      }),
    )
}

async function keyFrom(app: App, file: string | undefined): Promise<string> {
  const { checkKey } = await import('../../sync/credentials.ts')
  if (file !== undefined) {
    try {
      return checkKey(readFileSync(file, 'utf8'))
    } catch (error) {
      if (error instanceof UserError) throw error
      throw new UserError(`Could not read the key: ${messageOf(error)}`, 'Give a file that contains only the key.')
    }
  }
  const given = app.machine.env.RECOLLECT_KEY
  if (given) return checkKey(given)
  const { askSecret } = await import('../prompts.ts')
  return checkKey(await askSecret('Key (not shown): '))
}

function addLeave(sync: Command, { terminal }: CommandContext): void {
  sync
    .command('leave')
    .description('Disconnect; removes team memories, keeps your own')
    .option('--force', 'Leave even if changes of team memories were not sent')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect sync leave'))
    .action((options: Options & { force?: boolean }, command: Command) =>
      withSyncContext(async (app, context) => {
        const server = requireServer(app)
        const { leaveServer: leave } = await import('../../sync/join.ts')
        leave(context, app, options.force ?? false)
        await refreshMemoryFiles(app, context.ledger)
        if (options.json ?? command.optsWithGlobals<Options>().json) return terminal.json({ left: server })
        terminal.print(`Left ${server}. All of your own memories are still on this machine.`)
      }),
    )
}

function addRetry(sync: Command, { terminal, exit }: CommandContext): void {
  sync
    .command('retry')
    .description('Send refused items again')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect sync retry'))
    .action((options: Options, command: Command) =>
      withSyncContext(async (app, context) => {
        requireServer(app)
        const count = retryRefused(context.ledger)
        terminal.say(`Sending ${plural(count, 'refused item')} again`)
        const json = options.json ?? command.optsWithGlobals<Options>().json
        exit(await syncNow(app, context, terminal, json ? { json } : {}))
      }),
    )
}

function addDismiss(sync: Command, { terminal }: CommandContext): void {
  sync
    .command('dismiss [id]')
    .description('Discard refused changes of others’ items; keep your own unsent')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect sync dismiss m-k3j5h2', 'recollect sync dismiss    # all refused items'))
    .action((id: string | undefined, options: Options, command: Command) =>
      withSyncContext(async (app, context) => {
        const { dismissRefusals: dismiss } = await import('../../sync/engine/dismiss-refusals.ts')
        const dismissed = dismiss(context, id)
        await refreshMemoryFiles(app, context.ledger)
        if (options.json ?? command.optsWithGlobals<Options>().json) return terminal.json(dismissed)
        for (const one of dismissed) terminal.print(`${one.id} for ${one.space}: ${becameText[one.became]}`)
      }),
    )
}

const becameText: Record<DiscardResult, string> = {
  back: 'discarded; the next sync restores the version of the server (to undo: recollect undo)',
  gone: 'discarded and removed from this machine (to undo: recollect undo)',
  stays: 'kept on this machine, not sent until it changes (to send it: recollect sync retry)',
}

async function withSyncContext(use: (app: App, context: SyncContext) => void | Promise<void>): Promise<void> {
  const app = createApp()
  const ledger = app.ledgerToRead()
  try {
    const { redact } = await import('../../core/redact/redact.ts')
    const { clock, config, machine } = app
    await use(app, { ledger, clock, config, origin: machine.name ?? '', home: machine.home, redact })
  } finally {
    ledger.close()
  }
}

function requireServer({ config }: App): string {
  if (config.sync.server !== '') return config.sync.server
  throw new UserError('This machine uses no server', 'To join one: recollect sync join <url>', 1)
}

/** Takes the lock of the sync stage, so that a sweep does not sync at the same time. */
async function syncNow(app: App, context: SyncContext, terminal: Terminal, options: Options): Promise<0 | 3> {
  const [{ sync }, { readKey: keyOf }] = await Promise.all([
    import('../../sync/sync.ts'),
    import('../../sync/credentials.ts'),
  ])
  const release = await waitForLock(join(app.layout.run, 'learn.lock'), 'sync', app.clock, (owner) =>
    terminal.say(`Waiting for ${lockOwnerText(owner)}`),
  )
  try {
    // Edits of memory files are read first, so that they are sent as well.
    await refreshMemoryFiles(app, context.ledger)
    const done = await sync(context, { key: keyOf(app), isForced: true })
    await refreshMemoryFiles(app, context.ledger)
    return report(terminal, done, options)
  } finally {
    release()
  }
}

function report(terminal: Terminal, done: SyncResult, { json }: Options): 0 | 3 {
  const { failures } = done
  if (json) terminal.json(done)
  else {
    terminal.print(syncReportText(done))
    for (const failure of failures) terminal.say(terminal.style.yellow(failure))
    if (failures.length > 0) terminal.say('No change is lost; the next sweep tries again.')
  }
  return failures.length > 0 ? 3 : 0
}

function showStatus({ terminal, exit }: CommandContext, app: App, ledger: Ledger, { json }: Options): void {
  const status = syncStatusOf(app, ledger)
  if (json) terminal.json(status)
  else printSyncStatus(terminal, app, status)
  exit(status.server === null || (status.key !== 'refused' && status.refused.length === 0) ? 0 : 1)
}
