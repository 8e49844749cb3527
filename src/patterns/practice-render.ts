// Writes a practice into its file. Unchanged fields and all other text of the file stay as they
// are.

import { plural } from '../core/units.ts'
import { frontmatterFence, splitFrontmatter, yamlString } from '../core/vault/frontmatter.ts'
import { applyLineChanges, type LineChange, lineEnding, splitLines } from '../core/vault/lines.ts'
import { escapeMarkdownText } from '../text/markdown.ts'
import { oneLine } from '../text/truncate.ts'
import {
  decodeText,
  escapeSection,
  findSections,
  findTitle,
  isField,
  type PracticeSection,
  parsePractice,
} from './practice-file.ts'
import type { Practice } from './types.ts'

/** Changes only fields and sections of the existing file that differ. */
export async function renderPractice(
  practice: Practice,
  existing?: Buffer,
): Promise<Buffer | { line: number; reason: string }> {
  const source = existing
    ? decodeText(existing)
    : `${frontmatterFence}\n${frontmatterFence}\n\n# ${oneLine(practice.title)}\n`
  if (typeof source !== 'string') return source
  const before = await parsePractice(practice.path, Buffer.from(source))
  if (before.kind === 'bad' && existing) return before
  const was = before.kind === 'practice' ? before.practice : undefined
  const split = splitFrontmatter(source)!
  const lines = splitLines(source)
  const headChanges = diffHead(practice, was, split.front)
  const bodyChanges = diffBody(practice, was, split.body.split('\n')).map((change) => ({
    ...change,
    at: change.at + split.bodyLine - 1,
  }))
  return Buffer.from(applyLineChanges(lines, [...headChanges, ...bodyChanges], lineEnding(source)))
}

const headNames = ['id', 'version', 'status', 'agents', 'projects', 'pattern', 'provenance'] as const

function diffHead(practice: Practice, was: Practice | undefined, front: string | undefined): LineChange[] {
  const lines = headLines(practice)
  const old: Partial<Record<string, string>> = was ? headLines(was) : {}
  if (front === undefined)
    return [{ at: 0, removed: 0, lines: [frontmatterFence, ...Object.values(lines), frontmatterFence] }]
  const rows = front === '' ? [] : front.split('\n')
  const changes: LineChange[] = []
  const missing: string[] = []
  for (const name of headNames) {
    const line = lines[name]
    const at = rows.findIndex((row) => isField(row, name))
    if (line === undefined || (at >= 0 && line === old[name])) continue
    if (at < 0) missing.push(line)
    else changes.push({ at: at + 1, removed: fieldLength(rows, at), lines: [line] })
  }
  return missing.length === 0 ? changes : [...changes, { at: rows.length + 1, removed: 0, lines: missing }]
}

function headLines({ id, version, status, agents, projects, pattern, provenance }: Practice): Record<string, string> {
  const list = (values: readonly string[]) => `[${values.map(yamlString).join(', ')}]`
  const { frequency, sessions, evidence } = provenance
  const made = `frequency: ${frequency}, sessions: ${sessions}, agents: ${list(provenance.agents)}, evidence: ${yamlString(evidence)}`
  return {
    id: `id: ${yamlString(id)}`,
    version: `version: ${yamlString(version)}`,
    status: `status: ${status}`,
    agents: `agents: ${list(agents)}`,
    projects: `projects: ${list(projects)}`,
    ...(pattern
      ? {
          pattern: `pattern: { polarity: ${pattern.polarity}, type: ${yamlString(pattern.type)}, locus: ${yamlString(pattern.locus)} }`,
        }
      : {}),
    ...(frequency > 0 ? { provenance: `provenance: { ${made} }` } : {}),
  }
}

/** Number of lines of the field with its value. */
function fieldLength(rows: readonly string[], at: number): number {
  const next = rows.findIndex((row, index) => index > at && !/^(?:[ \t]|- |-$)/.test(row))
  return (next < 0 ? rows.length : next) - at
}

function diffBody(practice: Practice, was: Practice | undefined, lines: readonly string[]): LineChange[] {
  const sections = findSections(lines)
  const texts = sectionTexts(practice)
  const old = was ? sectionTexts(was) : undefined
  const changes: LineChange[] = titleChange(practice, lines)
  // New sections are added after the last line of the file.
  const end = lines.at(-1) === '' ? lines.length - 1 : lines.length
  for (const [order, heading] of headings.entries()) {
    const text = texts[heading]
    const found = sections.find(({ name }) => name === heading.toLowerCase())
    if (text === old?.[heading]) continue
    if (found && heading === 'History') changes.push(...appendHistory(practice, was, lines, found))
    else if (found) changes.push(replaceSection(found, lines, text))
    else if (text !== '') {
      const later = sections.find(({ name }) => headings.findIndex((one) => one.toLowerCase() === name) > order)
      const block = [`## ${heading}`, '', ...text.split('\n')]
      changes.push({ at: later?.from ?? end, removed: 0, lines: later ? [...block, ''] : ['', ...block] })
    }
  }
  return changes
}

const headings = ['Problem', 'Rule', 'Steps', 'Evidence', 'History'] as const

function sectionTexts(practice: Practice): Record<(typeof headings)[number], string> {
  const { provenance } = practice
  const seen = `Seen ${plural(provenance.frequency, 'time')} in ${plural(provenance.sessions, 'session')}${provenance.agents.length === 0 ? '' : `, with ${provenance.agents.join(', ')}`}.`
  const examples = provenance.examples.map((example) => `- ${escapeMarkdownText(oneLine(example))}`)
  const steps = practice.steps.map((step, index) => {
    const marker = `${index + 1}. `
    return (
      marker +
      escapeSection(step)
        .split('\n')
        .join(`\n${' '.repeat(marker.length)}`)
    )
  })
  return {
    Problem: escapeSection(practice.problem),
    Rule: escapeSection(practice.rule),
    Steps: steps.join('\n'),
    Evidence: provenance.frequency === 0 ? '' : [seen, ...(examples.length === 0 ? [] : ['', ...examples])].join('\n'),
    History: practice.history.map(historyLine).join('\n'),
  }
}

function titleChange(practice: Practice, lines: readonly string[]): LineChange[] {
  const title = oneLine(practice.title)
  if (findTitle(lines) === title) return []
  const at = lines.findIndex((line) => /^# /.test(line))
  return at < 0 ? [{ at: 0, removed: 0, lines: [`# ${title}`, ''] }] : [{ at, removed: 1, lines: [`# ${title}`] }]
}

function replaceSection({ from, to }: PracticeSection, lines: readonly string[], text: string): LineChange {
  const isLast = to >= lines.length
  if (text === '') return { at: from, removed: to - from, lines: [] }
  return { at: from + 1, removed: to - from - 1, lines: ['', ...text.split('\n'), ...(isLast ? [] : [''])] }
}

/** Appends to the list; existing lines are kept. */
function appendHistory(
  practice: Practice,
  was: Practice | undefined,
  lines: readonly string[],
  { from, to }: PracticeSection,
): LineChange[] {
  const known = new Set((was?.history ?? []).map(historyLine))
  const fresh = practice.history.map(historyLine).filter((line) => !known.has(line))
  if (fresh.length === 0) return []
  let last = to - 1
  while (last > from && lines[last]!.trim() === '') last--
  return [{ at: last + 1, removed: 0, lines: last === from ? ['', ...fresh] : fresh }]
}

function historyLine({ version, day, what }: Practice['history'][number]): string {
  return `- ${version}, ${day}: ${oneLine(what)}`
}
