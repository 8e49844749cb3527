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

/** A tag that covers more than these is asked about. */
const maxUnasked = 20

export function addShare({ program, terminal, exit }: CommandContext): void {
  program
    .command('share')
    .description('let a team or a person see a memory of yours, or all that have a tag')
    .argument('[memory]', 'a memory, by its id or the beginning of it')
    .option('--tag <tag>', 'every memory with this tag, also those that get it later')
    .option('--with <whom>', 'team:<name> or user:<name>')
    .option('--write', 'they may change it, too')
    .option('--list', 'what is shared')
    .option('--yes', 'do not ask')
    .option('--json', 'as JSON')
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
          if (shares.length === 0) return terminal.say('Nothing is shared.')
          for (const one of shares) terminal.print(`${one.id}  ${withoutControls(shareText(one))}`)
          return
        }
        const context = await travelContext(app, ledger)
        const sharing = sharingOf(context, named, options)
        for (const line of toldOf(sharing)) terminal.say(line)
        if (sharing.visible.length > maxUnasked && sharing.share.subject.kind === 'tag') {
          const consent = await askForConsent(terminal, options)
          if (consent !== 'given') return exit(exitCodeOf(consent))
        }
        saveSharePlan(context, sharing)
        if (options.json) return terminal.json(shareView(sharing.share))
        terminal.print(`${sharing.share.id}  ${withoutControls(shareText(sharing.share))}`)
        terminal.say(
          `It is sent at the next sweep, or with "recollect sync". "recollect unshare ${sharing.share.id}" ends it.`,
        )
      }),
    )
}

export function addUnshare({ program, terminal }: CommandContext): void {
  program
    .command('unshare <share>')
    .description('end a share: others no longer see what it covers')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect share --list', 'recollect unshare s-3f2a'))
    .action((named: string, options: { json?: boolean }) =>
      withLedger((_, ledger) => {
        const ended = unshare({ ledger }, named)
        if (options.json) return terminal.json(shareView(ended))
        terminal.say('No longer shared, as soon as the server knows: "recollect sync" tells it now.')
        terminal.print(`${ended.id}  ${withoutControls(shareText(ended))}`)
      }),
    )
}

function sharingOf(context: SyncContext, named: string | undefined, { tag, with: target, write }: Options): SharePlan {
  if ((named === undefined) === (tag === undefined))
    throw new UserError('Name a memory, or a tag with --tag', 'For example: recollect share m-k3j5h2 --with team:core')
  if (target === undefined) throw new UserError('With whom?', 'For example: --with team:core or --with user:bob')
  const permission = write ? ('write' as const) : ('read' as const)
  if (tag !== undefined) return planShare(context, { subject: { kind: 'tag', tag }, with: target, permission })
  const memory = memoryNamed(context.ledger, named!)
  return planShare(context, { subject: { kind: 'memory', id: memory.id }, with: target, permission }, memory)
}

/** What will be visible to whom, and what will not. */
function toldOf({ share: { with: target, subject, permission }, visible, hidden, homeless }: SharePlan): string[] {
  const whom = target.startsWith('team:') ? `everybody in ${target}` : target
  const may = permission === 'write' ? 'can read and change' : 'can read'
  const shown = visible.slice(0, maxListed).map(({ id, text }) => `  ${id}  ${withoutControls(truncate(text, 100))}`)
  const tagged = subject.kind === 'tag' ? `every memory of yours that gets the tag ${subject.tag}` : ''
  const seen = visible.length === 0 ? '' : plural(visible.length, 'memory', 'memories')
  return [
    `${whom} ${may}, with reasons and quotes: ${[seen, tagged].filter(Boolean).join(', and ')}`,
    ...shown,
    ...(visible.length > maxListed ? [`  and ${visible.length - maxListed} more`] : []),
    ...(hidden.length > 0
      ? [`${plural(hidden.length, 'memory stays', 'memories stay')} here: private, or with a secret.`]
      : []),
    ...(homeless.length > 0
      ? [
          `${plural(homeless.length, 'memory names', 'memories name')} a folder of this machine as project; others have no such project (see projects.aliases in config.toml).`,
        ]
      : []),
  ]
}

const maxListed = 5

async function travelContext({ clock, config, machine }: App, ledger: Ledger): Promise<SyncContext> {
  const { redact } = await import('../../core/redact.ts')
  return { ledger, clock, config, origin: machine.name ?? '', redact }
}
