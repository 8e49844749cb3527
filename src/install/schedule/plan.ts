// From a wish to steps. Looked at are all schedulers of the platform: what was set through another one goes.
import { UserError } from '../../core/errors.ts'
import { cron } from './cron.ts'
import { checkJob, lineByHand } from './job.ts'
import { launchd } from './launchd.ts'
import type { Cadence, Found, Job, Place, Run, Scheduler, Step } from './scheduler.ts'
import { systemd } from './systemd.ts'
import { taskScheduler } from './task-scheduler.ts'

export interface Sighting {
  scheduler: Scheduler
  found: Found
}

export interface Plan {
  wish: Cadence | 'off'
  /** Through which it is going to run; undefined when it is not. */
  scheduler?: Scheduler
  steps: Step[]
}

export function look(place: Place, run: Run): Sighting[] {
  return schedulersOf(place).map((scheduler) => ({ scheduler, found: scheduler.find(place, run) }))
}

export function planSchedule(wish: Cadence | 'off', job: Job, seen: Sighting[], place: Place): Plan {
  if (wish === 'off') return { wish, steps: seen.flatMap(({ scheduler, found }) => scheduler.unset(found, place)) }
  checkJob(job)
  const chosen = seen.find(({ found }) => found.isReachable)
  if (!chosen)
    throw new UserError(
      `None of the schedulers that recollect knows answers here (${seen.map(({ scheduler }) => scheduler.id).join(', ')})`,
      `Have this line run ${wish} by other means:\n${lineByHand(job, place.machine)}`,
    )
  return { wish, scheduler: chosen.scheduler, steps: stepsTo(wish, chosen, job, seen, place) }
}

/** The old one goes when the new one stands. */
function stepsTo(cadence: Cadence, chosen: Sighting, job: Job, seen: Sighting[], place: Place): Step[] {
  const others = seen.filter((one) => one !== chosen)
  return [
    ...chosen.scheduler.set(job, cadence, chosen.found, place),
    ...others.flatMap(({ scheduler, found }) => scheduler.unset(found, place)),
  ]
}

export interface Schedule {
  cadence: Cadence
  scheduler: Scheduler
  since?: string
  next?: string
  /** Whether it runs this very program; undefined when its scheduler does not answer. */
  isCurrent?: boolean
}

export function scheduleNow(job: Job, seen: Sighting[], place: Place): Schedule | undefined {
  const set = seen.find(({ found }) => found.cadence)
  if (!set) return undefined
  const { scheduler, found } = set
  const { since, next, isReachable } = found
  const cadence = found.cadence!
  const isCurrent = isReachable ? stepsTo(cadence, set, job, seen, place).length === 0 : undefined
  return { cadence, scheduler, since, next, isCurrent }
}

/** The one that is preferred comes first. */
function schedulersOf({ machine }: Place): Scheduler[] {
  if (machine.platform === 'darwin') return [launchd]
  if (machine.platform === 'win32') return [taskScheduler]
  return [systemd, cron]
}
