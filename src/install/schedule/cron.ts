// Schedules with a marked line in the user's crontab, through the crontab programs of vixie cron,
// cronie and BusyBox. The table is text with one character per byte (latin1), so that the other
// lines stay unchanged whatever their encoding.
import { isoTime } from '../../core/clock.ts'
import { forCron } from './quote.ts'
import {
  type Cadence,
  cadenceIn,
  minuteFor,
  nextRun,
  quietHour,
  type ScheduledJob,
  type Scheduler,
  type ScheduleStep,
} from './scheduler.ts'

export const cron: Scheduler = {
  id: 'cron',
  name: 'cron',
  note: 'cron does not make up for runs that it missed while the machine was off.',
  inspect({ machine, nowMs }, run) {
    const { status, stdout, stderr } = run(['crontab', '-l'])
    const isTable = status === 0
    // Other errors, such as "not allowed to use this program", do not mean an empty table.
    const isNone = status === 1 && /no crontab|no such file/i.test(stderr)
    if (!isTable) return { isReachable: isNone, isActive: false, texts: {} }
    const table = stdout.toString('latin1')
    const ours = crontabEntry(table)
    const next = ours && nextRun(ours.cadence, minuteFor(machine), nowMs)
    const found = { isReachable: true, isActive: ours !== undefined, texts: { crontab: table } }
    return { ...found, cadence: ours?.cadence, since: ours?.since, next }
  },
  set(job, cadence, { texts }, { machine, nowMs }) {
    const line = Buffer.from(crontabLine(job, cadence, minuteFor(machine)), 'utf8').toString('latin1')
    const ours = crontabEntry(texts.crontab ?? '')
    const isSame = ours?.job === line && ours.cadence === cadence
    const after = withEntry(texts.crontab, { job: line, cadence, since: isSame ? ours.since : isoTime(nowMs) })
    return after === texts.crontab ? [] : [crontabStep(texts.crontab, after)]
  },
  unset({ texts }) {
    if (texts.crontab === undefined) return []
    const after = withoutEntry(texts.crontab)
    return after === texts.crontab ? [] : [crontabStep(texts.crontab, after)]
  },
}

function crontabLine({ node, cli, env }: ScheduledJob, cadence: Cadence, minute: number): string {
  const when = {
    hourly: `${minute} * * * *`,
    daily: `${minute} ${quietHour} * * *`,
    weekly: `${minute} ${quietHour} * * 1`,
  }[cadence]
  const variables = Object.entries(env).map(([name, value]) => `${name}=${forCron(value)}`)
  // cron would mail the output.
  return [when, ...variables, 'nice -n 10', forCron(node), forCron(cli), 'work >/dev/null 2>&1'].join(' ')
}

function crontabStep(before: string | undefined, after: string | undefined): ScheduleStep {
  const changes = entryChanges(before ?? '', after ?? '')
  if (after === undefined) return { kind: 'run', argv: ['crontab', '-r'], changes }
  return { kind: 'run', argv: ['crontab', '-'], input: Buffer.from(after, 'latin1'), changes }
}

const mark = / # recollect schedule (?:hourly|daily|weekly) since (\S+)( \([^)]*\))?$/
const inNewTable = ' (in a new crontab)'
const afterOpenLine = ' (after a line without end)'

interface CrontabEntry {
  /** The line up to its mark. */
  job: string
  cadence: Cadence
  since: string
}

export function crontabEntry(table: string): CrontabEntry | undefined {
  const line = linesOf(table).find((one) => isOurs(one) && !one.startsWith('#'))
  if (!line) return undefined
  const match = mark.exec(line.trimEnd())!
  return { job: line.slice(0, match.index), cadence: cadenceIn(match[0])!, since: match[1]! }
}

/** Replaces our line, or appends it. The mark records how to restore the table. */
export function withEntry(table: string | undefined, { job, cadence, since }: CrontabEntry): string {
  const line = (note: string) => `${job} # recollect schedule ${cadence} since ${since}${note}\n`
  if (table === undefined) return line(inNewTable)
  const lines = linesOf(table)
  const at = lines.findIndex(isOurs)
  if (at < 0) return table === '' || table.endsWith('\n') ? table + line('') : `${table}\n${line(afterOpenLine)}`
  const rest = lines.map((one, index) => (index === at ? line(noteOf(one)) : isOurs(one) ? '' : one))
  return rest.join('')
}

/** Removes our line; undefined if there was no crontab before. */
export function withoutEntry(table: string): string | undefined {
  const lines = linesOf(table)
  const first = lines.find(isOurs)
  if (!first) return table
  const rest = lines.filter((line) => !isOurs(line)).join('')
  if (rest === '' && noteOf(first) === inNewTable) return undefined
  return noteOf(first) === afterOpenLine && isOurs(lines.at(-1)!) ? rest.replace(/\n$/, '') : rest
}

/**
 * Our removed and added lines. The other lines are not shown: they may contain secrets of the user.
 */
export function entryChanges(before: string, after: string): string[] {
  const shown = (table: string, sign: string) =>
    linesOf(table)
      .filter(isOurs)
      .map((line) => `${sign} ${Buffer.from(line.trimEnd(), 'latin1').toString('utf8')}`)
  return [...shown(before, '-'), ...shown(after, '+')]
}

function linesOf(table: string): string[] {
  return table.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function isOurs(line: string): boolean {
  return mark.test(line.trimEnd())
}

function noteOf(line: string): string {
  return mark.exec(line.trimEnd())?.[2] ?? ''
}
