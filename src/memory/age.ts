// What a reader must know before relying on a memory: how long ago it was said or confirmed, and why
// it may be out of date. Every door that shows a memory shows both.
import { plural } from '../core/units.ts'
import { shortLine } from '../text/truncate.ts'
import type { Memory } from './memory.ts'

const dayMs = 86_400_000

/** `10 days ago`, `5 months ago`, `2 years ago`; empty within a day. */
export function ageText(at: string, nowMs: number): string {
  const days = Math.floor((nowMs - Date.parse(at)) / dayMs)
  if (!(days >= 1)) return ''
  if (days < 60) return `${plural(days, 'day')} ago`
  return days < 730
    ? `${plural(Math.floor(days / 30.44), 'month')} ago`
    : `${plural(Math.floor(days / 365.25), 'year')} ago`
}

/** `doubtful: app.ts is gone`; empty if there is no doubt. */
export function doubtText({ doubt }: Pick<Memory, 'doubt'>): string {
  return doubt ? `doubtful: ${shortLine(doubt, maxDoubtLength)}` : ''
}

const maxDoubtLength = 200

/** Age and doubt, as far as there are any. */
export function validityMarks(memory: Pick<Memory, 'confirmedAt' | 'doubt'>, nowMs: number): string[] {
  return [ageText(memory.confirmedAt, nowMs), doubtText(memory)].filter(Boolean)
}
