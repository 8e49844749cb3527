// What people read about patterns, in the terminal and on the page.
import { isoTime } from '../core/clock.ts'
import { formatUsd, plural, type Zone } from '../core/units.ts'
import type { Review } from '../store/patterns/practices.ts'
import type { PatternState } from './review/queue.ts'
import { countedTypes, type Pattern, type Practice } from './types.ts'

/** Names of projects by key. */
type ProjectNames = ReadonlyMap<string, string>

/** How often, where and when a pattern was seen, and what it cost. */
export function seenText(pattern: Pattern, { zone, names }: { zone: Zone; names: ProjectNames }): string {
  const { sessions, agents, crossAgent, projects, costUsd, firstMs, lastMs } = pattern
  const count = timesSeen(pattern)
  const often = count === sessions ? 'In' : `${plural(count, 'time')} in`
  const days = [...new Set([firstMs, lastMs].filter((ms) => ms > 0).map((ms) => zone.day(isoTime(ms))))].join(' to ')
  return [
    `${often} ${plural(sessions, 'session')}${projects.length === 0 ? '' : ` of ${projectList(projects, names)}`}`,
    ...(crossAgent ? [] : [`with ${agents.join(', ')}`]),
    ...(costUsd >= 0.005 ? [`about ${formatUsd(costUsd)}`] : []),
    ...(days === '' ? [] : [days]),
  ].join('; ')
}

/** How often it occurred; for some types, more than once in a session. */
export function timesSeen({ type, times, frequency }: Pick<Pattern, 'type' | 'times' | 'frequency'>): number {
  return countedTypes.has(type) ? times : frequency
}

function projectList(projects: readonly string[], names: ProjectNames): string {
  const unique = [...new Set(projects.map((key) => names.get(key) ?? key))]
  if (unique.length <= 3) return unique.join(', ')
  return `${unique.slice(0, 2).join(', ')} and ${unique.length - 2} more projects`
}

/** The state of a pattern that is not new: an earlier decision, or why it is not proposed. */
export function againLines(standing: PatternState, zone: Zone): string[] {
  switch (standing.kind) {
    case 'waiting':
      return standing.again
        ? [`Proposed again (${standing.again.because}): ${reviewText(standing.again.review, zone)}`]
        : []
    case 'decided':
      return [reviewText(standing.review, zone)]
    case 'practice':
      return [`${standing.practice.status}: ${standing.practice.path}.md`]
    case 'not proposed':
      return [`not proposed: ${standing.reason}`]
    default:
      return standing satisfies never
  }
}

export function reviewText({ verdict, atMs, note }: Review, zone: Zone): string {
  return `${verdict} on ${zone.day(isoTime(atMs))}${note === '' ? '' : ` (${note})`}`
}

/** The agents and projects that a practice is for. */
export function scopeText({ agents, projects }: Pick<Practice, 'agents' | 'projects'>, names: ProjectNames): string {
  if (agents.length === 0 && projects.length === 0) return 'everywhere'
  const where = projects.length === 0 ? '' : `in ${projectList(projects, names)}`
  return [agents.length === 0 ? '' : `for ${agents.join(', ')}`, where].filter(Boolean).join(' ')
}
