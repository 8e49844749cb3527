// A practice as a file that people edit: what they wrote is the truth, what we add to it leaves every other line as it is, and what
// cannot be understood is a problem with its line.
import { changeLines, type LineChange, lineEndOf, linesOf } from '../core/lines.ts'
import { nearest } from '../core/nearest.ts'
import { oneLine } from '../core/text.ts'
import { plural } from '../core/units.ts'
import { fence, parseFront, quoted, splitFile } from '../learn/files/frontmatter.ts'
import { slugOf } from '../wiki/slug.ts'
import type { Practice, PracticeStatus } from './practice.ts'
import { type FoundSection, listOf, plainText, safeText, sectionsIn, titleIn } from './practice-sections.ts'
import { type SignalType, signalTypes } from './signal.ts'

export type ReadPractice =
  | { kind: 'practice'; practice: Practice }
  /** A file without a rule and without an id: a note of the person's own. */
  | { kind: 'note' }
  | { kind: 'bad'; line: number; reason: string }

/** `path` is below the vault, without its ending. */
export async function readPractice(path: string, content: Buffer): Promise<ReadPractice> {
  const text = textOf(content)
  if (typeof text !== 'string') return { kind: 'bad', ...text }
  const split = splitFile(text)
  if (!split) return { kind: 'bad', line: 1, reason: 'The head begins and does not end' }
  const front = await parseFront(split.front ?? '')
  if (front.kind === 'bad') return front
  const fields = withoutNulls(front.fields)
  const lines = split.body.split('\n')
  const sections = sectionsIn(lines)
  const rule = sections.find(({ name }) => name === 'rule')
  if (!rule && fields.id === undefined) return { kind: 'note' }
  const twice = sections.find(({ name }, at) => sections.findIndex((other) => other.name === name) !== at)
  if (twice)
    return { kind: 'bad', line: split.bodyLine + twice.from, reason: `There are two sections "${twice.heading}"` }
  const wrong = wrongField(fields)
  if (wrong) return { kind: 'bad', line: lineOf(split.front ?? '', wrong.name), reason: wrong.reason }
  const said = (name: string) => plainText(linesIn(lines, sections, name))
  if (said('rule') === '')
    return { kind: 'bad', line: split.bodyLine + (rule?.from ?? 0), reason: 'There is no text below "## Rule"' }
  const name = path.slice(path.lastIndexOf('/') + 1)
  const made = fields.provenance as Partial<Practice['provenance']> | undefined
  const pattern = fields.pattern as Practice['pattern'] | undefined
  return {
    kind: 'practice',
    practice: {
      id: (fields.id as string | undefined) ?? `by-hand-${slugOf(name)}`,
      path,
      title: titleIn(lines) ?? name.replaceAll('-', ' '),
      version: (fields.version as string | undefined) ?? firstVersion,
      status: (fields.status as PracticeStatus | undefined) ?? 'approved',
      problem: said('problem'),
      rule: said('rule'),
      agents: strings(fields.agents) ?? [],
      projects: strings(fields.projects) ?? [],
      steps: listOf(linesIn(lines, sections, 'steps')),
      ...(pattern ? { pattern: { polarity: pattern.polarity, type: pattern.type, locus: pattern.locus } } : {}),
      provenance: {
        frequency: made?.frequency ?? 0,
        sessions: made?.sessions ?? 0,
        agents: strings(made?.agents) ?? [],
        evidence: String(made?.evidence ?? ''),
        examples: listOf(linesIn(lines, sections, 'evidence')),
      },
      history: historyIn(linesIn(lines, sections, 'history')),
    },
  }
}

export const firstVersion = '1.0.0'

