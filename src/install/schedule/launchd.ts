// An agent of launchd (macOS). A calendar interval and not StartInterval: only the former is made up for after sleep.
import { join } from 'node:path'
import { changedAt, deletes, textsOf, writesNeeded } from './files.ts'
import { forXml } from './quote.ts'
import { type Cadence, cadenceIn, type Job, marker, type Place, type Scheduler } from './scheduler.ts'
import { minuteOf, nextRun, quietHour } from './times.ts'

const label = 'recollect.work'

export const launchd: Scheduler = {
  id: 'launchd',
  name: 'a launchd agent',
  find(place, run) {
    const path = pathOf(place)
    const asked = run(['launchctl', 'print', serviceOf(place)])
    const texts = textsOf([path])
    const cadence = cadenceIn(texts[path])
    const isActive = asked.status === 0
    const since = cadence && changedAt(path)
    const next = cadence && isActive ? nextRun(cadence, minuteOf(place.machine), place.nowMs) : undefined
    return { isReachable: asked.status !== 127, isActive, texts, cadence, since, next }
  },
  set(job, cadence, { isActive, texts }, place) {
    const path = pathOf(place)
    const content = plist(job, cadence, minuteOf(place.machine))
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
      ...deletes([path], texts),
    ]
  },
}

function plist({ node, cli, env }: Job, cadence: Cadence, minute: number): string {
  const text = (value: string) => `<string>${forXml(value)}</string>`
  const variables = Object.entries(env).map(([name, value]) => `    <key>${forXml(name)}</key>${text(value)}\n`)
  const hour = cadence === 'daily' ? `<key>Hour</key><integer>${quietHour}</integer>` : ''
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
  <dict>${hour}<key>Minute</key><integer>${minute}</integer></dict>
  <key>ProcessType</key>${text('Background')}
  <key>LowPriorityIO</key><true/>
  <key>Nice</key><integer>10</integer>
</dict>
</plist>
`
}

function pathOf({ machine }: Place): string {
  return join(machine.home, 'Library', 'LaunchAgents', `${label}.plist`)
}

function serviceOf({ userId }: Place): string {
  return `gui/${userId}/${label}`
}
