import { formatElapsed, formatSize, formatUsd, plural } from '../../core/units.ts'
import { windowText } from '../../core/usage/rate-limits.ts'
import { waitingLines, waitingQuestions } from '../../learn/model/waiting-questions.ts'
import { budgetState } from '../../models/governor.ts'
import { storageState, storageUse, storageWarning } from '../../retain/describe.ts'
import { lastSweep } from '../../store/last-sweep.ts'
import { countMemories } from '../../store/memories/memories.ts'
import { overviewOf } from '../../store/sessions/overview.ts'
import { type AccountLimit, accountLimits } from '../../store/sessions/rate-limits.ts'
import { countProblems, failedTranscripts, listDrift, listRedactions } from '../../store/sessions/transcripts.ts'
import { retainedSizes, saveVaultSize, storeSizes, totalBytes } from '../../store/sizes.ts'
import { syncSummary } from '../../sync/state.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { memoryCountsText, pendingSharesText } from '../reports.ts'
import { table } from '../terminal.ts'
import { judgeStatus } from './judge-status.ts'
import { printRuns } from './runs.ts'

interface StatusOptions {
  runs?: boolean
  session?: string
  limit?: string
  json?: boolean
}

export function addStatus({ program, terminal }: CommandContext): void {
  program
    .command('status')
    .description('Show the last sweep, totals and problems')
    .option('--runs', 'List the last runs in the background: what was judged, kept, skipped, and why')
    .option('--session <id>', 'Only what the runs did with this session')
    .option('--limit <n>', 'Maximum number of runs (default: 20)')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples('recollect status', 'recollect status --runs', 'recollect status --runs --session 0a1b2c3d'),
    )
    .action((options: StatusOptions) =>
      withLedger(async (app, ledger) => {
        if (options.runs || options.session) return printRuns(terminal, app, ledger, options)
        const { zone, layout } = app
        const last = lastSweep(ledger)
        const overview = overviewOf(ledger)
        const used = totalBytes(storeSizes(ledger))
        const retention = storageState(ledger, app.config)
        const failed = failedTranscripts(ledger)
        const attention = {
          unreadable: countProblems(ledger),
          unknownTypes: listDrift(ledger).length,
          setAside: failed.map(({ path, reason }) => ({ path, reason })),
        }
        const redactions = listRedactions(ledger)
        const memories = countMemories(ledger)
        const models = budgetState({ ...app, ledger })
        const { judge, lines: judgeLines } = await judgeStatus(app, ledger, models)
        const waiting = waitingQuestions(ledger)
        const sync = syncSummary({ config: app.config, ledger })
        const limits = accountLimits(ledger, app.clock.nowMs())
        if (options.json)
          return terminal.json({
            home: layout.root,
            lastSweep: last ?? null,
            ...overview,
            usedBytes: used,
            retention,
            redactions,
            memories,
            judge,
            models,
            waiting: waiting ?? null,
            sync: sync ?? null,
            limits,
            attention,
          })
        const { style, tell } = terminal
        const removed = Object.values(redactions).reduce((sum, count) => sum + count, 0)
        tell(
          last
            ? `Last sweep: ${style.bold(zone.minute(last.at))}, ${plural(last.ingested, 'transcript')}, ${formatElapsed(last.ms)}`
            : 'Last sweep: none yet',
        )
        tell(
          `${plural(overview.sessions, 'session')}, ${plural(overview.subagents, 'subagent')}, ${plural(overview.events, 'event')}, ${formatSize(used)} in ${layout.root}`,
        )
        tell(`Storage: ${storageUse(retention)}`)
        const warning = storageWarning(retention, zone)
        if (warning) tell(style.yellow([...warning.problem, ...warning.keep, ...warning.confirm].join('\n')))
        tell(memoryCountsText(memories))
        for (const line of judgeLines) tell(line)
        if (models.calls > 0 || models.isUsedUp)
          tell(
            `Models today: ${formatUsd(models.usd)} of ${formatUsd(models.limits.usd)}, ${plural(models.calls, 'paid call')}`,
          )
        if (models.isUsedUp)
          tell(
            style.yellow(
              `The daily budget for models is used up; until midnight: ${models.steppedDownTo.join(', else ') || 'none'}`,
            ),
          )
        for (const line of limitLines(limits)) tell(line)
        if (waiting) for (const line of waitingLines(waiting, zone)) tell(waiting.needsUser ? style.yellow(line) : line)
        if (removed > 0)
          tell(`${plural(removed, 'secret or private span', 'secrets and private spans')} removed before storing`)
        if (sync) {
          const waits = sync.waiting > 0 ? `, ${plural(sync.waiting, 'change')} to send` : ''
          const refused = sync.refused > 0 ? `, ${sync.refused} refused` : ''
          const isWell = sync.key !== 'refused' && sync.refused === 0 && sync.failures.length === 0
          const problem = sync.key === 'refused' ? ', the key is rejected' : (sync.failures[0]?.reason ?? '')
          const text = `Server ${sync.server}${waits}${refused}${problem && sync.key !== 'refused' ? `, ${problem}` : problem}`
          tell(isWell ? text : style.yellow(`${text}: recollect sync --status`))
          if (sync.pendingShares > 0) tell(style.yellow(pendingSharesText(sync.pendingShares)))
        }
        for (const { path, reason } of failed.slice(0, 3)) tell(style.yellow(`Set aside: ${path}\n  ${reason}`))
        if (failed.length > 3) tell(style.yellow(`and ${failed.length - 3} more: recollect doctor`))
        if (failed.length > 0) tell('They are read when they change. To try now: recollect sweep --full')
        const { unreadable, unknownTypes } = attention
        if (unreadable + unknownTypes > 0)
          tell(
            style.yellow(
              `${plural(unreadable, 'unreadable part')}, ${plural(unknownTypes, 'unknown record type')}: recollect doctor`,
            ),
          )
      }),
    )
}