/** The practice put into the file as it is, if there is one: only what says something else is changed. */
export async function renderPractice(
  practice: Practice,
  existing?: Buffer,
): Promise<Buffer | { line: number; reason: string }> {
  const source = existing ? textOf(existing) : `${fence}\n${fence}\n\n# ${oneLine(practice.title)}\n`
  if (typeof source !== 'string') return source
  const before = await readPractice(practice.path, Buffer.from(source))
  if (before.kind === 'bad' && existing) return before
  const was = before.kind === 'practice' ? before.practice : undefined
  const split = splitFile(source)!
  const lines = linesOf(source)
  const headChanges = changedHead(practice, was, split.front)
  const bodyChanges = changedBody(practice, was, split.body.split('\n')).map((change) => ({
    ...change,
    at: change.at + split.bodyLine - 1,
  }))
  return Buffer.from(changeLines(lines, [...headChanges, ...bodyChanges], lineEndOf(source)))
}

const headNames = ['id', 'version', 'status', 'agents', 'projects', 'pattern', 'provenance'] as const

function changedHead(practice: Practice, was: Practice | undefined, front: string | undefined): LineChange[] {
  const lines = headLines(practice)
  const old: Partial<Record<string, string>> = was ? headLines(was) : {}
  if (front === undefined) return [{ at: 0, removed: 0, lines: [fence, ...Object.values(lines), fence] }]
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
  const list = (values: readonly string[]) => `[${values.map(quoted).join(', ')}]`
  const { frequency, sessions, evidence } = provenance
  const made = `frequency: ${frequency}, sessions: ${sessions}, agents: ${list(provenance.agents)}, evidence: ${quoted(evidence)}`
  return {
    id: `id: ${quoted(id)}`,
    version: `version: ${quoted(version)}`,
    status: `status: ${status}`,
    agents: `agents: ${list(agents)}`,
    projects: `projects: ${list(projects)}`,
    ...(pattern
      ? {
          pattern: `pattern: { polarity: ${pattern.polarity}, type: ${quoted(pattern.type)}, locus: ${quoted(pattern.locus)} }`,
        }
      : {}),
    ...(frequency > 0 ? { provenance: `provenance: { ${made} }` } : {}),
  }
}

function isField(row: string, name: string): boolean {
  return new RegExp(`^(["']?)${name}\\1[ \\t]*:`).test(row)
}

/** With the lines that belong to its value. */
function fieldLength(rows: readonly string[], at: number): number {
  const next = rows.findIndex((row, index) => index > at && !/^(?:[ \t]|- |-$)/.test(row))
  return (next < 0 ? rows.length : next) - at
}

