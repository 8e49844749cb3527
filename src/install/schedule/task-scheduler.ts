// A task of the Windows Task Scheduler, described in XML: only so it can make up for missed runs and begin a little later.
import { join } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { changedAt, deletes, textsOf, writesNeeded } from './files.ts'
import { forEnvFile, forWindows, forXml } from './quote.ts'
import { type Cadence, cadenceIn, type Job, marker, type Place, type Scheduler, type Step } from './scheduler.ts'
import { minuteOf, nextRun, quietHour } from './times.ts'

export const taskScheduler: Scheduler = {
  id: 'task-scheduler',
  name: 'the Task Scheduler',
  find(place, run) {
    const { task, variables } = pathsOf(place)
    const asked = run(['schtasks', '/Query', '/TN', nameOf(place), '/XML', 'ONE'])
    // In whatever encoding it comes, the mark is ASCII.
    const answer = asked.stdout.toString('latin1').replaceAll('\0', '')
    const isActive = asked.status === 0
    const texts = { ...textsOf([task], 'utf16le'), ...textsOf([variables]), ...(isActive && { registered: answer }) }
    const cadence = isActive ? cadenceIn(answer) : undefined
    const next = cadence && nextRun(cadence, minuteOf(place.machine), place.nowMs)
    return {
      isReachable: asked.status !== 127,
      isActive,
      texts,
      cadence,
      since: cadence && changedAt(task),
      next,
    }
  },
  set(job, cadence, { texts }, place) {
    const { task, variables } = pathsOf(place)
    const hasVariables = Object.keys(job.env).length > 0
    const content = taskXml(job, cadence, minuteOf(place.machine), hasVariables ? variables : undefined)
    const writes = writesNeeded(
      [
        ...(hasVariables ? [{ kind: 'write' as const, path: variables, content: envFile(job, cadence) }] : []),
        { kind: 'write', path: task, content, encoding: 'utf16le' },
      ],
      texts,
    )
    if (texts.registered !== undefined && !cadenceIn(texts.registered))
      throw new UserError(`The task ${nameOf(place)} was not made by recollect`, 'Rename or delete it, then try again.')
    if (writes.length === 0 && cadenceIn(texts.registered) === cadence) return []
    return [
      ...writes,
      told('/Create', '/TN', nameOf(place), '/XML', task, '/F'),
      ...(hasVariables ? [] : deletes([variables], texts)),
    ]
  },
  unset({ texts }, place) {
    const { task, variables } = pathsOf(place)
    return [
      ...(cadenceIn(texts.registered) ? [told('/Delete', '/TN', nameOf(place), '/F')] : []),
      ...deletes([task, variables], texts),
    ]
  },
}

function taskXml({ node, cli }: Job, cadence: Cadence, minute: number, variables: string | undefined): string {
  const words = [node, ...(variables ? [`--env-file=${variables}`] : []), cli].map(forWindows)
  const at = `2026-01-01T0${cadence === 'daily' ? quietHour : 0}:${String(minute).padStart(2, '0')}:00`
  const hourly = '<Repetition><Interval>PT1H</Interval><StopAtDurationEnd>false</StopAtDurationEnd></Repetition>'
  const trigger =
    cadence === 'hourly'
      ? `<TimeTrigger>${hourly}<StartBoundary>${at}</StartBoundary><RandomDelay>PT5M</RandomDelay></TimeTrigger>`
      : `<CalendarTrigger><StartBoundary>${at}</StartBoundary><RandomDelay>PT30M</RandomDelay><ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay></CalendarTrigger>`
  // conhost opens no window; Node by itself would, every time.
  return `\ufeff<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>${marker(cadence)}</Description></RegistrationInfo>
  <Triggers>${trigger}</Triggers>
  <Principals>
    <Principal id="Author"><LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <Priority>8</Priority>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>%SystemRoot%\\System32\\conhost.exe</Command>
      <Arguments>${forXml(`--headless ${words.join(' ')} work`)}</Arguments>
    </Exec>
  </Actions>
</Task>
`
}

/** A task cannot bring variables along; Node reads them from a file. */
function envFile({ env }: Job, cadence: Cadence): string {
  const lines = Object.entries(env).map(([name, value]) => `${name}=${forEnvFile(value)}\n`)
  return `# ${marker(cadence)}\n${lines.join('')}`
}

function pathsOf({ root }: Place) {
  return { task: join(root, 'schedule.xml'), variables: join(root, 'schedule.env') }
}

/** The names of tasks are shared by all users of the machine. */
function nameOf({ machine }: Place): string {
  return machine.env.USERNAME ? `recollect-${machine.env.USERNAME}` : 'recollect'
}

function told(...args: string[]): Step {
  return { kind: 'run', argv: ['schtasks', ...args] }
}
