// Renders a memory as a Markdown file: frontmatter, statement, sources.
import { createHash } from 'node:crypto'
import { foreignFieldLines, frontmatterFence, splitFrontmatter, yamlString } from '../../core/vault/frontmatter.ts'
import { spaceText } from '../../memory/attribution.ts'
import { proposesDeletion } from '../../memory/deletion-proposal.ts'
import { flatten, type MemoryField, memoryFieldEntries } from '../../memory/fields.ts'
import { descriptionOf, plainLine, titleOf } from '../../memory/file-name.ts'
import type { Evidence, Memory } from '../../memory/memory.ts'
import { escapeMarkdownText, unescapeMarkdownText } from '../../text/markdown.ts'
import { headings, normaliseText, renderBody } from './body.ts'

/** Lookups for what a file shows besides the memory itself. */
export interface RenderContext {
  /** Undefined if the session is unknown. */
  dayOf(session: string): string | undefined
  /** Another memory's link, text and space. */
  other(id: string): { link: string; text: string; space?: string | null } | undefined
  /** The texts that the memory has had; only asked for if its name or description is unknown. */
  textsOf?(id: string): readonly string[]
}

/** `before` is the current file: foreign lines of its frontmatter are kept. */
export function renderMemory(memory: Memory, around: RenderContext, before = ''): string {
  const current = splitFrontmatter(before)
  const head = fieldsOf(memory).map(
    ([name, value]) => ownLine(name, current?.front ?? '', memory, around) ?? `${name}: ${value}`,
  )
  const kept = foreignFieldLines(current?.front ?? '', memory.space === null ? ownKeys : teamKeys)
  const tail = tailOf(memory, around)
  return `${[frontmatterFence, ...head, ...kept, frontmatterFence].join('\n')}\n\n${renderBody({ ...memory, tail }, current?.body)}`
}

/** The name and the description that a person wrote in the file; null if they are ours. */
export function ownNames(
  memory: Pick<Memory, 'id' | 'text'>,
  around: RenderContext,
  content: string,
): { name: string | null; description: string | null } {
  const front = splitFrontmatter(content)?.front ?? ''
  const written = (name: string) => ownField(name, front, memory, around)?.value ?? null
  return { name: written('name'), description: written('description') }
}

/** As it is in the file, which stays so. */
function ownLine(name: string, front: string, memory: Memory, around: RenderContext): string | undefined {
  return name === 'name' || name === 'description' ? ownField(name, front, memory, around)?.lines : undefined
}

/**
 * A name or description is a person's unless it is the beginning of what the memory says, or once
 * said.
 */
function ownField(
  name: string,
  front: string,
  memory: Pick<Memory, 'id' | 'text'>,
  { textsOf }: RenderContext,
): { lines: string; value: string } | undefined {
  const lines = front.split('\n')
  const from = lines.findIndex((line) => line.startsWith(`${name}:`))
  if (from < 0) return undefined
  const next = lines.findIndex((line, index) => index > from && !/^\s/.test(line))
  const own = lines.slice(from, next < 0 ? undefined : next)
  const value = plainLine(
    scalarIn(
      own
        .join(' ')
        .slice(name.length + 1)
        .trim(),
    ),
  )
  const isOurs = (text: string) => plainLine(text).startsWith(value.replace(/…$/, '').trim())
  if (value === '' || value === 'null' || value === 'memory' || isOurs(memory.text)) return undefined
  return textsOf === undefined || textsOf(memory.id).some(isOurs) ? undefined : { lines: own.join('\n'), value }
}

