import { mkdirSync, watch as watchFolder } from 'node:fs'
import { setPriority } from 'node:os'
import { type App, createApp } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { messageOf, UserError } from '../../core/errors.ts'
import { logLine } from '../../core/log.ts'
import { plural } from '../../core/units.ts'
import { work } from '../../work.ts'
import { type CommandContext, examples } from '../command.ts'
import { lockOwnerText } from '../reports.ts'
import type { Terminal } from '../terminal.ts'

export function addWork({ program, terminal, exit }: CommandContext): void {
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
        else terminal.say(`Another worker is at it: ${lockOwnerText(result.owner)}`)
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

interface Options {
  json?: boolean
  every?: string
}

export function addWatch({ program, terminal }: CommandContext): void {
  program
    .command('watch')
    .description('stay in the foreground and capture as things happen, for agents without hooks; Ctrl-C ends it')
    .option('--every <seconds>', 'how often to look for changed transcripts', '10')
    .option('--json', 'one JSON line per round in which something came in')
    .addHelpText('after', examples('recollect watch', 'recollect watch --every 60'))
    .action(async (options: Options) => {
      const everyMs = secondsOption(options.every ?? '10') * 1000
      const app = createApp()
      terminal.say(`Watching. Looks every ${everyMs / 1000} s and whenever a hook tells of something. Ctrl-C ends it.`)
      const ending = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
      while (!ending.signal.aborted) {
        await round(app, terminal, options)
        await somethingHappens(app.layout.spool, everyMs, ending.signal)
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

/** A new file in the spool, the end of the pause, or the end of all. */
function somethingHappens(spool: string, everyMs: number, ending: AbortSignal): Promise<void> {
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
