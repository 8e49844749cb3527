import type { Command } from 'commander'
import { type App, createApp } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import { memoryNamed } from '../../learn/change.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listShares } from '../../store/sync/shares.ts'
import type { ServerConnection } from '../../sync/client.ts'
import type { ReceivedShare } from '../../sync/documents.ts'
import type { SyncContext } from '../../sync/item-kind.ts'
import { planShare, type SharePlan, saveSharePlan, shareText, shareView, unshare } from '../../sync/kinds/shares.ts'
import { truncate } from '../../text/truncate.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { askForConsent, exitCodeOf } from '../prompts.ts'

interface Options {
  tag?: string
  with?: string
  write?: boolean
  list?: boolean
  yes?: boolean
  json?: boolean
}

/** Sharing a tag with more memories than this needs consent. */
const maxUnasked = 20

export function addShare(cli: CommandContext): void {
  const { program, terminal, exit } = cli
  const command = program
    .command('share')
    .description('Share a memory, or all with a tag, with a team or a user')
    .argument('[memory]', 'Id of a memory, or the beginning of it')
    .option('--tag <tag>', 'Share all memories with this tag, also future ones')
    .option('--with <whom>', 'Team or user: team:<name> or user:<name>')
    .option('--write', 'Allow them to change it')
    .option('--list', 'List your shares')
    .option('--yes', 'Do not ask for confirmation')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect share m-k3j5h2 --with team:core',
        'recollect share --tag release --with user:bob --write',
        'recollect share --list',
        'recollect unshare s-3f2a',
        'recollect share received',
        'recollect share accept ann/s-3f2a',
      ),
    )
    .action((named: string | undefined, options: Options) =>
      withLedger(async (app, ledger) => {
        if (options.list) {
          const shares = listShares(ledger)
          if (shares.length === 0) exit(1)
          if (options.json) return terminal.json(shares.map(shareView))
          if (shares.length === 0) return terminal.say('You have no shares.')
          for (const one of shares) terminal.print(`${one.id}  ${shareText(one)}`)
          return
        }
        const context = await syncContext(app, ledger)
        const sharing = sharingOf(context, named, options)
        for (const line of shareLines(sharing)) terminal.say(line)
        if (sharing.visible.length > maxUnasked && sharing.share.subject.kind === 'tag') {
          const consent = await askForConsent(terminal, options)
          if (consent !== 'given') return exit(exitCodeOf(consent))
        }
        saveSharePlan(context, sharing)
        if (options.json) return terminal.json(shareView(sharing.share))
        terminal.print(`${sharing.share.id}  ${shareText(sharing.share)}`)
        terminal.say(
          `The next sweep sends it; to send it now: recollect sync. To end it: recollect unshare ${sharing.share.id}`,
        )
        if (sharing.share.with.startsWith('user:'))
          terminal.say('If you have no team in common, they see it once they accept it.')
      }),
    )
  addReceived(command, cli)
  addAnswer(command, cli, 'accept')
  addAnswer(command, cli, 'refuse')
}

function addReceived(share: Command, { terminal, exit }: CommandContext): void {
  share
    .command('received')
    .description('List what others share with you, and what waits for your decision')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect share received', 'recollect share accept ann/s-3f2a'))
    .action((options: { json?: boolean }, command: Command) =>
      withConnection(async (connection) => {
        const { listReceivedShares, receivedName } = await import('../../sync/received-shares.ts')
        const received = await listReceivedShares(connection)
        if (received.length === 0) exit(1)
        if (isJson(options, command)) return terminal.json(received)
        if (received.length === 0) return terminal.say('Nobody shares anything with you.')
        for (const one of received) terminal.print(`${receivedName(one)}  ${one.state}: ${receivedText(one)}`)
        if (received.some(({ state }) => state === 'pending'))
          terminal.say('To decide: recollect share accept|refuse <id>. Until then nobody sees them here.')
      }),
    )
}

const answerText = {
  accept: {
    about: 'Accept what another user shares with you',
    done: 'Accepted. The next sweep receives it; to receive it now: recollect sync',
  },
  refuse: {
    about: 'Refuse what another user shares with you, or end it later',
    done: 'Refused. The next sweep removes it here; to remove it now: recollect sync',
  },
}

