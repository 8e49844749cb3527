// Plans and applies a schedule. Inspects all schedulers of the platform: a job that was set through
// another one is removed.

import { mkdirSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { UserError } from '../../core/errors.ts'
import { writeAtomically } from '../../core/files.ts'
import type { Machine } from '../../core/paths.ts'
import { runProgram } from '../../core/shell/run-program.ts'
import { requireStablePath } from '../stable-path.ts'
import { cron } from './cron.ts'
import { launchd } from './launchd.ts'
import { forShell, forWindows } from './quote.ts'
import type {
  Cadence,
  RunCommand,
  ScheduleContext,
  ScheduledJob,
  Scheduler,
  SchedulerState,
  ScheduleStep,
} from './scheduler.ts'
import { systemd } from './systemd.ts'
import { taskScheduler } from './task-scheduler.ts'

interface InspectedScheduler {
  scheduler: Scheduler
  state: SchedulerState
}

export interface SchedulePlan {
  cadence: Cadence | 'off'
  /** The scheduler that will run the job; undefined for `off`. */
  scheduler?: Scheduler
  steps: ScheduleStep[]
}

export function inspectSchedulers(context: ScheduleContext, run: RunCommand): InspectedScheduler[] {
  return schedulersOf(context).map((scheduler) => ({ scheduler, state: scheduler.inspect(context, run) }))
}

export function planSchedule(
  cadence: Cadence | 'off',
  job: ScheduledJob,
  schedulers: InspectedScheduler[],
  context: ScheduleContext,
): SchedulePlan {
  if (cadence === 'off')
    return { cadence, steps: schedulers.flatMap(({ scheduler, state }) => scheduler.unset(state, context)) }
  validateJob(job)
  const chosen = schedulers.find(({ state }) => state.isReachable)
  if (!chosen)
    throw new UserError(
      `No supported scheduler is available (${schedulers.map(({ scheduler }) => scheduler.id).join(', ')})`,
      `Run this command ${cadence} by other means:\n${manualCommandLine(job, context.machine)}`,
    )
  return { cadence, scheduler: chosen.scheduler, steps: stepsTo(cadence, chosen, job, schedulers, context) }
}

/** Sets the new job before removing the old one. */
function stepsTo(
  cadence: Cadence,
  chosen: InspectedScheduler,
  job: ScheduledJob,
  schedulers: InspectedScheduler[],
  context: ScheduleContext,
): ScheduleStep[] {
  const others = schedulers.filter((one) => one !== chosen)
  return [
    ...chosen.scheduler.set(job, cadence, chosen.state, context),
    ...others.flatMap(({ scheduler, state }) => scheduler.unset(state, context)),
  ]
}

export interface Schedule {
  cadence: Cadence
  scheduler: Scheduler
  since?: string
  next?: string
  /** Whether it runs this program; undefined if its scheduler does not answer. */
  isCurrent?: boolean
}

export function currentSchedule(
  job: ScheduledJob,
  schedulers: InspectedScheduler[],
  context: ScheduleContext,
): Schedule | undefined {
  const set = schedulers.find(({ state }) => state.cadence)
  if (!set) return undefined
  const { scheduler, state } = set
  const { since, next, isReachable } = state
  const cadence = state.cadence!
  const isCurrent = isReachable ? stepsTo(cadence, set, job, schedulers, context).length === 0 : undefined
  return { cadence, scheduler, since, next, isCurrent }
}

/** In order of preference. */
function schedulersOf({ machine }: ScheduleContext): Scheduler[] {
  if (machine.platform === 'darwin') return [launchd]
  if (machine.platform === 'win32') return [taskScheduler]
  return [systemd, cron]
}

/**
 * The job with the environment variables that name folders. Schedulers start programs without the
 * variables of a shell, and the worker would look in other folders than the user's own commands.
 */
export function scheduledJob(
  machine: Machine,
  agents: readonly Agent[],
  program: { node: string; cli: string },
): ScheduledJob {
  const home = machine.env.RECOLLECT_HOME
  return { ...program, env: { ...(home ? { RECOLLECT_HOME: resolve(home) } : {}), ...variablesOf(machine, agents) } }
}

/** Collects the variables that agents read to find their transcripts. */
function variablesOf(machine: Machine, agents: readonly Agent[]): Record<string, string> {
  const used = new Map<string, string>()
  const env = new Proxy(machine.env, {
    get(values, name: string) {
      const value = values[name]
      if (value) used.set(name, value)
      return value
    },
  })
  for (const agent of agents) agent.roots({ ...machine, env })
  used.delete('APPDATA') // Windows sets it for every program
  return Object.fromEntries([...used].sort(([a], [b]) => (a < b ? -1 : 1)))
}

export function validateJob({ node, cli, env }: ScheduledJob): void {
  requireStablePath(cli)
  const broken = [node, cli, ...Object.values(env)].find((text) => /[\r\n]/.test(text))
  if (broken) throw new UserError('A path with a line break in it cannot be scheduled', JSON.stringify(broken))
}

/** The command line for a scheduler that is not supported. */
export function manualCommandLine({ node, cli, env }: ScheduledJob, { platform }: Machine): string {
  if (platform === 'win32') return `${forWindows(node)} ${forWindows(cli)} work`
  const variables = Object.entries(env).map(([name, value]) => `${name}=${forShell(value)}`)
  return [...variables, 'nice -n 10', forShell(node), forShell(cli), 'work'].join(' ')
}

/** Stops at the first step that fails; planning again continues from there. */
export function applySteps(steps: ScheduleStep[], run: RunCommand): void {
  for (const step of steps) applyStep(step, run)
}

function applyStep(step: ScheduleStep, run: RunCommand): void {
  switch (step.kind) {
    case 'write':
      mkdirSync(dirname(step.path), { recursive: true })
      return writeAtomically(step.path, Buffer.from(step.content, step.encoding ?? 'utf8'))
    case 'delete':
      return rmSync(step.path, { force: true })
    case 'run': {
      const { status, stdout, stderr } = run(step.argv, step.input ? { input: step.input } : {})
      if (status === 0) return
      throw new UserError(
        `"${commandText(step.argv)}" failed: ${(stderr || stdout.toString()).trim() || `exit code ${status}`}`,
        'The steps before it were done. Run the same command again, or "recollect schedule off" to remove everything.',
        3,
      )
    }
    default:
      step satisfies never
  }
}

export function commandText(argv: readonly string[]): string {
  return argv.map(forShell).join(' ')
}

/** Runs programs with English messages and UTC times, because their output is parsed. */
export function commandRunner({ env }: Machine): RunCommand {
  return ([program, ...args], options = {}) => {
    const { status, stdout, stderr, error } = runProgram(program!, args, {
      env: { ...env, LC_ALL: 'C', TZ: 'UTC' },
      input: options.input ?? '',
      timeout: 30_000,
      windowsHide: true,
    })
    if (!error) return { status: status ?? 1, stdout, stderr: stderr.toString() }
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    return { status: isMissing ? 127 : 1, stdout: Buffer.alloc(0), stderr: error.message }
  }
}
