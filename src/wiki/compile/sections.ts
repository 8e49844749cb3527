// Renders the sections of an article from the statements of its topic: what is valid by kind with what
// it replaced, open questions, and sources.
import { type Memory, maxMemoryLength } from '../../memory/memory.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { shortLine } from '../../text/truncate.ts'
import type { ArticleSection, SectionName } from '../article.ts'
import { wikilink } from '../links.ts'
import { besideRelated } from './related-order.ts'
import { citationOf, dayLink, dayOf, isOpen, type JournalDayOf, sessionName, statementLines } from './statement-text.ts'
import { isTrap, type Succession } from './successions.ts'

export type ArticleStatements = Extract<
  SectionName,
  'rules' | 'decisions' | 'traps' | 'running' | 'knowledge' | 'doubtful'
>

/** In the order of the page. */
const headings: Readonly<Record<ArticleStatements, string>> = {
  rules: 'Rules',
  decisions: 'Decisions',
  traps: 'Traps and fixes',
  running: 'How to run',
  knowledge: 'Facts',
  doubtful: 'Doubtful',
}

const maxStatements = 60
/** Statements are shortened in longer sections. */
const manyStatements = 20
const shortStatement = 300

/** `project`: its name. `more`: command that lists the rest. */
export function statementSections(
  successions: readonly Succession[],
  { journalDay, project, more }: { journalDay: JournalDayOf; project: string; more: string },
): ArticleSection[] {
  const bySection = settledBySection(successions)
  return (Object.keys(headings) as ArticleStatements[]).flatMap((name) => {
    const all = bySection.get(name) ?? []
    if (all.length === 0) return []
    const max = all.length > manyStatements ? shortStatement : maxMemoryLength
    const lines = besideRelated(all.slice(0, maxStatements), project).flatMap((succession) =>
      statementLines(succession, { journalDay, max }),
    )
    return {
      name,
      text: [`## ${headings[name]}`, '', ...lines, ...moreLine(all.length - maxStatements, more)].join('\n'),
    }
  })
}

/** What is not settled is among the open questions. */
export function settledBySection(successions: readonly Succession[]): Map<ArticleStatements, Succession[]> {
  const settled = successions.filter(({ memory }) => !isOpen(memory))
  return Map.groupBy(settled, ({ memory }) => sectionOf(memory))
}

function sectionOf(memory: Memory): ArticleStatements {
  if (memory.doubt !== null) return 'doubtful'
  if (isTrap(memory)) return 'traps'
  switch (memory.kind) {
    case 'decision':
      return 'decisions'
    case 'operational':
      return 'running'
    case 'fact':
      return 'knowledge'
    case 'correction':
      return tellsWhatToDo.test(memory.text) ? 'rules' : 'knowledge'
    default:
      return 'rules'
  }
}

/** A correction is a rule if it prescribes, forbids or excludes something, else it says how things are. */
const tellsWhatToDo =
  /\b(?:must|should|shall|has to|have to|needs? to|never|always|only|not|instead|rather than|prefer)\b|n't\b|^(?:use|do|keep|make|write|add|put|run|ask|let|stop|avoid)\b/i

function moreLine(count: number, more: string): string[] {
  return count > 0 ? ['', `${count} more: \`${more}\``] : []
}

/** Statements that are not settled, and contradictions that a person has to decide. */
export function openSection(
  successions: readonly Succession[],
  inbox: readonly Memory[],
  journalDay: JournalDayOf,
): string {
  const byId = new Map(successions.map(({ memory }) => [memory.id, memory]))
  const asked = inbox.flatMap((memory) => {
    const other = byId.get(memory.contradicts ?? '')
    if (!other) return []
    const words = `“${escapeMarkdown(memory.text, shortStatement)}” may contradict “${escapeMarkdown(other.text, shortStatement)}”`
    return [
      `- ${words} ${citationOf([memory], journalDay)}`,
      `  - To decide: \`recollect inbox ${memory.id} keep|drop|both\``,
    ]
  })
  const open = successions
    .filter(({ memory }) => isOpen(memory))
    .flatMap((succession) => statementLines(succession, { journalDay, max: maxMemoryLength }))
  const lines = [...asked, ...open]
  return lines.length === 0 ? '' : ['## Open questions', '', ...lines].join('\n')
}

export interface ArticleSources {
  /** Sessions by journal day, latest first. */
  byDay: [day: string, sessions: string[]][]
  /** Sessions without a journal entry. */
  others: string[]
  /** Days. */
  first: string
  last: string
}

export function articleSources(memories: readonly Memory[], journalDay: JournalDayOf): ArticleSources {
  const places = memories.flatMap((memory) =>
    memory.evidence.flatMap((evidence) =>
      evidence.session === null ? [] : { session: evidence.session, day: journalDay(memory, evidence) },
    ),
  )
  const sessionsOf = (some: readonly { session: string }[]) => [...new Set(some.map(({ session }) => session))].sort()
  const { journaled = [], other = [] } = Object.groupBy(places, ({ day }) => (day ? 'journaled' : 'other'))
  const byDay = [...Map.groupBy(journaled, ({ day }) => day!)]
    .map(([day, some]): [string, string[]] => [day, sessionsOf(some)])
    .sort((a, b) => (a[0] < b[0] ? 1 : -1))
  const all = [
    ...byDay.map(([day]) => day),
    ...memories.flatMap((memory) => [dayOf(memory), memory.confirmedAt.slice(0, 10)]),
  ].sort()
  return { byDay, others: sessionsOf(other), first: all[0] ?? '', last: all.at(-1) ?? '' }
}

/** Sources for the head of the article. */
export function sourceNames({ byDay, others }: ArticleSources): string[] {
  return [...byDay.map(([day]) => `journal/${day}`), ...others]
}

interface SourcesContext {
  /** Titles of sessions. */
  titles: ReadonlyMap<string, string>
  /** The model that wrote a part of the article. */
  author: string | null
}

/** One line for each session: day, title, and the id with the agent. Sessions of the same title share a line. */
export function sourcesSection({ byDay, others }: ArticleSources, { titles, author }: SourcesContext): string {
  const named = (sessions: readonly string[]) =>
    [...Map.groupBy(sessions, (session) => titles.get(session) ?? '')].map(([title, ids]) => {
      const names = ids.map((session) => inlineCode(sessionName(session))).join(', ')
      return title === '' ? names : `${escapeMarkdown(shortLine(title, maxTitle), maxTitle)} (${names})`
    })
  const lines = [
    ...byDay.flatMap(([day, sessions]) => named(sessions).map((name) => `- ${dayLink(day)}: ${name}`)),
    ...named(others).map((name) => `- Not in the journal: ${name}`),
    ...(author === null ? [] : [`- Summary and background by ${escapeMarkdown(author, 80)}`]),
  ]
  return lines.length === 0 ? '' : ['## Sources', '', ...lines].join('\n')
}

const maxTitle = 80

/** A page that a link leads to, with what it says. */
export interface RelatedPage {
  path: string
  title: string
  note?: string
}

export function relatedSection(heading: string, pages: readonly RelatedPage[]): string {
  const lines = pages.map(({ path, title, note }) => `- ${wikilink(path, title)}${note ? `: ${note}` : ''}`)
  return lines.length === 0 ? '' : [`## ${heading}`, '', ...lines].join('\n')
}