/** Limits of the agents' accounts, as they last recorded them. */
function limitLines(limits: readonly AccountLimit[]): string[] {
  const current = Map.groupBy(
    limits.filter(({ isOver }) => !isOver),
    ({ agent }) => agent,
  )
  return [...current].map(([agent, own]) => {
    const parts = own.map((one) => {
      const name = one.limit === agent ? windowText(one) : `${windowText(one)} (${one.limit})`
      return `${Math.round(one.usedPercent)} % of ${name}`
    })
    return `Limits of ${agent}: ${parts.join(', ')} used`
  })
}

const meanings = {
  bodies: 'full conversations; the oldest are deleted above the limit',
  copies: 'the rest of the transcripts, to restore them',
  ledger: 'sessions, digests, search index',
  vault: 'Markdown files',
  briefs: 'briefs for new sessions',
  spool: 'unprocessed hook events',
  logs: 'log files',
  backups: 'ledger and agent files before changes',
  deleted: 'deleted sessions that can still be restored',
}

export function addDu({ program, terminal }: CommandContext): void {
  program
    .command('du')
    .description('Show disk usage of the store and its budget')
    .option('--json', 'Print JSON')
    .addHelpText('after', examples('recollect du', 'recollect du --json'))
    .action((options: { json?: boolean }) =>
      withLedger(({ config, layout }, ledger) => {
        saveVaultSize(ledger) // users may have edited files since
        const sizes = storeSizes(ledger)
        const total = totalBytes(sizes)
        const { softBytes, hardBytes, maxAgeDays, distilledBytes } = config.retain
        if (options.json) return terminal.json({ ...sizes, total, softBytes, hardBytes, maxAgeDays, distilledBytes })
        const rows = Object.entries(meanings).map(([name, meaning]) => [
          name,
          formatSize(sizes[name as keyof typeof sizes]),
          meaning,
        ])
        terminal.print(
          table(
            [{ title: 'class' }, { title: 'size', align: 'right' }, { title: '', isFlexible: true }],
            [...rows, ['total', formatSize(total), layout.root]],
            terminal.columns,
          ),
        )
        const age = maxAgeDays === 0 ? 'no age limit' : `conversations are deleted after ${maxAgeDays} days`
        const used = totalBytes(retainedSizes(ledger))
        terminal.print(`\nSoft limit: ${storageUse({ usedBytes: used, softBytes })}`)
        terminal.print(`Hard limit: ${formatSize(hardBytes)}; ${age}`)
      }),
    )
}