/** The text of a YAML scalar, as far as a comparison needs it. */
function scalarIn(source: string): string {
  if (/^".*"$/.test(source)) {
    try {
      return String(JSON.parse(source))
    } catch {
      return source.slice(1, -1)
    }
  }
  if (/^'.*'$/.test(source)) return source.slice(1, -1)
  return source.replace(/^[>|][+-]?\s+/, '').replace(/\s#.*$/, '')
}

export function hashOf(content: string): string {
  return createHash('sha256').update(content).digest('base64url')
}

/** Keys that Recollect writes or has written; all others belong to the person. */
const ownKeys: ReadonlySet<string> = new Set([
  ...keysOf((field) => !field.isTeamOnly),
  'name',
  'description',
  'decision',
  'sources',
])
const teamKeys: ReadonlySet<string> = new Set([...ownKeys, ...keysOf((field) => field.isTeamOnly === true)])

function keysOf(isWanted: (field: NonNullable<MemoryField['frontmatter']>) => boolean): string[] {
  return memoryFieldEntries.flatMap(([, { frontmatter }]) =>
    frontmatter && isWanted(frontmatter) ? [frontmatter.key] : [],
  )
}

function fieldsOf(memory: Memory): [name: string, value: string][] {
  const sources = [...new Set(memory.evidence.map(sourceOf).filter((source) => source !== undefined))]
  const isInInbox = memory.state === 'inbox'
  const flat = flatten(memory)
  const fields = memoryFieldEntries.flatMap(([name, field]): [string, string][] => {
    const { frontmatter } = field
    const isSet = Array.isArray(flat[name]) ? flat[name].length > 0 : flat[name]
    const isShown = !frontmatter?.isOptional || isSet || (name === 'contradicts' && isInInbox)
    return frontmatter && isShown ? [[frontmatter.key, yamlValue(field, flat[name])]] : []
  })
  return [
    ['name', yamlString(titleOf(memory.text))],
    ['description', yamlString(descriptionOf(memory.text))],
    ...fields,
    ...(isInInbox ? [['decision', 'null'] satisfies [string, string]] : []),
    ['sources', list(sources)],
  ]
}

function yamlValue({ storage, values }: MemoryField, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'null'
  if (values || storage === 'number') return String(value)
  return storage === 'json' ? list(value as string[]) : yamlString(String(value))
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

function decideLines(memory: Memory, { other }: RenderContext): string[] {
  const { state, id, contradicts } = memory
  if (state !== 'inbox') return []
  const against = contradicts ? other(contradicts) : undefined
  if (proposesDeletion(memory))
    return [
      headings.decide,
      '',
      `An agent asks to forget ${against ? `[[${against.link}]]` : contradicts}`,
      ...quote(against?.text),
      '',
      `- \`recollect inbox ${id} accept\`, or \`decision: accept\` above: it is forgotten`,
      `- \`recollect inbox ${id} refuse\`, or deleting this file: it stays`,
      '',
    ]
  const contradicted = against ? [`May contradict [[${against.link}]]`, ...quote(against.text), ''] : []
  return [
    headings.decide,
    '',
    ...contradicted,
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

/** Reads back what `sourceLines` has written, except the ids of events. Undefined if there is none. */
export function evidenceIn(tail: readonly string[]): Evidence[] | undefined {
  const found: Evidence[] = []
  const from = tail.findIndex((line) => line.trimEnd() === headings.sources)
  for (const line of from < 0 ? [] : tail.slice(from + 1)) {
    const source = /^- `([^`]+)`/.exec(line)?.[1]
    if (source !== undefined) found.push({ event: null, quote: '', ...sourceIn(source) })
    const said = /^\s*> ?(.*)$/.exec(line)?.[1]
    const last = found.at(-1)
    if (said !== undefined && last) last.quote = last.quote === '' ? said : `${last.quote}\n${said}`
  }
  const evidence = found.map((one) => ({ ...one, quote: unescapeMarkdownText(one.quote) }))
  return evidence.length > 0 ? evidence : undefined
}

function sourceIn(source: string): Pick<Evidence, 'session' | 'file' | 'commit'> {
  if (source === 'told') return { session: null }
  if (/^[\da-f]{40}$/.test(source)) return { session: null, commit: source }
  return /^[a-z][a-z0-9-]*:\S/.test(source) ? { session: source } : { session: null, file: source }
}

function quote(text = ''): string[] {
  const said = escapeMarkdownText(normaliseText(text))
  return said === '' ? [] : said.split('\n').map((line) => `> ${line}`.trimEnd())
}

/** Matches any line that `tailOf` can produce, for any memory. */
export function isTailLine(line: string): boolean {
  return /^(?:\s*$|## (?:Superseded|Decide|Against|Sources)\s*$|- `|\s*>|By |May contradict |An agent asks to forget |Against a rule)/.test(
    line,
  )
}
