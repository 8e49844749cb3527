// When the job runs where the scheduler itself spreads nothing.
import { createHash } from 'node:crypto'
import { isoTime } from '../../core/clock.ts'
import type { Machine } from '../../core/paths.ts'
import type { Cadence } from './scheduler.ts'

export const quietHour = 4

/** Another minute for every user, so that those of one machine do not all begin at once; always the same for one. */
export function minuteOf({ home }: Machine): number {
  return createHash('sha256').update(home).digest().readUInt32BE(0) % 60
}

export function nextRun(cadence: Cadence, minute: number, nowMs: number): string {
  const at = new Date(nowMs)
  if (cadence === 'hourly') at.setMinutes(minute, 0, 0)
  else at.setHours(quietHour, minute, 0, 0)
  if (at.getTime() <= nowMs) {
    if (cadence === 'hourly') at.setTime(at.getTime() + 3_600_000)
    else at.setDate(at.getDate() + 1)
  }
  return isoTime(at.getTime())
}
