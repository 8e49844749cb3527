// A timer of the user's own systemd. Seen with systemd 252.
import { join } from 'node:path'
import { isoTime } from '../../core/clock.ts'
import type { Machine } from '../../core/paths.ts'
import { changedAt, deletes, textsOf, writesNeeded } from './files.ts'
import { forSystemd, forSystemdArgument } from './quote.ts'
import { type Cadence, cadenceIn, type Job, marker, type Scheduler, type Step } from './scheduler.ts'
import { quietHour } from './times.ts'

export const systemd: Scheduler = {
  id: 'systemd',
  name: 'a systemd user timer',
  note: 'It runs while you are logged in and makes up for what it missed; "loginctl enable-linger" has it run always.',
  find({ machine }, run) {
    const { service, timer, link, stamp } = pathsOf(machine)
    const asked = run(systemctl('show', 'recollect.timer', '--property=ActiveState,NextElapseUSecRealtime'))
    const answer = asked.stdout.toString()
    const texts = textsOf([service, timer, link, stamp])
    const isActive = asked.status === 0 && /^ActiveState=active$/m.test(answer)
    const cadence = cadenceIn(texts[timer])
    const since = cadence && changedAt(timer)
    const next = isActive ? nextIn(answer) : undefined
    return { isReachable: asked.status === 0, isActive, texts, cadence, since, next }
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
      ...(isChanged ? [told('daemon-reload')] : []),
      ...(isOn ? [] : [told('enable', '--now', 'recollect.timer')]),
      ...(isActive && isChanged ? [told('restart', 'recollect.timer')] : []),
    ]
  },
  unset({ isReachable, isActive, texts }, { machine }) {
    const { service, timer, link, stamp } = pathsOf(machine)
    const files = deletes([timer, service], texts)
    const isOurs = cadenceIn(texts[timer]) !== undefined
    if (texts[timer] !== undefined && !isOurs) return files
    if (files.length === 0 && texts[link] === undefined) return []
    // Without its file a timer cannot be disabled any more, and without a manager nobody does it: the link goes by hand.
    const isDisabled = isReachable && isOurs
    const left = (isDisabled ? [stamp] : [link, stamp]).filter((path) => texts[path] !== undefined)
    return [
      ...(isDisabled ? [told('disable', '--now', 'recollect.timer')] : []),
      ...(isReachable && isActive && !isDisabled ? [told('stop', 'recollect.timer')] : []),
      ...files,
      ...left.map((path): Step => ({ kind: 'delete', path })),
      ...(isReachable ? [told('daemon-reload')] : []),
    ]
  },
}

function serviceUnit({ node, cli, env }: Job, cadence: Cadence): string {
  // systemd runs no program with a quote or a backslash in its path, but lets one be an argument.
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
  const [calendar, delay] = cadence === 'hourly' ? ['hourly', '15min'] : [`*-*-* 0${quietHour}:00:00`, '1h']
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
    /** What `enable` makes. */
    link: join(units, 'timers.target.wants', 'recollect.timer'),
    /** Where systemd remembers the last run of a persistent timer. */
    stamp: join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'systemd', 'timers', 'stamp-recollect.timer'),
  }
}

function systemctl(...args: string[]): string[] {
  return ['systemctl', '--user', ...args]
}

function told(...args: string[]): Step {
  return { kind: 'run', argv: systemctl(...args) }
}

/** `NextElapseUSecRealtime=Tue 2026-09-01 04:12:31 UTC`: programs are run with their time zone set to UTC. */
function nextIn(answer: string): string | undefined {
  const match = /^NextElapseUSecRealtime=\S+ (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) UTC$/m.exec(answer)
  return match ? isoTime(Date.parse(`${match[1]}T${match[2]}Z`)) : undefined
}
