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
    .description('exchange memories with a server: your own machines, and your team')
    .option('--status', 'what waits, what was refused, when it last worked; asks nobody')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect sync join https://memory.example.com',
        'recollect sync                 everything, now',
        'recollect sync --status',
        'recollect sync retry           what was refused, once more',
        'recollect sync dismiss         what was refused is given up',
        'recollect sync leave',
      ),
    )
    .action((options: Options) =>
      withTravel(async (app, context) => {
        if (options.status) return showStatus(cli, app, context.ledger, options)
        wantServer(app)
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
    .description('share memories with your other machines and your teams through a server')
    .option('--key-file <file>', 'a file that holds the key; else RECOLLECT_KEY, else it is asked for')
    .option('--insecure', 'allow plain http beyond this machine')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'recollect sync join https://memory.example.com',
        'RECOLLECT_KEY=… recollect sync join https://memory.example.com',
        'recollect sync join http://localhost:7718 --key-file ~/key',
      ),
    )
    .action((url: string, options: Options & { keyFile?: string; insecure?: boolean }, command: Command) =>
      withTravel(async (app, context) => {
        const { keyFile, insecure = false } = options
        // The options of the command above take what both have.
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
        // What was joined stands in config.toml now.
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
      throw new UserError(`The key could not be read: ${messageOf(error)}`, 'Give a file that holds the key alone.')
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
    .description('no longer use the server: memories of teams go from here, your own stay here and there')
    .option('--force', 'also with changes of team memories that were not sent')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect sync leave'))
    .action((options: Options & { force?: boolean }, command: Command) =>
      withTravel(async (app, context) => {
        const server = wantServer(app)
        const { leaveServer: leave } = await import('../../sync/join.ts')
        leave(context, app, options.force ?? false)
        await refreshMemoryFiles(app, context.ledger)
        if (options.json ?? command.optsWithGlobals<Options>().json) return terminal.json({ left: server })
        terminal.print(`Left ${server}. Your own memories are all here.`)
      }),
    )
}

function addRetry(sync: Command, { terminal, exit }: CommandContext): void {
  sync
    .command('retry')
    .description('send once more what the server has refused')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect sync retry'))
    .action((options: Options, command: Command) =>
      withTravel(async (app, context) => {
        wantServer(app)
        const count = retryRefused(context.ledger)
        terminal.say(`${plural(count, 'refused item')} tried again`)
        const json = options.json ?? command.optsWithGlobals<Options>().json
        exit(await syncNow(app, context, terminal, json ? { json } : {}))
      }),
    )
}

function addDismiss(sync: Command, { terminal }: CommandContext): void {
  sync
    .command('dismiss [id]')
    .description(
      'give up what was refused: what others gave is again as they gave it, what is your own stays here unsent',
    )
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples('recollect sync dismiss m-k3j5h2', 'recollect sync dismiss          all that was refused'),
    )
    .action((id: string | undefined, options: Options, command: Command) =>
      withTravel(async (app, context) => {
        const { dismissRefusals: dismiss } = await import('../../sync/engine/dismiss-refusals.ts')
        const dismissed = dismiss(context, id)
        await refreshMemoryFiles(app, context.ledger)
        if (options.json ?? command.optsWithGlobals<Options>().json) return terminal.json(dismissed)
        for (const one of dismissed) terminal.print(`${one.id} for ${one.space}: ${becameText[one.became]}`)
      }),
    )
}

const becameText: Record<DiscardResult, string> = {
  back: 'given up; what the server has comes with the next sync ("recollect undo" brings back what was said here)',
  gone: 'given up, and gone from here ("recollect undo" brings it back)',
  stays: 'stays here, and is not sent until it changes ("recollect sync retry" tries again)',
}

async function withTravel(use: (app: App, context: SyncContext) => void | Promise<void>): Promise<void> {
  const app = createApp()
  const ledger = app.ledger()
  try {
    const { redact } = await import('../../core/redact.ts')
    const { clock, config, machine } = app
    await use(app, { ledger, clock, config, origin: machine.name ?? '', home: machine.home, redact })
  } finally {
    ledger.close()
  }
}

function wantServer({ config }: App): string {
  if (config.sync.server !== '') return config.sync.server
  throw new UserError('No server was joined', 'Join one: recollect sync join https://memory.example.com', 1)
}

/** The lock is the one of the stage: two exchanges at once would only meet each other. */
async function syncNow(app: App, context: SyncContext, terminal: Terminal, options: Options): Promise<0 | 3> {
  const [{ sync }, { readKey: keyOf }] = await Promise.all([
    import('../../sync/sync.ts'),
    import('../../sync/credentials.ts'),
  ])
  const release = await waitForLock(join(app.layout.run, 'learn.lock'), 'sync', app.clock, (owner) =>
    terminal.say(`Waiting: ${lockOwnerText(owner)}`),
  )
  try {
    // What people wrote comes first.
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
    if (failures.length > 0) terminal.say('Nothing is lost: it is tried again.')
  }
  return failures.length > 0 ? 3 : 0
}

function showStatus({ terminal, exit }: CommandContext, app: App, ledger: Ledger, { json }: Options): void {
  const status = syncStatusOf(app, ledger)
  if (json) terminal.json(status)
  else printSyncStatus(terminal, app, status)
  exit(status.server === null || (status.key !== 'refused' && status.refused.length === 0) ? 0 : 1)
}
