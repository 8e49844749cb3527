// The sections of an article that are made of memories: rules, decisions, traps, knowledge, and what nobody should lean on.
import type { Memory } from '../../memory/memory.ts'
import { maxMemoryLength } from '../../memory/memory.ts'
import { escapeMarkdown } from '../../text/markdown.ts'
import type { Section, SectionName } from '../article.ts'
import { saidIn } from './said.ts'
import { type Days, refusal, sourceOf, statementLine, wordsOf } from './statement.ts'

export type StatementSection = Extract<SectionName, 'rules' | 'decisions' | 'traps' | 'knowledge' | 'doubtful'>

export type Statements = Record<StatementSection, Memory[]>

/** Current memories by where they stand, the most important first, then the newest. */
export function statementsOf(memories: readonly Memory[], isNamed: (memory: Memory) => boolean): Statements {
  const statements: Statements = { rules: [], decisions: [], traps: [], knowledge: [], doubtful: [] }
  const weights = new Map(memories.map((memory) => [memory.id, weightOf(memory, isNamed(memory))]))
  const ordered = memories
    .filter(({ supersededBy }) => supersededBy === null)
    .sort((a, b) => weights.get(b.id)! - weights.get(a.id)! || byDay(a, b))
  for (const memory of ordered) statements[placeOf(memory)].push(memory)
  return statements
}

/** Whoever names the topic says more about it than what was said beside it; nobody's word weighs as much as the user's. */
function weightOf({ importance, trust, counts }: Memory, isNamed: boolean): number {
  const often = Math.min(0.1, 0.05 * (counts.said - 1))
  return Math.round(100 * (importance + often + (isNamed ? 0.3 : 0) - (trust === 'user said' ? 0 : 0.5)))
}

/** The last day first; what was said on one day in its order. */
function byDay(a: Memory, b: Memory): number {
  const day = (memory: Memory) => memory.confirmedAt.slice(0, 10)
  if (day(a) !== day(b)) return day(a) < day(b) ? 1 : -1
  return a.confirmedAt !== b.confirmedAt ? (a.confirmedAt < b.confirmedAt ? -1 : 1) : a.id < b.id ? -1 : 1
}

function placeOf(memory: Memory): StatementSection {
  if (memory.doubt !== null || refusal(memory) !== undefined) return 'doubtful'
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

export const maxStatements = 60
/** Of a long section people read the beginnings. */
const manyStatements = 20
const shortStatement = 300

/** `more` is the command that tells the rest. */
export function statementSections(statements: Statements, { days, more }: { days: Days; more: string }): Section[] {
  return (Object.keys(headings) as StatementSection[]).flatMap((name) => {
    const all = statements[name]
    if (all.length === 0) return []
    const max = all.length > manyStatements ? shortStatement : maxMemoryLength
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
  return memory === undefined ? '' : saidIn(memory.text).about
}

export function moreLine(count: number, more: string): string[] {
  return count > 0 ? ['', `${count} more: \`${more}\``] : []
}

function doubtfulLine(memory: Memory, days: Days, max: number): string {
  if (memory.doubt !== null)
    return `${statementLine(memory, { days, max })} Doubtful: ${escapeMarkdown(memory.doubt, 300)}`
  return `- ${wordsOf(memory, max)} (${sourceOf(memory, days)})`
}
