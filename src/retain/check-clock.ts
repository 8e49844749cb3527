// Compares the clock with the last sweep. Deletion by age trusts the clock, and after a flat battery
// or a wrong setting one sweep could delete years of conversations.
import type { Clock } from '../core/clock.ts'

/** The time of a sweep, and the time since the start of the machine, if its boot has an id. */
export type RetentionClock =
  | { atMs: number; sinceBootMs?: undefined; bootId?: undefined }
  | { atMs: number; sinceBootMs: number; bootId: string }

export function readRetentionClock(clock: Clock): RetentionClock {
  const atMs = clock.nowMs()
  const { ms, bootId } = clock.sinceBoot?.() ?? { ms: 0, bootId: undefined }
  return bootId === undefined ? { atMs } : { atMs, sinceBootMs: ms, bootId }
}

/** More than a change of the time zone, or of the clock of a machine that keeps local time. */
const maxDifferenceMs = 24 * 3600 * 1000

/**
 * Whether the clock differs by more than a day from what is expected. Within one boot the expected
 * time is known. After a restart it is not, because the machine may have been off: then the time of
 * the last sweep is taken, and a person decides.
 */
export function hasClockMoved(last: RetentionClock, now: RetentionClock): boolean {
  const isSameBoot = last.bootId !== undefined && last.bootId === now.bootId && now.sinceBootMs >= last.sinceBootMs
  const expectedMs = isSameBoot ? last.atMs + now.sinceBootMs - last.sinceBootMs : last.atMs
  return Math.abs(now.atMs - expectedMs) > maxDifferenceMs
}
