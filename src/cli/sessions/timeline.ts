import { UserError } from '../../core/errors.ts'
import { shortId } from '../../core/session.ts'
import type { Zone } from '../../core/units.ts'
import type { TimelineEntry } from '../../history/timeline-entries.ts'
import { projectName } from '../../store/sessions/projects.ts'
import { shortLine } from '../../text/truncate.ts'
import { type CommandContext, countOption, examples, projectOption, sinceOption, withLedger } from '../command.ts'
import type { Terminal } from '../terminal.ts'

interface Options {
  json?: boolean
  project?: string
  since?: string
  around?: string
  limit?: string
}

export function addTimeline({ program, terminal, exit }: CommandContext): void {
  program
    .command('timeline')
    .description('Show what happened around a session, memory, commit or day')
    .argument('[about...]', 'An id, a day or words to search for (default: the latest)')
    .option('--project <project>', 'Only this project (name, identity or folder)')
    .option('--since <time>', 'Only since this time: 7d, 24h or a date')
    .option('--around <span>', 'Time before and after: 30min, 24h, 7d (default: 24h; for a day: that day)')
    .option('--limit <n>', 'Maximum number of entries, the nearest ones (default: 40)')
    .option('--json', 'Print JSON')
    .addHelpText(
      'after',
      examples(
        'recollect timeline',
        'recollect timeline yesterday --project .',
        'recollect timeline m-k3j5 --around 7d',
        'recollect timeline 0a1b2c3d#12 --around 30min',
        'recollect timeline database is locked --json',
      ),
    )
    .action((words: string[], options: Options) =>
      withLedger(async (app, ledger) => {
        const { timeline } = await import('../../history/timeline.ts')
        const project = projectOption(app, ledger, options.project) ?? null
        const context = { ledger, clock: app.clock, zone: app.zone, project }
        const result = timeline(context, words.join(' ').trim(), {
          aroundMs: spanOption(options.around),
          isWide: options.around !== undefined,
          sinceMs: sinceOption(options.since, app),
          limit: countOption(options.limit, 'limit') ?? 40,
        })
        if (result.happenings.length === 0) exit(1)
        if (options.json) return terminal.json(result)
        if (result.happenings.length === 0)
          return terminal.say(`Nothing happened from ${app.zone.minute(result.from)} to ${app.zone.minute(result.to)}.`)
        const nameOf = (project: string) => projectName(ledger, project)
        for (const line of linesOf(result.happenings, app.zone, terminal, nameOf)) terminal.print(line)
        if (result.left > 0)
          terminal.say(`More entries exist; these are the nearest ${result.happenings.length}. To see more: --limit`)
      }),
    )
}

const spans = { min: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }

function spanOption(value = '24h'): number {
  const [, count, unit] = /^(\d+)\s*(min|h|d|w)$/.exec(value) ?? []
  if (!unit) throw new UserError(`--around takes a span, not "${value}"`, 'For example: --around 30min or --around 7d')
  return Number(count) * spans[unit as keyof typeof spans]
}

/** A heading per day, then one line per entry. */
function linesOf(
  happenings: TimelineEntry[],
  zone: Zone,
  display: Display,
  nameOf: (project: string) => string,
): string[] {
  const lines: string[] = []
  let day = ''
  for (const happening of happenings) {
    const minute = zone.minute(happening.at)
    if (minute.slice(0, 10) !== day) {
      day = minute.slice(0, 10)
      lines.push(display.style.bold(day))
    }
    const project = happening.project === null ? '' : nameOf(happening.project)
    lines.push(lineOf(happening, project, minute.slice(11), display))
  }
  return lines
}

type Display = Pick<Terminal, 'style' | 'columns'>

const minText = 40

/** The text is shortened to the width; agent and project are left out where it would become too short. */
function lineOf(entry: TimelineEntry, project: string, time: string, { style, columns }: Display): string {
  const { kind, what, agent, isAnchor } = entry
  const who = [agent, project].filter(Boolean).join(' ')
  const label = kind === 'turning point' ? pointText(what) : [kind, what].filter(Boolean).join(' ')
  const id = nextId(kind, entry.id)
  const room = columns - `  ${time}  ${label}    ${id}`.length
  const isWide = room - who.length - 2 >= Math.min(minText, entry.text.length)
  const text = shortLine(entry.text, Math.max(1, isWide && who !== '' ? room - who.length - 2 : room))
  const shown = [isAnchor ? style.bold(text) : text, isWide ? style.dim(who) : '', style.dim(id)].filter(Boolean)
  const mark = isAnchor ? style.yellow('►') : ' '
  return `${mark} ${style.dim(kind === 'journal' ? '     ' : time)}  ${label}  ${shown.join('  ')}`
}

/** A commit has its own entry; the turning point is that the session committed or pushed. */
function pointText(what: string): string {
  return what === 'commit' ? 'git' : what.replace('-', ' ')
}

/** The shortest id that `recollect show` accepts. */
function nextId(kind: TimelineEntry['kind'], id: string): string {
  if (kind === 'memory' || kind === 'journal') return id
  if (kind === 'commit') return id.slice(0, 10)
  const [, session, place = ''] = /^(.+?)(#\d+)?$/s.exec(id)!
  return `${shortId(session!)}${place}`
}
