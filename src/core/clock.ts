import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'

/** The only source of the current time. It is passed as an argument, so that tests can fix it. */
export interface Clock {
  nowMs(): number
  /** Time since the machine was started, which a change of the clock does not affect. */
  sinceBoot?(): SinceBoot
}

export interface SinceBoot {
  ms: number
  /** The same until the machine is started again; undefined where the system does not tell. */
  bootId: string | undefined
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  sinceBoot: () => ({ ms: Math.round(uptime() * 1000), bootId: readBootId() }),
}

/** Only on Linux. The boot time of macOS follows changes of the clock. */
function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || undefined
  } catch {
    return undefined
  }
}

/** Milliseconds since the program was started, for durations. `performance.now()` loads modules of Node first. */
export function uptimeMs(): number {
  return process.uptime() * 1000
}

export function fixedClock(iso: string): Clock {
  const at = Date.parse(iso)
  return { nowMs: () => at }
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
