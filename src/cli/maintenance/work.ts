import { mkdirSync, watch as watchFolder } from 'node:fs'
import { setPriority } from 'node:os'
import { type App, createApp } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { messageOf, UserError } from '../../core/errors.ts'
import { appendLog } from '../../core/files.ts'
import { plural } from '../../core/units.ts'
import { readWorkLog } from '../../store/work-log.ts'
import { oneLine, truncate } from '../../text/truncate.ts'
import { work } from '../../work.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { lockOwnerText, maxWaitMs, withWaitLimit } from '../reports.ts'
import { type Terminal, table } from '../terminal.ts'

export function addWork({ program, terminal, exit }: CommandContext): void {
  program
    .command('work')
    .description('Process hook events and sweep (run by hooks and the schedule)')
    .option('--drain', 'Wait until all events are handled and learned, also by others')
    .option('--log', 'List the last hook events and what became of them (see: status --runs)')
    .option('--json', 'the report as JSON')
    .addHelpText('after', examples('recollect work', 'recollect work --drain', 'recollect work --log'))
    .action(async (options: { drain?: boolean; log?: boolean; json?: boolean }) => {
      if (options.log) return printWorkLog(terminal, options.json ?? false)
      lowerPriority()
      const limits = options.drain ? { maxDrainMs: maxWaitMs } : {}
      const result = await withWaitLimit(() => work(logged(createApp), limits))
      if (result.kind === 'busy') {
        if (options.json) terminal.json({ busy: result.owner ?? true })
        else terminal.say(`Another worker is running: ${lockOwnerText(result.owner)}`)
        return exit(options.drain ? 3 : 0)
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

/** Rows that are printed; as JSON all. */
const maxLogRows = 50

function printWorkLog(terminal: Terminal, isJson: boolean): Promise<void> {
  return withLedger(({ zone }, ledger) => {
    const rows = readWorkLog(ledger)
    if (isJson) return terminal.json(rows.map(({ atMs, ...row }) => ({ at: isoTime(atMs), ...row })))
    if (rows.length === 0) return terminal.say('No hook event was handled yet.')
    terminal.print(
      table(
        [
          { title: 'when' },
          { title: 'what' },
          { title: 'took', align: 'right' },
          { title: 'session', rank: 1 },
          { title: 'detail', isFlexible: true },
        ],
        rows
          .slice(0, maxLogRows)
          .map(({ atMs, what, ms, session, detail }) => [
            zone.minute(isoTime(atMs)),
            what,
            ms === null ? '' : `${ms} ms`,
            truncate(session, 24),
            oneLine(detail),
          ]),
        terminal.columns,
      ),
    )
  })
}

/** Logs errors in config.toml: the output of a worker is not visible. */
function logged(create: () => App): App {
  try {
    return create()
  } catch (error) {
    const { layout, clock } = createApp({ ignoresConfig: true })
    appendLog(layout.logs, 'work', clock, messageOf(error))
    throw error
  }
}

/** Lowers the priority, so that the agent is not slowed down. */
function lowerPriority(): void {
  try {
    setPriority(10)
  } catch {
    // continue at normal priority
  }
}

interface Options {
  json?: boolean
  every?: string
}

export function addWatch({ program, terminal }: CommandContext): void {
  program
    .command('watch')
    .description('Capture continuously in the foreground until Ctrl-C')
    .option('--every <seconds>', 'Seconds between checks for changed transcripts', '10')
    .option('--json', 'Print one JSON line per round with new data')
    .addHelpText('after', examples('recollect watch', 'recollect watch --every 60'))
    .action(async (options: Options) => {
      const everyMs = secondsOption(options.every ?? '10') * 1000
      const app = createApp()
      terminal.say(`Watching: checks every ${everyMs / 1000} s and after each hook event. To stop: Ctrl-C`)
      const ending = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
      while (!ending.signal.aborted) {
        await round(app, terminal, options)
        await nextRound(app.layout.spool, everyMs, ending.signal)
      }
    })
}

function secondsOption(value: string): number {
  const seconds = Number(value)
  if (!(seconds >= 1 && seconds <= 86_400))
    throw new UserError(`--every takes a number of seconds, not "${value}"`, 'For example: --every 60')
  return seconds
}

async function round(app: App, terminal: Terminal, options: Options): Promise<void> {
  const result = await work(app)
  if (result.kind === 'busy') return
  const { ingested, events, ms } = result.report
  if (ingested + events === 0) return
  if (options.json) terminal.json(result.report)
  else
    terminal.print(
      `${app.zone.minute(isoTime(app.clock.nowMs()))}  ${plural(ingested, 'transcript')} read, ${plural(events, 'hook event')} (${ms} ms)`,
    )
}

/** Resolves on a new file in the spool, after the interval, or on abort. */
function nextRound(spool: string, everyMs: number, ending: AbortSignal): Promise<void> {
  mkdirSync(spool, { recursive: true, mode: 0o700 })
  return new Promise((resolve) => {
    const watcher = watchFolder(spool, (_, name) => {
      if (name && !name.startsWith('.')) done()
    })
    const timer = setTimeout(done, everyMs)
    ending.addEventListener('abort', done)
    function done(): void {
      watcher.close()
      clearTimeout(timer)
      ending.removeEventListener('abort', done)
      resolve()
    }
  })
}
