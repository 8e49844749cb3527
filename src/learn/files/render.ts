// Renders a memory as a Markdown file: frontmatter, statement, sources.
import { createHash } from 'node:crypto'
import {
  foreignFieldLines,
  frontmatterFence,
  normaliseNewlines,
  splitFrontmatter,
  yamlString,
} from '../../core/frontmatter.ts'
import { spaceText } from '../../memory/attribution.ts'
import { descriptionOf, plainLine, titleOf } from '../../memory/file-name.ts'
import type { Evidence, Memory } from '../../memory/memory.ts'
import { headings, renderBody } from './body.ts'

/** Lookups for what a file shows besides the memory itself. */
export interface RenderContext {
  /** Undefined if the session is unknown. */
  dayOf(session: string): string | undefined
  /** Another memory's link, text and space. */
  other(id: string): { link: string; text: string; space?: string | null } | undefined
}

/** `before` is the current file: foreign lines of its frontmatter are kept. */
export function renderMemory(memory: Memory, around: RenderContext, before = ''): string {
  const head = fieldsOf(memory).map(([name, value]) => `${name}: ${value}`)
  const kept = foreignFieldLines(splitFrontmatter(before)?.front ?? '', memory.space === null ? ownFields : teamFields)
  const tail = tailOf(memory, around)
  return `${[frontmatterFence, ...head, ...kept, frontmatterFence].join('\n')}\n\n${renderBody({ ...memory, tail })}`
}

export function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('base64url')
}

/** Fields that Recollect writes or has written; all others belong to the person. */
const ownFields: ReadonlySet<string> = new Set([
  'name',
  'description',
  'type',
  'kind',
  'status',
  'trust',
  'importance',
  'tags',
  'learned',
  'confirmed',
  'said',
  'project',
  'id',
  'supersededBy',
  'doubt',
  'contradicts',
  'decision',
  'sources',
])
/** In files of the user's own memories these fields belong to the person. */
const teamFields: ReadonlySet<string> = new Set([...ownFields, 'space', 'author'])

function fieldsOf(memory: Memory): [name: string, value: string][] {
  const sources = [...new Set(memory.evidence.map(sourceOf).filter((source) => source !== undefined))]
  const fields: [string, string][] = [
    ['name', yamlString(titleOf(memory.text))],
    ['description', yamlString(descriptionOf(memory.text))],
    ['type', memory.type],
    ['kind', memory.kind],
    ['status', memory.status],
    ['trust', memory.trust],
    ['importance', String(memory.importance)],
    ['tags', list(memory.tags)],
    ['learned', yamlString(memory.learnedAt)],
    ['confirmed', yamlString(memory.confirmedAt)],
    ['said', String(memory.counts.said)],
    ['project', memory.project === null ? 'null' : yamlString(memory.project)],
    ['id', yamlString(memory.id)],
  ]
  if (memory.space) fields.push(['space', yamlString(memory.space)])
  if (memory.author) fields.push(['author', yamlString(memory.author)])
  if (memory.supersededBy) fields.push(['supersededBy', yamlString(memory.supersededBy)])
  if (memory.doubt) fields.push(['doubt', yamlString(memory.doubt)])
  if (memory.contradicts || memory.state === 'inbox')
    fields.push(['contradicts', memory.contradicts ? yamlString(memory.contradicts) : 'null'])
  if (memory.state === 'inbox') fields.push(['decision', 'null'])
  return [...fields, ['sources', list(sources)]]
}

function list(items: readonly string[]): string {
  return `[${items.map(yamlString).join(', ')}]`
}

export function tailOf(memory: Memory, around: RenderContext): string[] {
  return [
    ...supersededLines(memory, around),
    ...decideLines(memory, around),
    ...againstLines(memory, around),
    ...sourceLines(memory, around),
  ]
}

function supersededLines({ supersededBy, supersededAt }: Memory, { other }: RenderContext): string[] {
  if (!supersededBy) return []
  const by = other(supersededBy)
  const since = supersededAt ? ` since ${supersededAt.slice(0, 10)}` : ''
  return [headings.superseded, '', `By ${by ? `[[${by.link}]]` : supersededBy}${since}`, ...quote(by?.text), '']
}

function decideLines({ state, id, contradicts }: Memory, { other }: RenderContext): string[] {
  if (state !== 'inbox') return []
  const against = contradicts ? other(contradicts) : undefined
  const told = against ? [`May contradict [[${against.link}]]`, ...quote(against.text), ''] : []
  return [
    headings.decide,
    '',
    ...told,
    `- \`recollect inbox ${id} keep\`, or \`decision: keep\` above: this one takes its place`,
    `- \`recollect inbox ${id} drop\`, or deleting this file: it is forgotten`,
    `- \`recollect inbox ${id} both\`: the two stand side by side`,
    '',
  ]
}

/** The two stay valid, and each file shows the other. */
function againstLines({ state, contradicts }: Memory, { other }: RenderContext): string[] {
  const against = state === 'kept' && contradicts ? other(contradicts) : undefined
  if (!against) return []
  const whose = against.space ? ` of ${spaceText(against.space)}` : ''
  return [headings.against, '', `Against a rule${whose}: [[${against.link}]]`, ...quote(against.text), '']
}

function sourceLines({ evidence }: Memory, { dayOf }: RenderContext): string[] {
  if (evidence.length === 0) return []
  return [headings.sources, '', ...evidence.flatMap((one) => sourceLine(one, dayOf))]
}

function sourceLine(evidence: Evidence, dayOf: RenderContext['dayOf']): string[] {
  const source = sourceOf(evidence)
  const day = evidence.session ? dayOf(evidence.session) : undefined
  const said = quote(evidence.quote).map((line) => `  ${line}`)
  return [`- \`${source ? plainLine(source).replaceAll('`', '') : 'told'}\`${day ? `, ${day}` : ''}`, ...said]
}

function sourceOf({ session, file, commit }: Evidence): string | undefined {
  return session ?? file ?? commit
}

function quote(text = ''): string[] {
  const said = normaliseNewlines(text).trim()
  return said === '' ? [] : said.split('\n').map((line) => `> ${line}`.trimEnd())
}

/** Matches any line that `tailOf` can produce, for any memory. */
export function isTailLine(line: string): boolean {
  return /^(?:\s*$|## (?:Superseded|Decide|Against|Sources)\s*$|- `|\s*>|By |May contradict |Against a rule)/.test(line)
}