function changedBody(practice: Practice, was: Practice | undefined, lines: readonly string[]): LineChange[] {
  const sections = sectionsIn(lines)
  const texts = sectionTexts(practice)
  const old = was ? sectionTexts(was) : undefined
  const changes: LineChange[] = titleChange(practice, lines)
  // A line of its own after the last one that says something: what a person left at the end of the file stays behind ours.
  const end = lines.at(-1) === '' ? lines.length - 1 : lines.length
  for (const [order, heading] of headings.entries()) {
    const text = texts[heading]
    const found = sections.find(({ name }) => name === heading.toLowerCase())
    if (text === old?.[heading]) continue
    if (found && heading === 'History') changes.push(...newHistory(practice, was, lines, found))
    else if (found) changes.push(replacement(found, lines, text))
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
  const examples = provenance.examples.map((example) => `- ${oneLine(example)}`)
  const steps = practice.steps.map((step, index) => {
    const marker = `${index + 1}. `
    return marker + step.split('\n').join(`\n${' '.repeat(marker.length)}`)
  })
  return {
    Problem: safeText(practice.problem),
    Rule: safeText(practice.rule),
    Steps: steps.join('\n'),
    Evidence: provenance.frequency === 0 ? '' : [seen, ...(examples.length === 0 ? [] : ['', ...examples])].join('\n'),
    History: practice.history.map(historyLine).join('\n'),
  }
}

function titleChange(practice: Practice, lines: readonly string[]): LineChange[] {
  const title = oneLine(practice.title)
  if (titleIn(lines) === title) return []
  const at = lines.findIndex((line) => /^# /.test(line))
  return at < 0 ? [{ at: 0, removed: 0, lines: [`# ${title}`, ''] }] : [{ at, removed: 1, lines: [`# ${title}`] }]
}

function replacement({ from, to }: FoundSection, lines: readonly string[], text: string): LineChange {
  const isLast = to >= lines.length
  if (text === '') return { at: from, removed: to - from, lines: [] }
  return { at: from + 1, removed: to - from - 1, lines: ['', ...text.split('\n'), ...(isLast ? [] : [''])] }
}

/** Behind the last line of the list; what is there stays, whoever wrote it. */
function newHistory(
  practice: Practice,
  was: Practice | undefined,
  lines: readonly string[],
  { from, to }: FoundSection,
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

function historyIn(lines: readonly string[]): Practice['history'] {
  return listOf(lines).flatMap((item) => {
    const [, version, day, what] = /^(\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d): (.+)$/s.exec(item) ?? []
    return version === undefined ? [] : [{ version, day: day!, what: oneLine(what!) }]
  })
}

function linesIn(lines: readonly string[], sections: readonly FoundSection[], name: string): readonly string[] {
  const found = sections.find((section) => section.name === name)
  return found ? lines.slice(found.from + 1, found.to) : []
}

function wrongField(fields: Readonly<Record<string, unknown>>): { name: string; reason: string } | undefined {
  const { id, version, status, pattern, provenance } = fields
  if (id !== undefined && (typeof id !== 'string' || !/^[\p{L}\p{N}\p{M}._:-]{1,120}$/u.test(id)))
    return { name: 'id', reason: 'id is the name that the practice was given' }
  if (version !== undefined && !(typeof version === 'string' && /^\d{1,6}\.\d{1,6}\.\d{1,6}$/.test(version)))
    return { name: 'version', reason: 'version is three numbers such as "1.2.0"' }
  if (status !== undefined && !statuses.some((one) => one === status)) {
    const suggestion = nearest(String(status), statuses)
    return {
      name: 'status',
      reason: `status is "${status}": ${suggestion ? `did you mean ${suggestion}?` : statuses.join(' or ')}`,
    }
  }
  for (const name of ['agents', 'projects'])
    if (fields[name] !== undefined && !strings(fields[name]))
      return { name, reason: `${name} are a list such as ["one", "two"], empty for all of them` }
  if (pattern !== undefined && !isPatternHead(pattern))
    return { name: 'pattern', reason: 'pattern says polarity, type and locus; delete the line if it comes from none' }
  if (provenance !== undefined && !isProvenance(provenance))
    return { name: 'provenance', reason: 'provenance says frequency, sessions, agents and evidence' }
  return undefined
}

const statuses: readonly PracticeStatus[] = ['approved', 'retired']

function isPatternHead(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { polarity, type, locus } = value as Record<string, unknown>
  const isPolarity = polarity === 'problem' || polarity === 'success'
  return isPolarity && signalTypes.includes(type as SignalType) && typeof locus === 'string'
}

function isProvenance(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { frequency, sessions } = value as Record<string, unknown>
  return [frequency, sessions].every((count) => count === undefined || (Number.isInteger(count) && Number(count) >= 0))
}

function withoutNulls(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}

function strings(value: unknown): string[] | undefined {
  if (value === undefined || value === null) return []
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value) || value.some((one) => typeof one === 'object')) return undefined
  return value.map(String)
}

function lineOf(front: string, name: string): number {
  return (
    Math.max(
      0,
      front.split('\n').findIndex((row) => isField(row, name)),
    ) + 2
  )
}

/** What is no text, or has line ends that we would count otherwise, would not come back as it was. */
function textOf(content: Buffer): string | { line: number; reason: string } {
  const text = content.toString('utf8').replace(/^\ufeff/, '')
  const isText =
    !text.includes('\0') && Buffer.from(text).equals(content.subarray(content.length - Buffer.byteLength(text)))
  const wrong = isText ? /\r(?!\n)/ : /[\0\ufffd]/
  const line = text.split('\n').findIndex((row) => wrong.test(`${row}\n`)) + 1
  if (isText && line === 0) return text
  return { line: Math.max(1, line), reason: isText ? 'There is a line end of an old kind' : 'This is not UTF-8 text' }
}
