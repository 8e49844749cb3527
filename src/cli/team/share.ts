import type { App } from '../../app.ts'
import { UserError } from '../../core/errors.ts'
import { plural } from '../../core/units.ts'
import { memoryNamed } from '../../learn/change.ts'
import type { Ledger } from '../../store/ledger.ts'
import { listShares } from '../../store/sync/shares.ts'
import type { SyncContext } from '../../sync/item-kind.ts'
import { planShare, type SharePlan, saveSharePlan, shareText, shareView, unshare } from '../../sync/kinds/shares.ts'
import { truncate } from '../../text/truncate.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { askForConsent, exitCodeOf } from '../prompts.ts'
import { withoutControls } from '../terminal.ts'

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

export function addShare({ program, terminal, exit }: CommandContext): void {
  program
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
      ),
    )
    .action((named: string | undefined, options: Options) =>
      withLedger(async (app, ledger) => {
        if (options.list) {
          const shares = listShares(ledger)
          if (shares.length === 0) exit(1)
          if (options.json) return terminal.json(shares.map(shareView))
          if (shares.length === 0) return terminal.say('You have no shares.')
          for (const one of shares) terminal.print(`${one.id}  ${withoutControls(shareText(one))}`)
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
        terminal.print(`${sharing.share.id}  ${withoutControls(shareText(sharing.share))}`)
        terminal.say(
          `The next sweep sends it; to send it now: recollect sync. To end it: recollect unshare ${sharing.share.id}`,
        )
      }),
    )
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
        terminal.print(`${ended.id}  ${withoutControls(shareText(ended))}`)
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
  const shown = visible.slice(0, maxListed).map(({ id, text }) => `  ${id}  ${withoutControls(truncate(text, 100))}`)
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
  const { redact } = await import('../../core/redact.ts')
  return { ledger, clock, config, origin: machine.name ?? '', redact }
}
