// Report of patterns for people: a paragraph each, problems first, then successes.
import { isoTime } from '../../core/clock.ts'
import { shortId } from '../../core/session.ts'
import { formatUsd, plural, type Zone } from '../../core/units.ts'
import { oneLine } from '../../text/truncate.ts'
import type { Pattern } from '../types.ts'

export interface ReportSection {
  heading: string
  paragraphs: { title: string; lines: string[] }[]
  /** Number of patterns left out. */
  left: number
}

/** `names` maps project keys to names. */
export function patternReport(
  patterns: readonly Pattern[],
  { names, zone, max }: { names: ReadonlyMap<string, string>; zone: Zone; max: number },
): ReportSection[] {
  const sections: [heading: string, polarity: Pattern['polarity']][] = [
    ['What costs', 'problem'],
    ['What works', 'success'],
  ]
  return sections.map(([heading, polarity]) => {
    const found = patterns.filter((pattern) => pattern.polarity === polarity)
    return {
      heading,
      paragraphs: found.slice(0, max).map((pattern) => ({
        title: `${oneLine(pattern.title)}${pattern.crossAgent ? ' [several agents]' : ''}`,
        lines: [summary(pattern, names, zone), ...pattern.examples.map(exampleLine)],
      })),
      left: Math.max(0, found.length - max),
    }
  })
}

function summary(pattern: Pattern, names: ReadonlyMap<string, string>, zone: Zone): string {
  const { id, type, frequency, sessions, projects, agents, costUsd, lastMs } = pattern
  const often =
    frequency === sessions
      ? `in ${plural(sessions, 'session')}`
      : `${frequency} times in ${plural(sessions, 'session')}`
  const where = projects.length === 0 ? '' : ` of ${listNames(projects.map((key) => names.get(key) ?? key))}`
  return [
    `${id}, ${type}: ${often}${where}`,
    `with ${agents.join(', ')}`,
    ...(costUsd >= 0.005 ? [`about ${formatUsd(costUsd)}`] : []),
    ...(lastMs > 0 ? [`last on ${zone.day(isoTime(lastMs))}`] : []),
  ].join('; ')
}

function listNames(names: string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more projects`
}

function exampleLine({ session, seq, detail }: Pattern['examples'][number]): string {
  const place = seq === null ? shortId(session) : `${shortId(session)}#${seq}`
  return `recollect show ${place}   ${oneLine(detail)}`
}
