// A line in the user's crontab; written for the crontab programs of vixie cron, cronie and BusyBox.
import { isoTime } from '../../core/clock.ts'
import { ourLine, tableChanges, withOurLine, withoutOurLine } from './crontab.ts'
import { forCron } from './quote.ts'
import type { Cadence, Job, Scheduler, Step } from './scheduler.ts'
import { minuteOf, nextRun, quietHour } from './times.ts'

export const cron: Scheduler = {
  id: 'cron',
  name: 'cron',
  note: 'cron does not make up for runs that it missed while the machine was off.',
  find({ machine, nowMs }, run) {
    const { status, stdout, stderr } = run(['crontab', '-l'])
    const isTable = status === 0
    // Anything else, such as "not allowed to use this program", must not be taken for an empty table.
    const isNone = status === 1 && /no crontab|no such file/i.test(stderr)
    if (!isTable) return { isReachable: isNone, isActive: false, texts: {} }
    const table = stdout.toString('latin1')
    const ours = ourLine(table)
    const next = ours && nextRun(ours.cadence, minuteOf(machine), nowMs)
    const found = { isReachable: true, isActive: ours !== undefined, texts: { crontab: table } }
    return { ...found, cadence: ours?.cadence, since: ours?.since, next }
  },
  set(job, cadence, { texts }, { machine, nowMs }) {
    const line = Buffer.from(lineOf(job, cadence, minuteOf(machine)), 'utf8').toString('latin1')
    const ours = ourLine(texts.crontab ?? '')
    const isSame = ours?.job === line && ours.cadence === cadence
    const after = withOurLine(texts.crontab, { job: line, cadence, since: isSame ? ours.since : isoTime(nowMs) })
    return after === texts.crontab ? [] : [installed(texts.crontab, after)]
  },
  unset({ texts }) {
    if (texts.crontab === undefined) return []
    const after = withoutOurLine(texts.crontab)
    return after === texts.crontab ? [] : [installed(texts.crontab, after)]
  },
}

function lineOf({ node, cli, env }: Job, cadence: Cadence, minute: number): string {
  const when = cadence === 'hourly' ? `${minute} * * * *` : `${minute} ${quietHour} * * *`
  const variables = Object.entries(env).map(([name, value]) => `${name}=${forCron(value)}`)
  // cron would mail every word that the worker says.
  return [when, ...variables, 'nice -n 10', forCron(node), forCron(cli), 'work >/dev/null 2>&1'].join(' ')
}

function installed(before: string | undefined, after: string | undefined): Step {
  const changes = tableChanges(before ?? '', after ?? '')
  if (after === undefined) return { kind: 'run', argv: ['crontab', '-r'], changes }
  return { kind: 'run', argv: ['crontab', '-'], input: Buffer.from(after, 'latin1'), changes }
}
