import { setPriority } from 'node:os'
import { type App, createApp } from '../app.ts'
import { messageOf } from '../core/errors.ts'
import { logLine } from '../core/log.ts'
import { plural } from '../core/units.ts'
import { work } from '../work.ts'
import { type Door, examples } from './command.ts'
import { ownerText } from './sweep.ts'

export function addWork({ program, terminal, exit }: Door): void {
  program
    .command('work')
    .description('handle what the hooks have told, sweep, and end; hooks and the schedule start it')
    .option('--json', 'the report as JSON')
    .addHelpText('after', examples('recollect work', 'recollect work --json'))
    .action(async (options: { json?: boolean }) => {
      stepBack()
      const result = await work(logged(createApp))
      if (result.kind === 'busy') {
        if (options.json) terminal.json({ busy: result.owner ?? true })
        else terminal.say(`Another worker is at it: ${ownerText(result.owner)}`)
        return
      }
      const { report } = result
      if (options.json) terminal.json(report)
      else
        terminal.print(
          `${plural(report.events, 'hook event')}, ${plural(report.ingested, 'transcript')} read (${report.ms} ms)`,
        )
      exit(report.failed > 0 ? 3 : 0)
    })
}

/** Nobody sees what a worker says: a configuration that cannot be read is written down. */
function logged(create: () => App): App {
  try {
    return create()
  } catch (error) {
    const { layout, clock } = createApp({ ignoresConfig: true })
    logLine(layout.logs, 'work', clock, messageOf(error))
    throw error
  }
}

/** The agent and its user come first. */
function stepBack(): void {
  try {
    setPriority(10)
  } catch {
    // then at the usual priority
  }
}
