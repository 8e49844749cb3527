// Parses the file of a practice. The file is authoritative; errors are reported with their line.
import { parseFrontmatter, splitFrontmatter } from '../core/vault/frontmatter.ts'
import { closedFences, unescapeMarkdownText } from '../text/markdown.ts'
import { nearest } from '../text/nearest.ts'
import { slugOf } from '../text/slug.ts'
import { oneLine } from '../text/truncate.ts'
import { type Practice, type PracticeStatus, type SignalType, signalTypes } from './types.ts'

export type ParsedPractice =
  | { kind: 'practice'; practice: Practice }
  /** A file without rule and id is a note of the person. */
  | { kind: 'note' }
  | { kind: 'bad'; line: number; reason: string }

/** `path` is relative to the vault, without extension. */
export async function parsePractice(path: string, content: Buffer): Promise<ParsedPractice> {
  const text = decodeText(content)
  if (typeof text !== 'string') return { kind: 'bad', ...text }
  const split = splitFrontmatter(text)
  if (!split) return { kind: 'bad', line: 1, reason: 'The head begins and does not end' }
  const front = await parseFrontmatter(split.front ?? '')
  if (front.kind === 'bad') return front
  const fields = withoutNulls(front.fields)
  const lines = split.body.split('\n')
  const sections = findSections(lines)
  const rule = sections.find(({ name }) => name === 'rule')
  if (!rule && fields.id === undefined) return { kind: 'note' }
  const twice = sections.find(({ name }, at) => sections.findIndex((other) => other.name === name) !== at)
  if (twice)
    return { kind: 'bad', line: split.bodyLine + twice.from, reason: `There are two sections "${twice.heading}"` }
  const wrong = invalidField(fields)
  if (wrong) return { kind: 'bad', line: lineOf(split.front ?? '', wrong.name), reason: wrong.reason }
  const said = (name: string) => unescapeSection(linesIn(lines, sections, name))
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
      title: findTitle(lines) ?? name.replaceAll('-', ' '),
      version: (fields.version as string | undefined) ?? firstVersion,
      status: (fields.status as PracticeStatus | undefined) ?? 'approved',
      problem: said('problem'),
      rule: said('rule'),
      agents: strings(fields.agents) ?? [],
      projects: strings(fields.projects) ?? [],
      steps: parseList(linesIn(lines, sections, 'steps')),
      ...(pattern ? { pattern: { polarity: pattern.polarity, type: pattern.type, locus: pattern.locus } } : {}),
      provenance: {
        frequency: made?.frequency ?? 0,
        sessions: made?.sessions ?? 0,
        agents: strings(made?.agents) ?? [],
        evidence: String(made?.evidence ?? ''),
        examples: parseList(linesIn(lines, sections, 'evidence')).map(unescapeMarkdownText),
      },
      history: historyIn(linesIn(lines, sections, 'history')),
    },
  }
}

export const firstVersion = '1.0.0'

function historyIn(lines: readonly string[]): Practice['history'] {
  return parseList(lines).flatMap((item) => {
    const [, version, day, what] = /^(\d+\.\d+\.\d+), (\d{4}-\d\d-\d\d): (.+)$/s.exec(item) ?? []
    return version === undefined ? [] : [{ version, day: day!, what: oneLine(what!) }]
  })
}

function linesIn(lines: readonly string[], sections: readonly PracticeSection[], name: string): readonly string[] {
  const found = sections.find((section) => section.name === name)
  return found ? lines.slice(found.from + 1, found.to) : []
}

function invalidField(fields: Readonly<Record<string, unknown>>): { name: string; reason: string } | undefined {
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

export function isField(row: string, name: string): boolean {
  return new RegExp(`^(["']?)${name}\\1[ \\t]*:`).test(row)
}

function lineOf(front: string, name: string): number {
  return (
    Math.max(
      0,
      front.split('\n').findIndex((row) => isField(row, name)),
    ) + 2
  )
}

/** Rejects binary content and CR line ends, which could not be written back unchanged. */
export function decodeText(content: Buffer): string | { line: number; reason: string } {
  const text = content.toString('utf8').replace(/^\ufeff/, '')
  const isText =
    !text.includes('\0') && Buffer.from(text).equals(content.subarray(content.length - Buffer.byteLength(text)))
  const wrong = isText ? /\r(?!\n)/ : /[\0\ufffd]/
  const line = text.split('\n').findIndex((row) => wrong.test(`${row}\n`)) + 1
  if (isText && line === 0) return text
  return { line: Math.max(1, line), reason: isText ? 'There is a line end of an old kind' : 'This is not UTF-8 text' }
}

export interface PracticeSection {
  /** Lower case. */
  name: string
  heading: string
  /** Line of the heading, and the line after its last. */
  from: number
  to: number
}

/** Only known sections; others belong to the person. */
export function findSections(lines: readonly string[]): PracticeSection[] {
  const isCode = codeAtMargin(lines)
  const headings = lines.flatMap((line, at) => (!isCode[at] && /^#{1,2}[ \t]/.test(line) ? [at] : []))
  return headings.flatMap((from, index) => {
    const heading = /^##[ \t]+(.*?)[ \t]*#*[ \t]*$/.exec(lines[from]!)?.[1]
    const name = heading?.toLowerCase() ?? ''
    return sectionNames.has(name) ? [{ name, heading: heading!, from, to: headings[index + 1] ?? lines.length }] : []
  })
}

const sectionNames: ReadonlySet<string> = new Set(['problem', 'rule', 'steps', 'evidence', 'history'])

export function findTitle(lines: readonly string[]): string | undefined {
  const isCode = codeAtMargin(lines)
  const at = lines.findIndex((line, index) => !isCode[index] && /^#[ \t]+\S/.test(line))
  return at < 0 ? undefined : oneLine(lines[at]!.slice(1))
}

/** Ignores indented fences, which belong to list items. */
function codeAtMargin(lines: readonly string[]): boolean[] {
  return closedFences(lines.map((line) => (/^[ \t]/.test(line) ? '' : line)))
}

/** Escapes lines that would end the section or open an unclosed code fence. */
export function escapeSection(text: string): string {
  const lines = text.trim().split(/\r\n?|\n/)
  const isCode = codeAtMargin(lines)
  return lines.map((line, at) => (isCode[at] ? line : line.replace(/^\\*(?:#{1,2}[ \t]|`{3}|~{3})/, '\\$&'))).join('\n')
}

function unescapeSection(lines: readonly string[]): string {
  const isCode = codeAtMargin(lines)
  return lines
    .map((line, at) => (isCode[at] ? line : line.replace(/^\\(?=\\*(?:#{1,2}[ \t]|`{3}|~{3}))/, '')))
    .join('\n')
    .trim()
}

/** Items of a numbered or bulleted list, with their indented lines. */
export function parseList(lines: readonly string[]): string[] {
  const items: string[][] = []
  let width = 0
  for (const line of lines) {
    const marker = /^(?:\d{1,4}[.)]|[-*+])[ \t]+/.exec(line)?.[0]
    if (marker !== undefined) {
      width = marker.length
      items.push([line.slice(width)])
    } else if (items.length > 0 && /^(?:[ \t]|$)/.test(line)) {
      items.at(-1)!.push(/^[ \t]*/.exec(line)![0].length >= width ? line.slice(width) : line.trim())
    }
  }
  return items.map(unescapeSection).filter((item) => item !== '')
}
