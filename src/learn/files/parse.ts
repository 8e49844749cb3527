// Parses a memory file. Anything that is not understood is a problem with a line number, never a
// guess.

import { parseFrontmatter, splitFrontmatter } from '../../core/vault/frontmatter.ts'
import { memoryFieldEntries } from '../../memory/fields.ts'
import { maxLinks, parseLink } from '../../memory/links.ts'
import {
  type MemoryKind,
  type MemoryReason,
  type MemoryStatus,
  type MemoryTrust,
  type MemoryType,
  maxMemoryLength,
  memoryKinds,
  memoryReasons,
  memoryStatuses,
  memoryTrusts,
  memoryTypes,
} from '../../memory/memory.ts'
import { nearest } from '../../text/nearest.ts'
import { type InboxDecision, inboxDecisions } from '../change.ts'
import { parseBody } from './body.ts'

/** Fields of a file; undefined if the file does not contain them. */
export interface MemoryFileFields {
  id: string | undefined
  text: string
  why: string | null
  apply: string | null
  type: MemoryType | undefined
  kind: MemoryKind | undefined
  status: MemoryStatus | undefined
  importance: number | undefined
  tags: string[] | undefined
  links: string[] | undefined
  decision: InboxDecision | undefined
  /** Why the memory may no longer hold; deleting the line denies the doubt. */
  doubt: string | undefined
  /** Written by Recollect; only read if the ledger does not know the memory. */
  trust: MemoryTrust | undefined
  because: MemoryReason | undefined
  project: string | undefined
  supersededBy: string | undefined
  learnedAt: string | undefined
  confirmedAt: string | undefined
  timesSaid: number | undefined
  contradicts: string | undefined
  /** The team of a new memory. */
  space: string | undefined
  tail: string[]
}

export interface BadFile {
  line: number
  reason: string
}

export type ParsedMemoryFile = { kind: 'said'; said: MemoryFileFields } | ({ kind: 'bad' } & BadFile)

export async function parseMemoryFile(content: string): Promise<ParsedMemoryFile> {
  if (content.includes('\0')) return bad(1, 'Not a text file')
  const split = splitFrontmatter(content)
  if (!split) return bad(1, 'The frontmatter has no closing ---')
  const front = await parseFrontmatter(split.front ?? '')
  if (front.kind === 'bad') return front
  const { fields } = front
  const said = { ...fieldsIn(fields), ...parseBody(split.body) }
  const wrong = wrongField(fields)
  if (wrong) return bad(lineOf(split.front ?? '', wrong.name), wrong.reason)
  if (said.text === '') return bad(split.bodyLine, 'The text below the frontmatter is missing')
  for (const part of ['text', 'why', 'apply'] as const) {
    const length = said[part]?.length ?? 0
    if (length > maxMemoryLength)
      return bad(split.bodyLine, `${length} characters; the limit is ${maxMemoryLength}: split it into two files`)
  }
  return { kind: 'said', said }
}

function bad(line: number, reason: string): ParsedMemoryFile {
  return { kind: 'bad', line, reason }
}

function fieldsIn(fields: Record<string, unknown>): Omit<MemoryFileFields, 'text' | 'why' | 'apply' | 'tail'> {
  return {
    id: textOf(fields.id),
    trust: memoryTrusts.find((name) => name === fields.trust),
    because: memoryReasons.find((name) => name === fields.because),
    project: textOf(fields.project),
    supersededBy: textOf(fields.supersededBy),
    learnedAt: timeOf(fields.learned),
    confirmedAt: timeOf(fields.confirmed),
    timesSaid: Number.isInteger(fields.said) && Number(fields.said) > 0 ? Number(fields.said) : undefined,
    contradicts: textOf(fields.contradicts),
    space: textOf(fields.space),
    type: memoryTypes.find((name) => name === fields.type),
    kind: memoryKinds.find((name) => name === fields.kind),
    status: memoryStatuses.find((name) => name === fields.status),
    importance: typeof fields.importance === 'number' ? fields.importance : undefined,
    tags: isEmpty(fields.tags) ? undefined : tagsIn(fields.tags),
    links: isEmpty(fields.links) ? undefined : linksOf(fields.links),
    decision: inboxDecisions.find((name) => name === fields.decision),
    doubt: textOf(fields.doubt),
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function timeOf(value: unknown): string | undefined {
  const text = value instanceof Date ? value.toISOString() : textOf(value)
  return text !== undefined && !Number.isNaN(Date.parse(text)) ? text : undefined
}

/** A list, or words on one line. */
function tagsIn(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.split(/[,\s]+/).filter(Boolean)
  if (!Array.isArray(value)) return undefined
  return value.every((item) => ['string', 'number', 'boolean'].includes(typeof item)) ? value.map(String) : undefined
}

/** Undefined if it is no list of links to other memories. */
function linksOf(value: unknown): string[] | undefined {
  if (!Array.isArray(value)) return undefined
  const links = value.map((item) => (typeof item === 'string' ? item.trim().replace(/\s+/g, ' ') : ''))
  return links.length <= maxLinks && links.every((text) => /^\S+ \S+$/.test(text) && parseLink('', text))
    ? [...new Set(links)]
    : undefined
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null
}

function wrongField(fields: Record<string, unknown>): { name: string; reason: string } | undefined {
  const editable = memoryFieldEntries.flatMap(([, { values, frontmatter }]) =>
    values && frontmatter?.isEditable ? [[frontmatter.key, values] as const] : [],
  )
  for (const [name, known] of [...editable, ['decision', inboxDecisions] as const]) {
    const value = fields[name]
    if (isEmpty(value) || known.some((one) => one === value)) continue
    const suggestion = nearest(String(value), [...known])
    const hint = suggestion ? `did you mean ${suggestion}?` : `one of ${known.join(', ')}`
    return { name, reason: `${name} is "${String(value)}": ${hint}` }
  }
  const { importance, tags, links, id } = fields
  if (!isEmpty(importance) && !(typeof importance === 'number' && importance >= 0 && importance <= 1))
    return { name: 'importance', reason: 'importance is a number from 0 to 1' }
  if (!isEmpty(tags) && !tagsIn(tags)) return { name: 'tags', reason: 'tags are a list such as [release, tests]' }
  if (!isEmpty(links) && !linksOf(links))
    return { name: 'links', reason: 'links are a list such as ["see-also m-k3j5h2"]; or resolved-by, part-of' }
  if (!isEmpty(id) && typeof id !== 'string') return { name: 'id', reason: 'id is the name that the memory was given' }
  return undefined
}

function lineOf(front: string, name: string): number {
  const index = front.split('\n').findIndex((line) => line.replace(/^["']/, '').startsWith(name))
  return Math.max(0, index) + 2
}
