// Schedules with the Windows Task Scheduler. The task is XML, because the options of schtasks do
// not include catching up on missed runs and random delays.
import { join } from 'node:path'
import { UserError } from '../../core/errors.ts'
import { forEnvFile, forWindows, forXml } from './quote.ts'
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
  type ScheduleStep,
  writesNeeded,
} from './scheduler.ts'

export const taskScheduler: Scheduler = {
  id: 'task-scheduler',
  name: 'the Task Scheduler',
  inspect(place, run) {
    const { task, variables } = pathsOf(place)
    const result = run(['schtasks', '/Query', '/TN', nameOf(place), '/XML', 'ONE'])
    // The encoding of the output varies; the mark is ASCII.
    const answer = result.stdout.toString('latin1').replaceAll('\0', '')
    const isActive = result.status === 0
    const texts = {
      ...readTexts([task], 'utf16le'),
      ...readTexts([variables]),
      ...(isActive && { registered: answer }),
    }
    const cadence = isActive ? cadenceIn(answer) : undefined
    const next = cadence && nextRun(cadence, minuteFor(place.machine), place.nowMs)
    return {
      isReachable: result.status !== 127,
      isActive,
      texts,
      cadence,
      since: cadence && modifiedAt(task),
      next,
    }
  },
  set(job, cadence, { texts }, place) {
    const { task, variables } = pathsOf(place)
    const hasVariables = Object.keys(job.env).length > 0
    const content = taskXml(job, cadence, minuteFor(place.machine), hasVariables ? variables : undefined)
    const writes = writesNeeded(
      [
        ...(hasVariables ? [{ kind: 'write' as const, path: variables, content: envFile(job, cadence) }] : []),
        { kind: 'write', path: task, content, encoding: 'utf16le' },
      ],
      texts,
    )
    if (texts.registered !== undefined && !cadenceIn(texts.registered))
      throw new UserError(
        `The task ${nameOf(place)} was not made by recollect`,
        'Rename or delete it, then run the same command again.',
      )
    if (writes.length === 0 && cadenceIn(texts.registered) === cadence) return []
    return [
      ...writes,
      schtasksStep('/Create', '/TN', nameOf(place), '/XML', task, '/F'),
      ...(hasVariables ? [] : deletesNeeded([variables], texts)),
    ]
  },
  unset({ texts }, place) {
    const { task, variables } = pathsOf(place)
    return [
      ...(cadenceIn(texts.registered) ? [schtasksStep('/Delete', '/TN', nameOf(place), '/F')] : []),
      ...deletesNeeded([task, variables], texts),
    ]
  },
}

function taskXml({ node, cli }: ScheduledJob, cadence: Cadence, minute: number, variables: string | undefined): string {
  const words = [node, ...(variables ? [`--env-file=${variables}`] : []), cli].map(forWindows)
  const at = `2026-01-01T0${cadence === 'hourly' ? 0 : quietHour}:${String(minute).padStart(2, '0')}:00`
  const hourly = '<Repetition><Interval>PT1H</Interval><StopAtDurationEnd>false</StopAtDurationEnd></Repetition>'
  const days = {
    daily: '<ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay>',
    weekly: '<ScheduleByWeek><WeeksInterval>1</WeeksInterval><DaysOfWeek><Monday /></DaysOfWeek></ScheduleByWeek>',
  }
  const trigger =
    cadence === 'hourly'
      ? `<TimeTrigger>${hourly}<StartBoundary>${at}</StartBoundary><RandomDelay>PT5M</RandomDelay></TimeTrigger>`
      : `<CalendarTrigger><StartBoundary>${at}</StartBoundary><RandomDelay>PT30M</RandomDelay>${days[cadence]}</CalendarTrigger>`
  // Node by itself would open a window at every run; conhost --headless does not.
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

/** A task cannot set environment variables, so Node reads them from a file. */
function envFile({ env }: ScheduledJob, cadence: Cadence): string {
  const lines = Object.entries(env).map(([name, value]) => `${name}=${forEnvFile(value)}\n`)
  return `# ${marker(cadence)}\n${lines.join('')}`
}

function pathsOf({ root }: ScheduleContext) {
  return { task: join(root, 'schedule.xml'), variables: join(root, 'schedule.env') }
}

/** All users of a machine share one namespace of tasks. */
function nameOf({ machine }: ScheduleContext): string {
  return machine.env.USERNAME ? `recollect-${machine.env.USERNAME}` : 'recollect'
}

function schtasksStep(...args: string[]): ScheduleStep {
  return { kind: 'run', argv: ['schtasks', ...args] }
}
