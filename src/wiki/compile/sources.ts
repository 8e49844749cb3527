// What an article is made from: days of the journal with their sessions, and sessions that no day tells of.
import type { Memory } from '../../memory/memory.ts'
import type { JournaledSession } from '../../store/wiki/compile-inputs.ts'
import { inlineCode } from '../../text/markdown.ts'
import { maxStatements, moreLine } from './sections.ts'
import { type Days, dayLink, dayOf, sessionName } from './statement.ts'

export interface Sources {
  /** Sessions by day of the journal, the last day first. */
  byDay: [day: string, sessions: string[]][]
  untold: string[]
  /** Days. */
  first: string
  last: string
}

export function daysOf(memories: readonly Memory[], sessions: readonly JournaledSession[], days: Days): Sources {
  const told = new Map(sessions.map(({ session, day }) => [session, day]))
  const untold = new Set<string>()
  const other: string[] = []
  for (const memory of memories) {
    if (memory.evidence.every(({ session }) => session === null || !days.has(session))) other.push(dayOf(memory))
    for (const { session } of memory.evidence) {
      if (session === null) continue
      const day = days.get(session)
      if (day === undefined) untold.add(session)
      else told.set(session, day)
    }
  }
  const byDay = [...Map.groupBy([...told.keys()].sort(), (session) => told.get(session)!)].sort((a, b) =>
    a[0] < b[0] ? 1 : -1,
  )
  const all = [...byDay.map(([day]) => day), ...other].sort()
  return { byDay, untold: [...untold].sort(), first: all[0] ?? '', last: all.at(-1) ?? '' }
}

/** For the head. */
export function sourceNames({ byDay, untold }: Sources): string[] {
  return [...byDay.map(([day]) => `journal/${day}`), ...untold]
}

const maxOfDay = 8

function namesOf(sessions: readonly string[], max: number): string {
  const more = sessions.length > max ? ` and ${sessions.length - max} more` : ''
  return `${sessions
    .slice(0, max)
    .map((session) => inlineCode(sessionName(session)))
    .join(', ')}${more}`
}

export function sourcesSection({ byDay, untold }: Sources): string {
  const shown = byDay.slice(0, maxStatements)
  const lines = [
    ...shown.map(([day, sessions]) => `- ${dayLink(day)}: ${namesOf(sessions, maxOfDay)}`),
    ...(untold.length === 0 ? [] : [`- Sessions that the journal does not tell of: ${namesOf(untold, maxStatements)}`]),
  ]
  return lines.length === 0
    ? ''
    : ['## Sources', '', ...lines, ...moreLine(byDay.length - shown.length, 'recollect journal')].join('\n')
}
