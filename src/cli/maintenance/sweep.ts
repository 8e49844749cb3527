import { type App, createApp } from '../../app.ts'
import type { LockOwner } from '../../core/lock.ts'
import { formatCount, formatSize, plural } from '../../core/units.ts'
import type { SweepReport } from '../../pipeline.ts'
import { retryDeadLetters } from '../../store/memories/model-calls.ts'
import { type Sweep, sweep } from '../../sweep.ts'
import { agentOption, type CommandContext, examples } from '../command.ts'
import { askForModelConsent } from '../prompts.ts'
import { syncReportText } from '../reports.ts'
import type { Terminal } from '../terminal.ts'

interface Options {
  json?: boolean
  dryRun?: boolean
  full?: boolean
  wait?: boolean
  retry?: boolean
  agent?: string
}

export function addSweep({ program, terminal, exit }: CommandContext): void {
  program
    .command('sweep')
    .description(
      'capture what the agents have written since the last time, digest it, learn from it, keep to the storage budget',
    )
    .option('--dry-run', 'read everything that changed, write nothing')
    .option('--agent <agent>', 'only this agent')
    .option('--full', 'read every transcript again from its start')
    .option('--wait', 'wait when another sweep is running')
    .option('--retry', 'also ask models again about what they have failed on')
    .option('--json', 'the report as JSON')
    .addHelpText(
      'after',
      examples('recollect sweep', 'recollect sweep --agent codex --dry-run', 'recollect sweep --full --json'),
    )
    .action(async (options: Options) => {
      const app = createApp()
      const agent = agentOption(app, options.agent)
      if (!options.dryRun && !options.json) await askForModelConsent(app, terminal)
      if (options.retry && !options.dryRun) retry(app, terminal)
      const progress = terminal.progress()
      const result = await sweep(app, {
        isDryRun: options.dryRun ?? false,
        isFull: options.full ?? false,
        ...(agent ? { agent } : {}),
        ...(options.wait ? { onWait: (owner?: LockOwner) => terminal.say(`Waiting: ${lockOwnerText(owner)}`) } : {}),
        onProgress: (done, of) => progress.show('Capturing', done, of),
        onDigest: (done, of) => progress.show('Digesting', done, of, 'sessions'),
        onLearn: (done, of) => progress.show('Learning', done, of, 'sessions'),
      })
      progress.end()
      exit(report(terminal, result, options))
    })
}

function retry(app: App, terminal: Terminal): void {
  const ledger = app.ledger()
  try {
    const revived = retryDeadLetters(ledger)
    if (revived > 0) terminal.say(`${plural(revived, 'failed question')} will be asked again`)
  } finally {
    ledger.close()
  }
}

function report(terminal: Terminal, result: Sweep, options: Options): 0 | 3 {
  if (result.kind === 'busy') {
    terminal.say(
      `Another sweep is at work: ${lockOwnerText(result.owner)}. Nothing was done; add --wait to wait for it.`,
    )
    if (options.json) terminal.json({ busy: result.owner ?? true })
    return 3
  }
  if (options.json) terminal.json(result.report)
  else printSweepReport(terminal, result.report, options.dryRun ?? false)
  return result.report.failed.length > 0 ? 3 : 0
}

export function lockOwnerText(owner: LockOwner | undefined): string {
  return owner ? `process ${owner.pid} (${owner.command}) since ${owner.since}` : 'its owner is not known'
}

export function printSweepReport(
  { print, say, style }: Terminal,
  report: SweepReport & { ms: number },
  isDryRun: boolean,
): void {
  const { ingested, unchanged, events, digested, retention } = report
  const did = isDryRun ? 'would read' : 'read'
  print(
    `${style.bold(`${plural(ingested, 'transcript')} ${did}`)}, ${formatCount(unchanged)} unchanged, ${plural(events, 'event')}, ${plural(digested, 'session')} digested (${report.ms} ms)`,
  )
  const { learned, merged, superseded, inbox, edited, consolidated, articles } = report
  if (learned + merged + superseded + inbox + edited + consolidated + articles > 0) {
    const parts = [
      `${plural(learned, 'memory', 'memories')} learned`,
      merged > 0 ? `${merged} said again` : '',
      superseded > 0 ? `${superseded} superseded` : '',
      inbox > 0 ? `${inbox} to decide on (recollect inbox)` : '',
      edited > 0 ? `${edited} edited by hand` : '',
      consolidated > 0 ? `${consolidated} put in order (recollect history)` : '',
      articles > 0 ? `${plural(articles, 'article')} written (recollect wiki)` : '',
    ]
    print(parts.filter(Boolean).join(', '))
  }
  const { synced } = report
  if (Object.values(synced).some((count) => count > 0)) print(`Server: ${syncReportText(synced)}`)
  const evicted = retention.age.length + retention.budget.length + retention.overflow.length + retention.dataLoss.length
  if (evicted > 0)
    print(`${plural(evicted, 'old body', 'old bodies')} let go, ${formatSize(retention.freedBytes)} freed`)
  for (const alert of retention.alerts) say(style.yellow(`Attention: ${alert}`))
  if (report.skipped.length > 0)
    say(`${plural(report.skipped.length, 'unreadable part')} left out; "recollect doctor" lists them`)
  for (const { path, reason } of report.failed) say(style.red(`Could not read ${path}: ${reason}`))
  if (report.failed.length > 0) say('They are tried again with the next sweep.')
}
