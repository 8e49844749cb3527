import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { dayAfter, isDay } from '../../core/days.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { plural } from '../../core/units.ts'
import { type JournalDay, journalDays, readDay } from '../../journal/read-day.ts'
import { totalsText } from '../../journal/write-day.ts'
import type { Ledger } from '../../store/ledger.ts'
import { type DayTotals, sessionsOfDay, totalsOfDay } from '../../store/wiki/journal.ts'
import { escapeMarkdown, unescapeMarkdown } from '../../text/markdown.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { type Terminal, table } from '../terminal.ts'
import { pageText } from './page-text.ts'

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
        if (options.path && found) return terminal.print(found.path)
        const shown = day === undefined ? undefined : withLedgerData(ledger, day, found)
        if (!shown || (!found && shown.wentOn.length === 0)) {
          exit(1)
          if (options.json) terminal.json({ day: day ?? null, path: null, entries: [], wentOn: [] })
          return terminal.say(nothingOn(app, day))
        }
        if (options.json) return terminal.json(shown)
        print(terminal, shown, app.clock.nowMs())
      }),
    )
}

/** A session that was active on the day and has no entry in the file, because a person deleted it. */
interface OtherSession {
  session: string
  title: string
  day: string
}

interface ShownDay extends Omit<JournalDay, 'path'> {
  /** Null if a person deleted the file. */
  path: string | null
  totals: DayTotals
  wentOn: OtherSession[]
}

function withLedgerData(ledger: Ledger, day: string, found: JournalDay | undefined): ShownDay {
  const told = new Set(found?.entries.map(({ session }) => session))
  const wentOn = sessionsOfDay(ledger, day)
    .filter(({ uid }) => !told.has(uid))
    .map(({ uid, title }) => ({ session: uid, title: title ?? '', day }))
  return { ...(found ?? { day, path: null, text: '', entries: [] }), totals: totalsOfDay(ledger, day), wentOn }
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
  if (isDay(name)) return name
  throw new UserError(
    `"${name}" is not a day`,
    'For example: recollect journal yesterday, recollect journal 2026-09-01',
  )
}

function nothingOn({ layout }: App, day: string | undefined): string {
  const days = journalDays(layout)
  if (day === undefined || days.length === 0) return 'The journal is empty. Run: recollect sweep'
  const before = days.findLast((other) => other < day)
  const after = days.find((other) => other > day)
  const near = [before, after].filter((other) => other !== undefined).join(' and ')
  return `No entry for ${day}. The nearest days with entries: ${near}.`
}

function print(terminal: Terminal, { day, text, totals, wentOn }: ShownDay, nowMs: number): void {
  const { print, style, columns } = terminal
  const title = /^# .*/.exec(text)?.[0] ?? `# ${day}`
  print(style.bold(unescapeMarkdown(title.slice(2))))
  print(`${style.dim(totalsText(totals))}\n`)
  const isHead = (line: string) => line === title || line === '## Sessions' || line === `_${totalsText(totals)}_`
  const body = text.split('\n').filter((line) => !isHead(line))
  print(pageText(body.join('\n'), { columns, style, nowMs }))
  if (wentOn.length === 0) return
  const items = wentOn.map((one) => `- ${escapeMarkdown(one.title ?? '', 200)} (${shortId(one.session)})`)
  print(`\n${style.bold(`Active without an entry: ${plural(wentOn.length, 'session')}`)}`)
  print(pageText(items.join('\n'), { columns, style, nowMs }))
}
