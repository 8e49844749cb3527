// Formats patterns and practices for the terminal.
import { isoTime } from '../../core/clock.ts'
import { formatUsd, plural, type Zone } from '../../core/units.ts'
import type { PatternState, ReviewItem } from '../../patterns/review/queue.ts'
import type { Pattern, Practice } from '../../patterns/types.ts'
import type { Review } from '../../store/patterns/practices.ts'
import { type Style, table, wrapText } from '../terminal.ts'

export interface PatternDisplay {
  style: Style
  zone: Zone
  columns: number
}

export function cardText(
  { pattern, standing, draft, warnings }: ReviewItem,
  { style, zone, columns }: PatternDisplay,
): string {
  const { id, title, polarity, type, locus, examples } = pattern
  const lines = [
    style.bold(title),
    style.dim([id, polarity, type, locus].filter(Boolean).join('  ')),
    seenText(pattern, zone),
    ...examples.map(
      ({ session, seq, detail }, index) => `  ${index + 1}  ${session}${seq === null ? '' : `#${seq}`}  ${detail}`,
    ),
    ...againLines(standing, zone).map((line) => style.yellow(line)),
    '',
    `As a practice ${scopeText(draft)}: ${style.bold(draft.title)}`,
    ...wrapText(draft.rule, columns - 4).map((line) => `  ${line}`),
    ...draft.steps.map((step, index) => `  ${index + 1}. ${step}`),
    ...warnings.map(({ text }) => style.yellow(`! ${text}`)),
  ]
  return lines.join('\n')
}

function seenText({ frequency, sessions, agents, projects, costUsd, firstMs, lastMs }: Pattern, zone: Zone): string {
  const days = [...new Set([firstMs, lastMs].filter((ms) => ms > 0).map((ms) => zone.day(isoTime(ms))))].join(' to ')
  const cost = costUsd > 0 ? `, ${formatUsd(costUsd)}` : ''
  return `${plural(frequency, 'time')} in ${plural(sessions, 'session')}, ${agents.join(', ')}, ${plural(projects.length, 'project')}${cost}${days && `, ${days}`}`
}

function againLines(standing: PatternState, zone: Zone): string[] {
  switch (standing.kind) {
    case 'waiting':
      return standing.again
        ? [`Proposed again (${standing.again.because}): ${reviewText(standing.again.review, zone)}`]
        : []
    case 'decided':
      return [reviewText(standing.review, zone)]
    case 'practice':
      return [`${standing.practice.status}: ${standing.practice.path}.md`]
    case 'too rare':
      return [standing.reason]
    default:
      return standing satisfies never
  }
}

export function reviewText({ verdict, atMs, note }: Review, zone: Zone): string {
  return `${verdict} on ${zone.day(isoTime(atMs))}${note === '' ? '' : ` (${note})`}`
}

export function reviewLine(review: Review, zone: Zone): string {
  const undone = review.undoneAtMs === null ? '' : ', undone'
  return `${review.pattern}  ${reviewText(review, zone)}${undone}  ${review.title}`
}

function scopeText({ agents, projects }: Pick<Practice, 'agents' | 'projects'>): string {
  if (agents.length === 0 && projects.length === 0) return 'everywhere'
  const where =
    projects.length > 2
      ? `in ${plural(projects.length, 'project')}`
      : projects.length > 0
        ? `in ${projects.join(', ')}`
        : ''
  return [agents.length === 0 ? '' : `for ${agents.join(', ')}`, where].filter(Boolean).join(' ')
}

export function practiceTable(practices: readonly Practice[], columns: number): string {
  return table(
    [
      { title: 'practice' },
      { title: 'version' },
      { title: 'status' },
      { title: 'seen', align: 'right' },
      { title: 'where' },
      { title: 'title', isFlexible: true },
    ],
    practices.map((practice) => [
      practice.id,
      practice.version,
      practice.status,
      practice.provenance.frequency === 0 ? '' : String(practice.provenance.frequency),
      shortScope(practice),
      practice.title,
    ]),
    columns,
  )
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
