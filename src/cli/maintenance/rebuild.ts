import { join } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { tryLock } from '../../core/lock.ts'
import { rebuild } from '../../rebuild.ts'
import { resetLearning } from '../../store/memories/learning.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { lockOwnerText } from '../reports.ts'

export function addRebuild({ program, terminal }: CommandContext): void {
  program
    .command('rebuild')
    .description(
      'make anew what is derived: search index, digests, prices, project identities, memory files, the wiki, briefs',
    )
    .option('--learn', 'have every session that still has its text judged again by the next sweep; known memories stay')
    .option('--json', 'the report as JSON')
    .addHelpText('after', examples('recollect rebuild', 'recollect rebuild --json'))
    .action((options: { json?: boolean; learn?: boolean }) =>
      withLedger(async (app, ledger) => {
        const locking = tryLock(join(app.layout.run, 'sweep.lock'), 'rebuild', app.clock)
        if (locking.kind === 'busy')
          throw new UserError(`A sweep is at work: ${lockOwnerText(locking.owner)}`, 'Try again when it is done.', 3)
        const progress = terminal.progress()
        try {
          const report = await rebuild(app, ledger, (done, of) => progress.show('Indexing', done, of, 'sessions'))
          if (options.learn) resetLearning(ledger)
          progress.end()
          if (options.json) return terminal.json(report)
          terminal.print(
            `${report.indexed} events indexed, ${report.digested} sessions digested, ${report.repriced} responses priced, ${report.projects} sessions moved to another project, ${report.memoryFiles} memory files, ${report.articles} articles and ${report.briefs} briefs written`,
          )
          if (report.orphans > 0) terminal.print(`${report.orphans} body files that belonged to no session removed`)
          if (report.lostBodies.length > 0)
            terminal.say(`${report.lostBodies.length} sessions had lost their bodies; run: recollect sweep`)
        } finally {
          locking.release()
        }
      }),
    )
}
