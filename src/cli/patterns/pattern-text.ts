// Formats patterns and practices for the terminal.
import { shortId } from '../../core/session.ts'
import { plural, type Zone } from '../../core/units.ts'
import { againLines, reviewText, scopeText, seenText } from '../../patterns/describe.ts'
import type { ReviewItem } from '../../patterns/review/queue.ts'
import type { Pattern, Practice } from '../../patterns/types.ts'
import type { Review } from '../../store/patterns/practices.ts'
import { fitWidth } from '../../text/display-width.ts'
import { oneLine } from '../../text/truncate.ts'
import { type Style, table, wrapText } from '../terminal.ts'

export interface PatternDisplay {
  style: Style
  zone: Zone
  columns: number
  /** Names of projects by key. */
  names: ReadonlyMap<string, string>
}

export function cardText({ pattern, standing, draft, warnings }: ReviewItem, display: PatternDisplay): string {
  const { style, zone, columns } = display
  const lines = [
    ...headlines(pattern, display),
    style.dim(pattern.id),
    ...wrapText(seenText(pattern, display), columns),
    ...exampleLines(pattern.examples, columns - 5).map((line, index) => `  ${index + 1}  ${line}`),
    ...againLines(standing, zone).flatMap((line) => wrapText(line, columns).map(style.yellow)),
    '',
    ...wrapText(`As a practice ${scopeText(draft, display.names)}: ${draft.title}`, columns).map(style.bold),
    ...wrapText(draft.rule, columns - 2).map((line) => `  ${line}`),
    ...draft.steps.map((step, index) => `  ${index + 1}. ${step}`),
    ...warnings.flatMap(({ text }) => wrapText(`! ${text}`, columns).map(style.yellow)),
  ]
  return lines.join('\n')
}

/** The title, and the agents of a pattern that was seen with several. */
export function headlines(
  { title, agents, crossAgent }: Pick<Pattern, 'title' | 'agents' | 'crossAgent'>,
  { style, columns }: Pick<PatternDisplay, 'style' | 'columns'>,
): string[] {
  const lines = wrapText(oneLine(title), columns)
  const last = lines.pop()!
  const mark = crossAgent ? agentsMark(agents) : ''
  const tail = mark === '' ? [] : [style.blue(mark)]
  return last.length + 2 + mark.length <= columns
    ? [...lines.map(style.bold), [style.bold(last), ...tail].join('  ')]
    : [...[...lines, last].map(style.bold), ...tail]
}

const maxAgents = 3

export function agentsMark(agents: readonly string[]): string {
  const named = agents.length > maxAgents ? agents.slice(0, maxAgents - 1) : agents
  const rest = agents.length - named.length
  return `[${[...named, ...(rest > 0 ? [`${rest} more`] : [])].join(' + ')}]`
}

/** One line each: the id for `recollect show`, and what happened. */
export function exampleLines(examples: Pattern['examples'], columns: number): string[] {
  const rows = examples.map(({ session, seq, detail }) => ({
    place: `${shortId(session)}${seq === null ? '' : `#${seq}`}`,
    detail,
  }))
  const width = Math.max(0, ...rows.map(({ place }) => place.length))
  const room = Math.max(20, columns - width - 2)
  return rows.map(({ place, detail }) => `${place.padEnd(width)}  ${fitWidth(oneLine(detail), room)}`)
}

/** What to do, as wrapped lines with an arrow before the first. */
export function adviceLines(rule: string, columns: number): string[] {
  return wrapText(oneLine(rule), columns - 2).map((line, index) => `${index === 0 ? '→' : ' '} ${line}`)
}

export const indent = '    '

/** A numbered item of a list; all lines begin at the same column. */
export function numbered(number: number, lines: readonly string[]): string[] {
  return lines.map((line, index) => `${index === 0 ? `${String(number).padStart(2)}. ` : indent}${line}`)
}

export function reviewLine(review: Review, zone: Zone): string {
  const undone = review.undoneAtMs === null ? '' : ', undone'
  return `${review.pattern}  ${reviewText(review, zone)}${undone}  ${review.title}`
}

export function practiceTable(practices: readonly Practice[], columns: number): string {
  return table(
    [
      { title: 'practice', isWhole: true },
      { title: 'version', rank: 4 },
      { title: 'status' },
      { title: 'seen', align: 'right', rank: 3 },
      { title: 'seen with', rank: 1 },
      { title: 'where', rank: 2 },
      { title: 'title', isFlexible: true },
    ],
    practices.map((practice) => [
      practice.id,
      practice.version,
      practice.status,
      practice.provenance.frequency === 0 ? '' : String(practice.provenance.frequency),
      seenWith(practice),
      shortScope(practice),
      practice.title,
    ]),
    columns,
  )
}

/** The agents of its pattern; those of one that several share are marked. */
export function seenWith({ provenance: { agents } }: Practice): string {
  return agents.length > 1 ? agentsMark(agents) : agents.join('')
}

function shortScope({ agents, projects }: Practice): string {
  const parts = [
    agents.length > 2 ? plural(agents.length, 'agent') : agents.join(', '),
    projects.length > 1
      ? plural(projects.length, 'project')
      : projects.map((project) => project.replace(/^.*[\\/]/, '')).join(''),
  ].filter(Boolean)
  return parts.length === 0 ? 'everywhere' : parts.join(' in ')
}
