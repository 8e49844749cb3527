// Renders the sections of a compiled article: statements by kind (rules, decisions, traps,
// knowledge, doubtful), history, related articles and sources.
import { type Memory, maxMemoryLength } from '../../memory/memory.ts'
import type { ArticleTopic, JournaledSession } from '../../store/wiki/compile-inputs.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import type { ArticleSection, SectionName } from '../article.ts'
import { wikilink } from '../links.ts'
import {
  type Days,
  dayLink,
  dayOf,
  exclusionReason,
  parseStatement,
  sessionName,
  sourceOf,
  statementLine,
  statementWords,
} from './statement-text.ts'

type StatementSection = Extract<SectionName, 'rules' | 'decisions' | 'traps' | 'knowledge' | 'doubtful'>

export type SectionStatements = Record<StatementSection, Memory[]>

/** Groups current memories by section, most important first, then newest. */
export function groupStatements(memories: readonly Memory[], isNamed: (memory: Memory) => boolean): SectionStatements {
  const statements: SectionStatements = { rules: [], decisions: [], traps: [], knowledge: [], doubtful: [] }
  const weights = new Map(memories.map((memory) => [memory.id, weightOf(memory, isNamed(memory))]))
  const ordered = memories
    .filter(({ supersededBy }) => supersededBy === null)
    .sort((a, b) => weights.get(b.id)! - weights.get(a.id)! || byDay(a, b))
  for (const memory of ordered) statements[placeOf(memory)].push(memory)
  return statements
}

/** Memories that name the topic weigh more; memories that are not the user's weigh less. */
function weightOf({ importance, trust, counts }: Memory, isNamed: boolean): number {
  const often = Math.min(0.1, 0.05 * (counts.said - 1))
  return Math.round(100 * (importance + often + (isNamed ? 0.3 : 0) - (trust === 'user said' ? 0 : 0.5)))
}

/** Latest day first; in order of time within a day. */
function byDay(a: Memory, b: Memory): number {
  const day = (memory: Memory) => memory.confirmedAt.slice(0, 10)
  if (day(a) !== day(b)) return day(a) < day(b) ? 1 : -1
  return a.confirmedAt !== b.confirmedAt ? (a.confirmedAt < b.confirmedAt ? -1 : 1) : a.id < b.id ? -1 : 1
}

function placeOf(memory: Memory): StatementSection {
  if (memory.doubt !== null || exclusionReason(memory) !== undefined) return 'doubtful'
  if (memory.status === 'tried-and-failed' || memory.kind === 'debugging' || memory.kind === 'workaround')
    return 'traps'
  if (memory.status === 'hypothetical' || memory.kind === 'fact') return 'knowledge'
  return memory.kind === 'decision' ? 'decisions' : 'rules'
}

const headings: Readonly<Record<StatementSection, string>> = {
  rules: 'Rules',
  decisions: 'Decisions',
  traps: 'Traps',
  knowledge: 'Knowledge',
  doubtful: 'Doubtful',
}

const maxStatements = 60
/** Statements are shortened in longer sections. */
const manyStatementsCount = 20
const shortStatement = 300

/** `more`: command that lists the rest. */
export function statementSections(
  statements: SectionStatements,
  { days, more }: { days: Days; more: string },
): ArticleSection[] {
  return (Object.keys(headings) as StatementSection[]).flatMap((name) => {
    const all = statements[name]
    if (all.length === 0) return []
    const max = all.length > manyStatementsCount ? shortStatement : maxMemoryLength
    const shown = all.slice(0, maxStatements)
    const lines = shown.map((memory, index) =>
      name === 'doubtful'
        ? doubtfulLine(memory, days, max)
        : statementLine(memory, { days, max, about: aboutOf(shown[index - 1]) }),
    )
    return {
      name,
      text: [`## ${headings[name]}`, '', ...lines, ...moreLine(all.length - shown.length, more)].join('\n'),
    }
  })
}

function aboutOf(memory: Memory | undefined): string {
  return memory === undefined ? '' : parseStatement(memory.text).about
}

function moreLine(count: number, more: string): string[] {
  return count > 0 ? ['', `${count} more: \`${more}\``] : []
}

function doubtfulLine(memory: Memory, days: Days, max: number): string {
  if (memory.doubt !== null)
    return `${statementLine(memory, { days, max })} Doubtful: ${escapeMarkdown(memory.doubt, 300)}`
  return `- ${statementWords(memory, max)} (${sourceOf(memory, days)})`
}

interface TopicHistory {
  /** Latest first. */
  superseded: readonly Memory[]
  /** Earliest first. */
  sessions: readonly JournaledSession[]
  days: Days
  successorOf(memory: Memory): Memory | undefined
  more: string
}

