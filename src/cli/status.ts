import { formatSize, plural } from '../core/units.ts'
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
            ? `Last sweep ${style.bold(zone.minute(last.at))}, ${plural(last.ingested, 'transcript')}, ${last.ms} ms`
            : 'No sweep yet',
        )
        print(
          `${plural(overview.sessions, 'session')}, ${plural(overview.subagents, 'subagent')}, ${plural(overview.events, 'event')}, ${formatSize(used)} in ${layout.root}`,
        )
        if (removed > 0)
          print(
            `${plural(removed, 'secret or private span', 'secrets and private spans')} removed before anything was stored`,
          )
        const { unreadable, unknownTypes } = attention
        if (unreadable + unknownTypes > 0)
          print(
            style.yellow(
              `${plural(unreadable, 'unreadable part')}, ${plural(unknownTypes, 'unknown record type')}: recollect doctor`,
            ),
          )
      }),
    )
}
