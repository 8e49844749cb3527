/** The only source of "now". Everything that needs the time gets a Clock, so that a test can hold it still. */
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