export function historySection({ superseded, sessions, days, successorOf, more }: TopicHistory): string {
  const shown = superseded.slice(0, maxStatements)
  const old = shown.map((memory) => supersededLine(memory, successorOf(memory), days))
  const recent = sessions.toReversed().slice(0, maxStatements)
  const worked = recent.map(
    ({ day, title, session }) =>
      `- ${dayLink(day)}: ${escapeMarkdown(title, 160)} (${inlineCode(sessionName(session))})`,
  )
  const parts = [
    old.length > 0 ? ['### No longer holds', '', ...old, ...moreLine(superseded.length - shown.length, more)] : [],
    worked.length > 0
      ? ['### Sessions', '', ...worked, ...moreLine(sessions.length - recent.length, 'recollect sessions')]
      : [],
  ].filter((part) => part.length > 0)
  return parts.length === 0 ? '' : ['## History', ...parts.flatMap((part) => ['', ...part])].join('\n')
}

function supersededLine(memory: Memory, successor: Memory | undefined, days: Days): string {
  const until = memory.supersededAt === null ? 'Earlier' : `Until ${memory.supersededAt.slice(0, 10)}`
  const then = successor === undefined ? '' : ` Then: ${statementWords(successor, 300)} (${sourceOf(successor, days)})`
  return `- ${until}: ${statementWords(memory, 400)} (${sourceOf(memory, days)})${then}`
}

interface ArticleSources {
  /** Sessions by journal day, latest first. */
  byDay: [day: string, sessions: string[]][]
  unjournaled: string[]
  /** Days. */
  first: string
  last: string
}

export function articleSources(
  memories: readonly Memory[],
  sessions: readonly JournaledSession[],
  days: Days,
): ArticleSources {
  const told = new Map(sessions.map(({ session, day }) => [session, day]))
  const unjournaled = new Set<string>()
  const other: string[] = []
  for (const memory of memories) {
    if (memory.evidence.every(({ session }) => session === null || !days.has(session))) other.push(dayOf(memory))
    for (const { session } of memory.evidence) {
      if (session === null) continue
      const day = days.get(session)
      if (day === undefined) unjournaled.add(session)
      else told.set(session, day)
    }
  }
  const byDay = [...Map.groupBy([...told.keys()].sort(), (session) => told.get(session)!)].sort((a, b) =>
    a[0] < b[0] ? 1 : -1,
  )
  const all = [...byDay.map(([day]) => day), ...other].sort()
  return { byDay, unjournaled: [...unjournaled].sort(), first: all[0] ?? '', last: all.at(-1) ?? '' }
}

/** Sources for the head of the article. */
export function sourceNames({ byDay, unjournaled }: ArticleSources): string[] {
  return [...byDay.map(([day]) => `journal/${day}`), ...unjournaled]
}

const maxOfDay = 8

function namesOf(sessions: readonly string[], max: number): string {
  const more = sessions.length > max ? ` and ${sessions.length - max} more` : ''
  return `${sessions
    .slice(0, max)
    .map((session) => inlineCode(sessionName(session)))
    .join(', ')}${more}`
}

export function sourcesSection({ byDay, unjournaled }: ArticleSources): string {
  const shown = byDay.slice(0, maxStatements)
  const lines = [
    ...shown.map(([day, sessions]) => `- ${dayLink(day)}: ${namesOf(sessions, maxOfDay)}`),
    ...(unjournaled.length === 0
      ? []
      : [`- Sessions that the journal does not tell of: ${namesOf(unjournaled, maxStatements)}`]),
  ]
  return lines.length === 0
    ? ''
    : ['## Sources', '', ...lines, ...moreLine(byDay.length - shown.length, 'recollect journal')].join('\n')
}

interface RelatedLinks {
  own: readonly { path: string; title: string; note?: string }[]
  elsewhere: readonly ArticleTopic[]
  /** Page of the project's memories. */
  memoryIndex: string | null
}

/** At least two links, so that no page is a dead end. */
export function relatedSection({ own, elsewhere, memoryIndex }: RelatedLinks): string {
  const lines = [
    ...own.map(({ path, title, note }) => `- ${wikilink(path, title)}${note ? `: ${note}` : ''}`),
    ...elsewhere.map(
      ({ path, title, project, projectName }) =>
        `- ${wikilink(path, title)} ${project === null ? 'everywhere' : `in ${escapeMarkdown(projectName, 80)}`}`,
    ),
    ...(memoryIndex === null ? [] : [`- ${wikilink(memoryIndex, 'All memories')}`]),
  ]
  if (lines.length < 2) lines.push(`- ${wikilink('wiki/index', 'Index')}`)
  return ['## Related', '', ...lines].join('\n')
}
