// How long ago a memory was confirmed. What is older than a day may no longer be true.
import { plural } from '../core/units.ts'

const dayMs = 86_400_000

/** `10 days ago`; empty within a day. */
export function ageText(confirmedAt: string, nowMs: number): string {
  const days = Math.floor((nowMs - Date.parse(confirmedAt)) / dayMs)
  return days >= 1 ? `${plural(days, 'day')} ago` : ''
}
