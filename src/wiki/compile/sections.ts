// Renders the sections of an article from the statements of its topic: what is valid by kind, open
// questions, history, and sources.
import { type Memory, maxMemoryLength } from '../../memory/memory.ts'
import { escapeMarkdown, inlineCode } from '../../text/markdown.ts'
import { ellipsize } from '../../text/truncate.ts'
import { type ArticleSection, maxSummaryLength, type SectionName } from '../article.ts'
import { wikilink } from '../links.ts'
import {
  citationOf,
  type Days,
  dayLink,
  dayOf,
  mainSentence,
  sessionName,
  statementLines,
  statementWords,
} from './statement-text.ts'
import { isTrap, type Succession } from './successions.ts'

/** The most important statement, for the top of the article and for the index. */
export function pointOf(successions: readonly Succession[]): string {
  const [first] = successions.filter(({ memory }) => memory.status !== 'hypothetical')
  const { memory } = first ?? successions[0]!
  // The fix of a trap is in a sentence of its own.
  const isShort = isTrap(memory) && memory.text.length <= maxPoint
  const sentence = isShort ? memory.text : mainSentence(memory.text)
  return statementWords({ ...memory, text: ellipsize(sentence, maxPoint) }, maxSummaryLength)
}

/** Leaves room to say whose words they are. */
const maxPoint = maxSummaryLength - 50

type StatementSection = Extract<SectionName, 'rules' | 'decisions' | 'traps' | 'knowledge' | 'doubtful'>

const headings: Readonly<Record<StatementSection, string>> = {
  rules: 'Rules',
  decisions: 'Decisions',
  traps: 'Traps and fixes',
  knowledge: 'Facts',
  doubtful: 'Doubtful',
}

const maxStatements = 60
/** Statements are shortened in longer sections. */
const manyStatements = 20
const shortStatement = 300

/** `more`: command that lists the rest. */
export function statementSections(
  successions: readonly Succession[],
  { days, more }: { days: Days; more: string },
): ArticleSection[] {
  const bySection = Map.groupBy(
    successions.filter(({ memory }) => !isOpen(memory)),
    ({ memory }) => sectionOf(memory),
  )
  return (Object.keys(headings) as StatementSection[]).flatMap((name) => {
    const all = bySection.get(name) ?? []
    if (all.length === 0) return []
    const max = all.length > manyStatements ? shortStatement : maxMemoryLength
    const lines = all.slice(0, maxStatements).flatMap(({ memory }) => statementLines(memory, { days, max }))
    return {
      name,
      text: [`## ${headings[name]}`, '', ...lines, ...moreLine(all.length - maxStatements, more)].join('\n'),
    }
  })
}

function sectionOf(memory: Memory): StatementSection {
  if (memory.doubt !== null) return 'doubtful'
  if (isTrap(memory)) return 'traps'
  if (memory.kind === 'fact') return 'knowledge'
  return memory.kind === 'decision' ? 'decisions' : 'rules'
}

function isOpen({ status }: Memory): boolean {
  return status === 'hypothetical'
}

function moreLine(count: number, more: string): string[] {
  return count > 0 ? ['', `${count} more: \`${more}\``] : []
}

/** Statements that are not settled, and contradictions that a person has to decide. */
export function openSection(successions: readonly Succession[], inbox: readonly Memory[], days: Days): string {
  const byId = new Map(successions.map(({ memory }) => [memory.id, memory]))
  const asked = inbox.flatMap((memory) => {
    const other = byId.get(memory.contradicts ?? '')
    if (!other) return []
    const words = `“${escapeMarkdown(memory.text, shortStatement)}” may contradict “${escapeMarkdown(other.text, shortStatement)}”`
    return [
      `- ${words} ${citationOf([memory], days)}`,
      `  - To decide: \`recollect inbox ${memory.id} keep|drop|both\``,
    ]
  })
  const open = successions
    .filter(({ memory }) => isOpen(memory))
    .flatMap(({ memory }) => statementLines(memory, { days, max: maxMemoryLength }))
  const lines = [...asked, ...open]
  return lines.length === 0 ? '' : ['## Open questions', '', ...lines].join('\n')
}

/** What was replaced, when, by what and why; latest first. */
export function historySection(successions: readonly Succession[], days: Days, more: string): string {
  const replaced = successions
    .flatMap(({ memory, earlier }) => earlier.map((old, at) => ({ old, by: earlier[at - 1] ?? memory })))
    .sort((a, b) => (endOf(a.old) < endOf(b.old) ? 1 : endOf(a.old) > endOf(b.old) ? -1 : 0))
  if (replaced.length === 0) return ''
  const lines = replaced
    .slice(0, maxStatements)
    .flatMap(({ old, by }) => [
      `- ${dayOf(old)} to ${endOf(old)}: ${statementWords(old, shortStatement)} ${citationOf([old], days)}`,
      `  - Replaced by: ${statementWords(by, shortStatement)}`,
      ...(by.why === null || by.text.includes(by.why) ? [] : [`  - Why: ${escapeMarkdown(by.why, shortStatement)}`]),
    ])
  return ['## History', '', ...lines, ...moreLine(replaced.length - maxStatements, more)].join('\n')
}

function endOf({ supersededAt, confirmedAt }: Memory): string {
  return (supersededAt ?? confirmedAt).slice(0, 10)
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

export function articleSources(memories: readonly Memory[], days: Days): ArticleSources {
  const sessions = new Set(memories.flatMap(({ evidence }) => evidence.flatMap(({ session }) => session ?? [])))
  const journaled = [...sessions].filter((session) => days.has(session)).sort()
  const byDay = [...Map.groupBy(journaled, (session) => days.get(session)!)].sort((a, b) => (a[0] < b[0] ? 1 : -1))
  const all = [
    ...byDay.map(([day]) => day),
    ...memories.flatMap((memory) => [dayOf(memory), memory.confirmedAt.slice(0, 10)]),
  ].sort()
  const others = [...sessions].filter((session) => !days.has(session)).sort()
  return { byDay, others, first: all[0] ?? '', last: all.at(-1) ?? '' }
}

/** Sources for the head of the article. */
export function sourceNames({ byDay, others }: ArticleSources): string[] {
  return [...byDay.map(([day]) => `journal/${day}`), ...others]
}

/** `author`: the model that wrote a part of the article. */
export function sourcesSection({ byDay, others }: ArticleSources, author: string | null): string {
  const lines = [
    ...byDay.map(([day, sessions]) => `- ${dayLink(day)}: ${sessionNames(sessions)}`),
    ...(others.length === 0 ? [] : [`- Not in the journal: ${sessionNames(others)}`]),
    ...(author === null ? [] : [`- Summary and background by ${escapeMarkdown(author, 80)}`]),
  ]
  return lines.length === 0 ? '' : ['## Sources', '', ...lines].join('\n')
}

function sessionNames(sessions: readonly string[]): string {
  return sessions.map((session) => inlineCode(sessionName(session))).join(', ')
}

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
