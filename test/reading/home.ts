// Writes the sessions of the reading set into a home, and prints what the program says about them.

import { aiderHistory, aiderSessionId } from '../aider-history.ts'
import { type Place, place, recollect } from '../program.ts'
import { sessionIdOf, transcriptOf } from '../transcripts.ts'
import { billfold } from './billfold.ts'
import { gardenpi } from './gardenpi.ts'
import { mailterm } from './mailterm.ts'
import type { Expected, ReadingSession } from './session.ts'
import { tidetable } from './tidetable.ts'

export const readingSessions: readonly ReadingSession[] = [...tidetable, ...billfold, ...mailterm, ...gardenpi]

/** A home with the transcripts of all given sessions. */
export function readingHome(sessions: readonly ReadingSession[] = readingSessions): Place {
  const projects = [...new Set(sessions.map(({ script }) => script.project))]
  const ofGemini = { projects: Object.fromEntries(projects.map((name) => [`/home/dev/${name}`, name])) }
  const files = sessions.map(({ script }) => {
    if (script.agent === 'aider') return Object.values(aiderHistory(script))
    return Object.values(transcriptOf(script))
  })
  return place({ ...Object.fromEntries(files), '.gemini/projects.json': JSON.stringify(ofGemini) })
}

export function readingId({ script }: ReadingSession): string {
  return script.agent === 'aider' ? `aider:${aiderSessionId(script)}` : sessionIdOf(script)
}

export function expectedById(sessions: readonly ReadingSession[] = readingSessions): Record<string, Expected> {
  return Object.fromEntries(sessions.map((session) => [readingId(session), session.expected]))
}

/** What `sessions --json` says about a session. */
export interface SessionRow {
  id: string
  title: string | null
  outcome: string | null
  kind: string | null
  project: string | null
  projectName: string | null
  started: string | null
}

/** Titles that help nobody, whatever the session is about. */
const uselessTitle = String.raw`^\s*$|\n|^[/#<\[\`>*-]|^(?:hi|hello|hey|ok|okay|yes|continue|thanks?)\W*$`

/** What is wrong in the answers of the program about a session. */
export function readingFaults(expected: Expected, row: SessionRow): string[] {
  const title = row.title ?? ''
  const matches = (source: string) => new RegExp(source, 'i').test(title)
  const { titleAbout, titleNot, outcome, kind, project } = expected
  const hasTopic = titleAbout.length === 0 || titleAbout.some(matches)
  const useless = titleAbout.length === 0 ? [] : [uselessTitle, ...titleNot].filter(matches)
  return [
    ...(hasTopic ? [] : [`title "${title}" is not about any of: ${titleAbout.join(', ')}`]),
    ...useless.map((source) => `title "${title}" matches ${source}`),
    ...(outcome.some((one) => one === row.outcome) ? [] : [`outcome ${row.outcome}, not ${outcome.join(' or ')}`]),
    ...(row.kind === kind ? [] : [`kind ${row.kind}, not ${kind}`]),
    ...(row.projectName === project ? [] : [`project ${row.projectName}, not ${project}`]),
  ]
}

/** Everything that a person or an agent reads of a swept home: sessions with what was expected, briefs, journal. */
export function printReading(home: Place, expected: Record<string, Expected> = expectedById()): string {
  const rows: SessionRow[] = recollect(home, 'sessions', '--json').json()
  const known = rows.toReversed().flatMap((row) => (expected[row.id] ? [{ row, expected: expected[row.id]! }] : []))
  const sessions = known.map(({ row, expected }) => sessionText(row, expected))
  const briefs = unique(rows.map(({ project }) => project)).map(
    (project) => `${heading(`brief of ${project}`)}${recollect(home, 'brief', '--project', project).out}`,
  )
  const days = unique(rows.map(({ started }) => started?.slice(0, 10) ?? null)).sort()
  const journal = days.map((day) => `${heading(`journal of ${day}`)}${recollect(home, 'journal', day).out}`)
  const faults = known.map(({ row, expected }) => readingFaults(expected, row))
  const scores = ['', 'title', 'outcome', 'kind', 'project'].map((field) => {
    const right = faults.filter((ofSession) => !ofSession.some((fault) => fault.startsWith(field))).length
    return `${right} of ${Object.keys(expected).length} sessions without a fault ${field && `of ${field}`}`.trim()
  })
  return [...sessions, ...briefs, ...journal, ...scores].join('\n')
}

function sessionText(row: SessionRow, expected: Expected): string {
  const { firstAsked, lastAsked, open, cause, fix, decisions } = expected
  const wanted = { outcome: expected.outcome, kind: expected.kind, firstAsked, lastAsked, open, cause, fix, decisions }
  return [
    `${row.id}\n  ${row.title}\n  ${row.outcome}, ${row.kind}, ${row.projectName}`,
    ...Object.entries(wanted).map(([name, value]) =>
      value?.length ? `    ${name}: ${[value].flat().join(' | ')}` : '',
    ),
    ...readingFaults(expected, row).map((fault) => `  FAULT ${fault}`),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

function heading(text: string): string {
  return `\n======== ${text}\n`
}

function unique(values: (string | null)[]): string[] {
  return [...new Set(values.filter((value) => value !== null))]
}
