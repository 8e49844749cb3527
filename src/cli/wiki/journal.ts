import type { App } from '../../app.ts'
import { isoTime } from '../../core/clock.ts'
import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import { plural } from '../../core/units.ts'
import { type JournalDay, journalDays, readDay } from '../../journal/read-day.ts'
import { totalsText } from '../../journal/write-day.ts'
import type { Ledger } from '../../store/ledger.ts'
import { type DayTotals, sessionsOfDay, totalsOfDay } from '../../store/wiki/journal.ts'
import { unescapeMarkdown } from '../../text/markdown.ts'
import { type CommandContext, examples, withLedger } from '../command.ts'
import { type Style, type Terminal, table, wrapText } from '../terminal.ts'

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
        print(terminal, shown)
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

const maxColumns = 80

function print(terminal: Terminal, { day, text, totals, wentOn }: ShownDay): void {
  const { print, style } = terminal
  const columns = Math.min(maxColumns, terminal.columns)
  const title = /^# .*/.exec(text)?.[0] ?? `# ${day}`
  print(style.bold(unescapeMarkdown(title.slice(2))))
  print(style.dim(totalsText(totals)))
  const isHead = (line: string) => line === title || line === '## Sessions' || line === `_${totalsText(totals)}_`
  for (const line of renderMarkdown(
    text.split('\n').filter((line) => !isHead(line)),
    columns,
    style,
  ))
    print(line)
  if (wentOn.length === 0) return
  print(`\n${style.bold(`Active without an entry: ${plural(wentOn.length, 'session')}`)}`)
  for (const { session, title } of wentOn)
    for (const line of wrapItem(`${title} (${shortId(session)})`, columns)) print(line)
}

/** Markdown as a terminal shows it: wrapped, without marks, and one empty line between parts. */
function renderMarkdown(lines: readonly string[], columns: number, style: Style): string[] {
  const shown = lines.flatMap((line, at) => {
    const isJoined = line === '' && /^(?:\*\*[^*]+\*\*$|#{3,6} )/.test(lines[at - 1] ?? '')
    return isJoined ? [] : renderLine(line, columns, style)
  })
  return shown.filter((line, at) => line !== '' || (shown[at - 1] ?? 'x') !== '')
}

function renderLine(line: string, columns: number, style: Style): string[] {
  const text = unescapeMarkdown(line.replace(/\[\[[^\]|]+\|([^\]]+)\]\]/g, '$1'))
  const heading = /^#{1,6} (.*)/.exec(text)?.[1]
  if (heading !== undefined) return wrapText(heading, columns).map(style.bold)
  const facts = /^_(.*)_$/.exec(text)?.[1]
  if (facts !== undefined) return wrapFacts(facts.replaceAll('`', ''), columns).map(style.dim)
  if (/^- /.test(text)) return wrapItem(text.slice(2), columns)
  const part = /^\*\*([^*]+)\*\*(.*)/.exec(text)
  if (!part) return text === '' ? [''] : wrapText(text, columns)
  const [first = '', ...rest] = wrapText(`${part[1]}${part[2]}`, columns)
  return [`${style.bold(first.slice(0, part[1]!.length))}${first.slice(part[1]!.length)}`, ...rest]
}

/** Breaks lines between facts only. */
function wrapFacts(facts: string, columns: number): string[] {
  const lines: string[] = []
  for (const fact of facts.split(' · ')) {
    const longer = lines.length === 0 ? fact : `${lines.at(-1)} · ${fact}`
    if (lines.length > 0 && longer.length <= columns) lines[lines.length - 1] = longer
    else lines.push(...wrapText(fact, columns))
  }
  return lines
}

function wrapItem(text: string, columns: number): string[] {
  return wrapText(text, columns - 2).map((line, at) => `${at === 0 ? '-' : ' '} ${line}`)
}
