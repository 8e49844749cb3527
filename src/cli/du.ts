import { formatSize } from '../core/units.ts'
import { noteVaultSize, sizesOf, totalOf } from '../store/sizes.ts'
import { type Door, examples, withLedger } from './command.ts'
import { table } from './terminal.ts'

const meanings = {
  bodies: 'full text of sessions, ages out',
  ledger: 'sessions, digests, index',
  vault: 'Markdown files',
  briefs: 'what sessions start with',
  spool: 'hook events that wait',
  logs: 'logs',
  backups: 'ledger before each migration',
}

export function addDu({ program, terminal }: Door): void {
  program
    .command('du')
    .description('what the store takes on disk, by class, against its budget')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect du', 'recollect du --json'))
    .action((options: { json?: boolean }) =>
      withLedger(({ config, layout }, ledger) => {
        noteVaultSize(ledger) // people may have written there since
        const sizes = sizesOf(ledger)
        const total = totalOf(sizes)
        const { softBytes, hardBytes, maxAgeDays, distilledBytes } = config.retain
        if (options.json) return terminal.json({ ...sizes, total, softBytes, hardBytes, maxAgeDays, distilledBytes })
        const rows = Object.entries(meanings).map(([name, meaning]) => [
          name,
          formatSize(sizes[name as keyof typeof sizes]),
          meaning,
        ])
        terminal.print(
          table(
            [{ title: 'class' }, { title: 'size', align: 'right' }, { title: '' }],
            [...rows, ['total', formatSize(total), layout.root]],
            terminal.columns,
          ),
        )
        const share = Math.round((100 * total) / softBytes)
        terminal.print(
          `\n${share} % of the soft budget of ${formatSize(softBytes)} (hard ${formatSize(hardBytes)}, bodies kept ${maxAgeDays} days)`,
        )
      }),
    )
}
