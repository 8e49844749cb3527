import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { plural } from '../../core/units.ts'
import { type JournalDay, journalDays, readDay } from '../../journal/read-day.ts'
import type { Ledger } from '../../store/ledger.ts'
import { sessionsActiveBetween } from '../../store/wiki/journal.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { type Style, type Terminal, table } from '../terminal.ts'

interface Options {
  json?: boolean
  list?: boolean
  path?: boolean
}

export function addJournal({ program, terminal, exit }: CommandContext): void {
  program
    .command('journal [day]')
    .description('Read the journal of a day, session by session')
    .option('--list', 'List the days that have entries')
    .option('--path', 'Print only the path of the file')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect journal',
        'recollect journal yesterday',
        'recollect journal 2026-09-01 --json',
        'recollect journal --list',
        '$EDITOR "$(recollect journal today --path)"',
      ),
    )
    .action((name: string | undefined, options: Options) =>
      withLedger((app, ledger) => {
        if (options.list) return list(app, terminal, exit, options)
        const day = dayNamed(app, name)
        const found = day === undefined ? undefined : readDay(app.layout, day)
        if (!found) {
          exit(1)
          if (options.json) terminal.json({ day: day ?? null, path: null, entries: [], wentOn: [] })
          return terminal.say(nothingOn(app, day))
        }
        if (options.path) return terminal.print(found.path)
        const wentOn = otherSessions(app, ledger, found.day)
        if (options.json) return terminal.json({ ...found, wentOn })
        print(terminal, found, wentOn)
      }),
    )
}

interface OtherSession {
  session: string
  title: string
  /** The day whose journal has the entry. */
  day: string
}

function list({ layout }: App, terminal: Terminal, exit: CommandContext['exit'], { json }: Options): void {
  const days = journalDays(layout).map((day) => {
    const found = readDay(layout, day)
    return { day, entries: found?.entries.length ?? 0, path: found?.path ?? '' }
  })
  if (days.length === 0) exit(1)
  if (json) return terminal.json(days)
  if (days.length === 0) return terminal.say('The journal is empty. Run: recollect sweep')
  const rows = days.map(({ day, entries }) => [day, String(entries)])
  terminal.print(table([{ title: 'day' }, { title: 'entries', align: 'right' }], rows, terminal.columns))
}

/** Without a name: the last day that has a file, undefined if there is none. */
function dayNamed({ clock, zone, layout }: App, name: string | undefined): string | undefined {
  const today = zone.day(isoTime(clock.nowMs()))
  if (name === undefined) return journalDays(layout).at(-1)
  if (name === 'today') return today
  if (name === 'yesterday') return dayAfter(today, -1)
  const isDay = /^\d{4}-\d\d-\d\d$/.test(name) && dayAfter(name, 0) === name
  if (isDay) return name
  throw new UserError(
    `"${name}" is not a day`,
    'For example: recollect journal yesterday, recollect journal 2026-09-01',
  )
}

function dayAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return ''
  return isoTime(at.getTime() + days * 86_400_000).slice(0, 10)
}

function nothingOn({ layout }: App, day: string | undefined): string {
  const days = journalDays(layout)
  if (day === undefined || days.length === 0) return 'The journal is empty. Run: recollect sweep'
  const before = days.findLast((other) => other < day)
  const after = days.find((other) => other > day)
  const near = [before, after].filter((other) => other !== undefined).join(' and ')
  return `No entry for ${day}. The nearest days with entries: ${near}.`
}

function otherSessions({ zone }: App, ledger: Ledger, day: string): OtherSession[] {
  const [from, to] = [zone.startOfDay(day), zone.startOfDay(dayAfter(day, 1))]
  return sessionsActiveBetween(ledger, day, from, to).map(({ uid, title, entry }) => ({
    session: uid,
    title: title ?? '',
    day: entry!.day,
  }))
}

function print({ print, style }: Terminal, found: JournalDay, wentOn: OtherSession[]): void {
  for (const line of found.text.split('\n')) print(styled(line, style))
  if (wentOn.length === 0) return
  print(`\n${style.bold(`Also active, described on another day: ${plural(wentOn.length, 'session')}`)}`)
  for (const { session, title, day } of wentOn) print(`- ${day} ${title} ${style.dim(shortId(session))}`)
}

function styled(line: string, style: Style): string {
  if (/^#{1,6} /.test(line)) return style.bold(line)
  if (/^_.*_$/.test(line)) return style.dim(line)
  return line.replace(/^\*\*([^*]+)\*\*/, (_, title: string) => style.bold(title))
}