function addAnswer(share: Command, { terminal }: CommandContext, answer: 'accept' | 'refuse'): void {
  share
    .command(`${answer} <id>`)
    .description(answerText[answer].about)
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect share received', `recollect share ${answer} ann/s-3f2a`))
    .action((named: string, options: { json?: boolean }, command: Command) =>
      withConnection(async (connection) => {
        const received = await import('../../sync/received-shares.ts')
        const one = received.receivedShareNamed(await received.listReceivedShares(connection), named)
        await received.answerReceivedShare(connection, one, answer)
        const state = answer === 'accept' ? 'accepted' : 'refused'
        if (isJson(options, command)) return terminal.json({ ...one, state })
        terminal.say(answerText[answer].done)
        terminal.print(`${received.receivedName(one)}  ${state}: ${receivedText(one)}`)
      }),
    )
}

function receivedText({ from, subject, permission, items, since }: ReceivedShare): string {
  const what = subject.kind === 'memory' ? `the memory ${subject.id}` : `memories tagged ${subject.tag}`
  const count = subject.kind === 'memory' ? '' : ` (${items})`
  return `${from} shares ${what}${count}, ${permission === 'write' ? 'to change' : 'to read'}, since ${since.slice(0, 10)}`
}

/** Commander assigns --json to the parent command if both define it. */
function isJson(options: { json?: boolean }, command: Command): boolean {
  return options.json ?? command.optsWithGlobals<Options>().json ?? false
}

async function withConnection(use: (connection: ServerConnection) => Promise<void>): Promise<void> {
  const app = createApp()
  if (app.config.sync.server === '')
    throw new UserError('This machine uses no server', 'To join one: recollect sync join <url>', 1)
  const [{ connectionOf }, { readKey }] = await Promise.all([
    import('../../sync/sync.ts'),
    import('../../sync/credentials.ts'),
  ])
  await use(connectionOf(app, { key: readKey(app) }))
}

export function addUnshare({ program, terminal }: CommandContext): void {
  program
    .command('unshare <share>')
    .description('Stop sharing')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect share --list', 'recollect unshare s-3f2a'))
    .action((named: string, options: { json?: boolean }) =>
      withLedger((_, ledger) => {
        const ended = unshare({ ledger }, named)
        if (options.json) return terminal.json(shareView(ended))
        terminal.say('The share ends with the next sweep; to end it now: recollect sync')
        terminal.print(`${ended.id}  ${shareText(ended)}`)
      }),
    )
}

function sharingOf(context: SyncContext, named: string | undefined, { tag, with: target, write }: Options): SharePlan {
  if ((named === undefined) === (tag === undefined))
    throw new UserError(
      'Missing memory: give an id or --tag <tag>',
      'For example: recollect share m-k3j5h2 --with team:core',
    )
  if (target === undefined)
    throw new UserError('Missing --with: a team or a user', 'For example: --with team:core or --with user:bob')
  const permission = write ? ('write' as const) : ('read' as const)
  if (tag !== undefined) return planShare(context, { subject: { kind: 'tag', tag }, with: target, permission })
  const memory = memoryNamed(context.ledger, named!)
  return planShare(context, { subject: { kind: 'memory', id: memory.id }, with: target, permission }, memory)
}

/** Describes who will see which memories, and which are not sent. */
function shareLines({ share: { with: target, subject, permission }, visible, hidden, homeless }: SharePlan): string[] {
  const whom = target.startsWith('team:') ? `all members of ${target}` : target
  const may = permission === 'write' ? 'can read and change' : 'can read'
  const shown = visible.slice(0, maxListed).map(({ id, text }) => `  ${id}  ${truncate(text, 100)}`)
  const tagged = subject.kind === 'tag' ? `all your future memories with the tag ${subject.tag}` : ''
  const seen = visible.length === 0 ? '' : plural(visible.length, 'memory', 'memories')
  return [
    `${whom} ${may}, with reasons and quotes: ${[seen, tagged].filter(Boolean).join(', and ')}`,
    ...shown,
    ...(visible.length > maxListed ? [`  and ${visible.length - maxListed} more`] : []),
    ...(hidden.length > 0
      ? [`${plural(hidden.length, 'memory is', 'memories are')} not sent: private, or with a secret.`]
      : []),
    ...(homeless.length > 0
      ? [
          `${plural(homeless.length, 'memory has', 'memories have')} a folder of this machine as project, which others do not have (see projects.aliases in config.toml).`,
        ]
      : []),
  ]
}

const maxListed = 5

async function syncContext({ clock, config, machine }: App, ledger: Ledger): Promise<SyncContext> {
  const { redact } = await import('../../core/redact/redact.ts')
  return { ledger, clock, config, origin: machine.name ?? '', redact }
}
