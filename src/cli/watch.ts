import { mkdirSync, watch as watchFolder } from 'node:fs'
import { type App, createApp } from '../app.ts'
import { isoTime } from '../core/clock.ts'
import { UserError } from '../core/errors.ts'
import { plural } from '../core/units.ts'
import { work } from '../work.ts'
import { type Door, examples } from './command.ts'
import type { Terminal } from './terminal.ts'

interface Options {
  json?: boolean
  every?: string
}

export function addWatch({ program, terminal }: Door): void {
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
