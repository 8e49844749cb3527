import { formatCount, formatSize } from '../core/units.ts'
import { readNote } from '../store/notes.ts'
import { overviewOf } from '../store/overview.ts'
import { countProblems, listDrift, listRedactions } from '../store/problems.ts'
import { sizesOf, totalOf } from '../store/sizes.ts'
import { type Door, examples, withLedger } from './command.ts'

export function addStatus({ program, terminal }: Door): void {
  program
    .command('status')
    .description('when Recollect last captured, what it holds, what needs attention')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('recollect status', 'recollect status --json'))
    .action((options: { json?: boolean }) =>
      withLedger(({ zone, layout }, ledger) => {
        const last = readNote(ledger, 'last sweep') as { at: string; ingested: number; ms: number } | undefined
        const overview = overviewOf(ledger)
        const used = totalOf(sizesOf(ledger))
        const attention = { unreadable: countProblems(ledger), unknownTypes: listDrift(ledger).length }
        const redactions = listRedactions(ledger)
        if (options.json)
          return terminal.json({
            home: layout.root,
            lastSweep: last ?? null,
            ...overview,
            usedBytes: used,
            redactions,
            attention,
          })
        const { style, print } = terminal
        const removed = Object.values(redactions).reduce((sum, count) => sum + count, 0)
        print(
          last
            ? `Last sweep ${style.bold(zone.minute(last.at))}, ${last.ingested} transcripts, ${last.ms} ms`
            : 'No sweep yet',
        )
        print(
          `${formatCount(overview.sessions)} sessions, ${formatCount(overview.events)} events, ${formatSize(used)} in ${layout.root}`,
        )
        if (removed > 0)
          print(`${formatCount(removed)} secrets and private spans were removed before anything was stored`)
        const { unreadable, unknownTypes } = attention
        if (unreadable + unknownTypes > 0)
          print(style.yellow(`${unreadable} unreadable parts, ${unknownTypes} unknown record types: recollect doctor`))
      }),
    )
}
