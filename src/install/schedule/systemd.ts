// Schedules with a systemd user timer. Tested with systemd 252.
import { join } from 'node:path'
import { isoTime } from '../../core/clock.ts'
import type { Machine } from '../../core/paths.ts'
import { forSystemd, forSystemdArgument } from './quote.ts'
import {
  type Cadence,
  cadenceIn,
  deletesNeeded,
  marker,
  modifiedAt,
  quietHour,
  readTexts,
  type ScheduledJob,
  type Scheduler,
  type ScheduleStep,
  writesNeeded,
} from './scheduler.ts'

export const systemd: Scheduler = {
  id: 'systemd',
  name: 'a systemd user timer',
  note: 'It runs while you are logged in and makes up for what it missed; "loginctl enable-linger" has it run always.',
  inspect({ machine }, run) {
    const { service, timer, link, stamp } = pathsOf(machine)
    const result = run(systemctl('show', 'recollect.timer', '--property=ActiveState,NextElapseUSecRealtime'))
    const answer = result.stdout.toString()
    const texts = readTexts([service, timer, link, stamp])
    const isActive = result.status === 0 && /^ActiveState=active$/m.test(answer)
    const cadence = cadenceIn(texts[timer])
    const since = cadence && modifiedAt(timer)
    const next = isActive ? nextIn(answer) : undefined
    return { isReachable: result.status === 0, isActive, texts, cadence, since, next }
  },
  set(job, cadence, { isActive, texts }, { machine }) {
    const { service, timer, link } = pathsOf(machine)
    const writes = writesNeeded(
      [
        { kind: 'write', path: service, content: serviceUnit(job, cadence) },
        { kind: 'write', path: timer, content: timerUnit(cadence) },
      ],
      texts,
    )
    const isChanged = writes.length > 0
    const isOn = isActive && texts[link] !== undefined
    return [
      ...writes,
      ...(isChanged ? [systemctlStep('daemon-reload')] : []),
      ...(isOn ? [] : [systemctlStep('enable', '--now', 'recollect.timer')]),
      ...(isActive && isChanged ? [systemctlStep('restart', 'recollect.timer')] : []),
    ]
  },
  unset({ isReachable, isActive, texts }, { machine }) {
    const { service, timer, link, stamp } = pathsOf(machine)
    const files = deletesNeeded([timer, service], texts)
    const isOurs = cadenceIn(texts[timer]) !== undefined
    if (texts[timer] !== undefined && !isOurs) return files
    if (files.length === 0 && texts[link] === undefined) return []
    // A timer without its file, or without a running manager, cannot be disabled: delete the link
    // ourselves.
    const isDisabled = isReachable && isOurs
    const left = (isDisabled ? [stamp] : [link, stamp]).filter((path) => texts[path] !== undefined)
    return [
      ...(isDisabled ? [systemctlStep('disable', '--now', 'recollect.timer')] : []),
      ...(isReachable && isActive && !isDisabled ? [systemctlStep('stop', 'recollect.timer')] : []),
      ...files,
      ...left.map((path): ScheduleStep => ({ kind: 'delete', path })),
      ...(isReachable ? [systemctlStep('daemon-reload')] : []),
    ]
  },
}

function serviceUnit({ node, cli, env }: ScheduledJob, cadence: Cadence): string {
  // systemd refuses a program path with a quote or a backslash, but accepts it as an argument.
  const program = /["'\\]/.test(node) ? `/usr/bin/env ${forSystemdArgument(node)}` : forSystemd(node)
  return `# ${marker(cadence)}
[Unit]
Description=Recollect: take in what the coding agents have written

[Service]
Type=oneshot
ExecStart=${program} ${forSystemdArgument(cli)} work
${Object.entries(env)
  .map(([name, value]) => `Environment=${forSystemd(`${name}=${value}`)}\n`)
  .join('')}Nice=10
IOSchedulingClass=idle
`
}

function timerUnit(cadence: Cadence): string {
  const at = `*-*-* 0${quietHour}:00:00`
  const calendar = { hourly: 'hourly', daily: at, weekly: `Mon ${at}` }[cadence]
  const delay = cadence === 'hourly' ? '15min' : '1h'
  return `# ${marker(cadence)}
[Unit]
Description=Recollect, ${cadence}

[Timer]
OnCalendar=${calendar}
RandomizedDelaySec=${delay}
Persistent=true

[Install]
WantedBy=timers.target
`
}

function pathsOf({ home, env }: Machine) {
  const units = join(env.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user')
  return {
    service: join(units, 'recollect.service'),
    timer: join(units, 'recollect.timer'),
    /** Created by `systemctl enable`. */
    link: join(units, 'timers.target.wants', 'recollect.timer'),
    /** Time of the last run of a persistent timer. */
    stamp: join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'systemd', 'timers', 'stamp-recollect.timer'),
  }
}

function systemctl(...args: string[]): string[] {
  return ['systemctl', '--user', ...args]
}

function systemctlStep(...args: string[]): ScheduleStep {
  return { kind: 'run', argv: systemctl(...args) }
}

/** Parses `NextElapseUSecRealtime=Tue 2026-09-01 04:12:31 UTC`; programs run with TZ=UTC. */
function nextIn(answer: string): string | undefined {
  const match = /^NextElapseUSecRealtime=\S+ (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/m.exec(answer)
  return match ? isoTime(Date.parse(`${match[1]}T${match[2]}Z`)) : undefined
}
