import { join } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { tryLock } from '../../core/lock.ts'
import { plural } from '../../core/units.ts'
import { rebuild } from '../../rebuild.ts'
import { resetLearning } from '../../store/memories/learning.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { lockOwnerText } from '../reports.ts'

export function addRebuild({ program, terminal }: CommandContext): void {
  program
    .command('rebuild')
    .description('Rebuild the search index, digests and other derived data')
    .option('--learn', 'Let the next sweep learn from all sessions again; keeps memories')
    .option('--json', 'the report as JSON')
    .addHelpText('after', examples('recollect rebuild', 'recollect rebuild --json'))
    .action((options: { json?: boolean; learn?: boolean }) =>
      withLedger(async (app, ledger) => {
        const locking = tryLock(join(app.layout.run, 'sweep.lock'), 'rebuild', app.clock)
        if (locking.kind === 'busy')
          throw new UserError(`A sweep is running: ${lockOwnerText(locking.owner)}`, 'Try again when it is done.', 3)
        const progress = terminal.progress()
        try {
          const report = await rebuild(app, ledger, (done, of) => progress.show('Indexing', done, of, 'sessions'))
          if (options.learn) resetLearning(ledger)
          progress.end()
          if (options.json) return terminal.json(report)
          terminal.print(
            `${report.indexed} events indexed, ${report.digested} sessions digested, ${report.repriced} responses priced, ${report.projects} sessions moved to another project, ${report.memoryFiles} memory files, ${report.articles} articles and ${report.briefs} briefs written`,
          )
          if (report.adopted > 0)
            terminal.print(`${plural(report.adopted, 'session')} restored from bodies without a row in the ledger`)
          if (report.redacted > 0)
            terminal.print(`Secrets removed from ${plural(report.redacted, 'session')} captured by an earlier version`)
          if (report.damagedBodies.length > 0)
            terminal.say(
              `${plural(report.damagedBodies.length, 'body is', 'bodies are')} damaged; the readable parts are kept. To read them again from their transcripts: recollect sweep --full`,
            )
          if (report.lostBodies.length > 0)
            terminal.say(
              `The conversations of ${report.lostBodies.length} sessions are lost. To read them again: recollect sweep`,
            )
        } finally {
          locking.release()
        }
      }),
    )
}
