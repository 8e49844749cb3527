// Schedules with a launchd agent (macOS). Uses a calendar interval: launchd catches up on those
// after sleep, but not on StartInterval.
import { join } from 'node:path'
import { forXml } from './quote.ts'
import {
  type Cadence,
  cadenceIn,
  deletesNeeded,
  marker,
  minuteFor,
  modifiedAt,
  nextRun,
  quietHour,
  readTexts,
  type ScheduleContext,
  type ScheduledJob,
  type Scheduler,
  writesNeeded,
} from './scheduler.ts'

const label = 'recollect.work'

export const launchd: Scheduler = {
  id: 'launchd',
  name: 'a launchd agent',
  inspect(place, run) {
    const path = pathOf(place)
    const result = run(['launchctl', 'print', serviceOf(place)])
    const texts = readTexts([path])
    const cadence = cadenceIn(texts[path])
    const isActive = result.status === 0
    const since = cadence && modifiedAt(path)
    const next = cadence && isActive ? nextRun(cadence, minuteFor(place.machine), place.nowMs) : undefined
    return { isReachable: result.status !== 127, isActive, texts, cadence, since, next }
  },
  set(job, cadence, { isActive, texts }, place) {
    const path = pathOf(place)
    const content = plist(job, cadence, minuteFor(place.machine))
    const writes = writesNeeded([{ kind: 'write', path, content }], texts)
    if (writes.length === 0 && isActive) return []
    return [
      ...(isActive ? [{ kind: 'run' as const, argv: ['launchctl', 'bootout', serviceOf(place)] }] : []),
      ...writes,
      { kind: 'run', argv: ['launchctl', 'bootstrap', `gui/${place.userId}`, path] },
    ]
  },
  unset({ isReachable, isActive, texts }, place) {
    const path = pathOf(place)
    if (texts[path] !== undefined && !cadenceIn(texts[path])) return []
    return [
      ...(isReachable && isActive ? [{ kind: 'run' as const, argv: ['launchctl', 'bootout', serviceOf(place)] }] : []),
      ...deletesNeeded([path], texts),
    ]
  },
}

function plist({ node, cli, env }: ScheduledJob, cadence: Cadence, minute: number): string {
  const text = (value: string) => `<string>${forXml(value)}</string>`
  const variables = Object.entries(env).map(([name, value]) => `    <key>${forXml(name)}</key>${text(value)}\n`)
  const hour = cadence === 'hourly' ? '' : `<key>Hour</key><integer>${quietHour}</integer>`
  const day = cadence === 'weekly' ? '<key>Weekday</key><integer>1</integer>' : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${marker(cadence)} -->
<plist version="1.0">
<dict>
  <key>Label</key>${text(label)}
  <key>ProgramArguments</key>
  <array>${[node, cli, 'work'].map(text).join('')}</array>
  <key>EnvironmentVariables</key>
  <dict>
${variables.join('')}  </dict>
  <key>StartCalendarInterval</key>
  <dict>${day}${hour}<key>Minute</key><integer>${minute}</integer></dict>
  <key>ProcessType</key>${text('Background')}
  <key>LowPriorityIO</key><true/>
  <key>Nice</key><integer>10</integer>
</dict>
</plist>
`
}

function pathOf({ machine }: ScheduleContext): string {
  return join(machine.home, 'Library', 'LaunchAgents', `${label}.plist`)
}

function serviceOf({ userId }: ScheduleContext): string {
  return `gui/${userId}/${label}`
}
