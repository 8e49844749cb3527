/** The only source of the current time. It is passed as an argument, so that tests can fix it. */
export interface Clock {
  nowMs(): number
}

export const systemClock: Clock = { nowMs: () => Date.now() }

export function fixedClock(iso: string): Clock {
  const at = Date.parse(iso)
  return { nowMs: () => at }
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString()
}
