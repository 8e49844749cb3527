import { type App, createApp } from '../../app.ts'
import { spoolFiles } from '../../capture/spool.ts'
import type { LockOwner } from '../../core/lock.ts'
import { plural } from '../../core/units.ts'
import { makeDeadLettersDue } from '../../store/memories/dead-letters.ts'
import { type Sweep, type SweepOptions, sweep } from '../../sweep.ts'
import { work } from '../../work.ts'
import { agentOption, type CommandContext, examples, ledgerUnlessDamaged } from '../command.ts'
import { lockOwnerText, maxWaitMs, printSweepReport, withWaitLimit } from '../reports.ts'
import { type JudgeOptions, judgeOption, offerJudge } from '../setup/choose-judge.ts'
import type { Terminal } from '../terminal.ts'

interface Options extends JudgeOptions {
  dryRun?: boolean
  full?: boolean
  wait?: boolean
  retry?: boolean
  evict?: boolean
  agent?: string
  config?: string
}

const retentionHelp = `
Conversations are deleted only when the store is above its limits ([retain] in
config.toml), oldest first, a day after you were told. If the clock has moved by
more than a day since the last sweep, nothing is deleted until you run
"recollect sweep --evict". The option deletes what is due without waiting.
`

export function addSweep({ program, terminal, exit }: CommandContext): void {
  program
    .command('sweep')
    .description('Capture new sessions of agents and learn from them')
    .option('--dry-run', 'Read everything that changed without writing')
    .option('--agent <agent>', 'Only this agent')
    .option('--full', 'Read all transcripts again; restores deleted conversations')
    .option('--wait', 'Wait for other sweeps and until everything is learned')
    .option('--retry', 'Ask models again about questions that failed')
    .option('--evict', 'Delete conversations above the limits now; accept the clock')
    .option(...judgeOption)
    .option('--config <path>', 'Use this file instead of config.toml in the store')
    .option('--json', 'Print the report as JSON')
    .addHelpText(
      'after',
      examples('recollect sweep', 'recollect sweep --agent codex --dry-run', 'recollect sweep --full --json'),
    )
    .addHelpText('after', retentionHelp)
    .action(async (options: Options) => {
      const app = createApp(options.config === undefined ? {} : { configPath: options.config })
      for (const warning of app.config.warnings) terminal.say(terminal.style.yellow(`Warning: ${warning}`))
      const agent = agentOption(app, options.agent)
      if (options.retry && !options.dryRun) await retry(app, terminal)
      if (options.wait && !options.dryRun) await drainSpool(app)
      const progress = terminal.progress()
      const result = await withWaitLimit(() =>
        sweep(app, {
          isDryRun: options.dryRun ?? false,
          isFull: options.full ?? false,
          isEviction: options.evict ?? false,
          ...(agent ? { agent } : {}),
          ...(options.wait ? waitOptions(terminal) : {}),
          onProgress: (done, of) => progress.show('Capturing', done, of),
          onDigest: (done, of) => progress.show('Digesting', done, of, 'sessions'),
          onLearn: (done, of) => progress.show('Learning', done, of, 'sessions'),
        }),
      )
      progress.end()
      exit(report(app, terminal, result, options))
      if (!options.dryRun) await offerJudge(app, terminal, options)
    })
}

/** Hook events tell that a turn is over, so that its last exchange is learned now. */
async function drainSpool(app: App): Promise<void> {
  if (spoolFiles(app.layout.spool, app.clock).length === 0) return
  await withWaitLimit(() => work(app, { maxDrainMs: maxWaitMs }))
}

function waitOptions(terminal: Terminal): Pick<SweepOptions, 'onWait' | 'maxWaitMs' | 'waitsForLearning'> {
  const onWait = (owner?: LockOwner) => terminal.say(`Waiting for ${lockOwnerText(owner)}`)
  return { onWait, maxWaitMs, waitsForLearning: true }
}

async function retry(app: App, terminal: Terminal): Promise<void> {
  const { endForkCooldowns } = await import('../../models/fork/ask-fork.ts')
  const ledger = ledgerUnlessDamaged(app)
  if (!ledger) return
  try {
    endForkCooldowns(ledger, app.clock)
    const revived = makeDeadLettersDue(ledger)
    if (revived > 0) terminal.say(`Asking ${plural(revived, 'failed question')} again`)
  } finally {
    ledger.close()
  }
}

function report({ zone }: App, terminal: Terminal, result: Sweep, options: Options): 0 | 3 {
  if (result.kind === 'busy') {
    terminal.say(`Another sweep is running: ${lockOwnerText(result.owner)}. To wait for it, add --wait.`)
    if (options.json) terminal.json({ busy: result.owner ?? true })
    return 3
  }
  if (options.json) terminal.json(result.report)
  else printSweepReport(terminal, zone, result.report, options.dryRun ?? false)
  return result.report.failed.length + result.report.failedStages.length > 0 ? 3 : 0
}
