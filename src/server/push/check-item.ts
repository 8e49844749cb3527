// Validates a pushed item before anything is locked. A refused item does not stop the others of its
// batch.
import type * as z from 'zod'
import { isSecretValue, redact } from '../../core/redact/redact.ts'
import {
  memoryDocument,
  patternDocument,
  practiceDocument,
  sessionDocument,
  shareDocument,
} from '../../sync/documents.ts'
import { hashOfDocument } from '../../sync/item-hash.ts'
import {
  type ItemDocument,
  type ItemKind,
  itemKinds,
  maxBytesOf,
  type PushedItem,
  type PushResult,
} from '../../sync/protocol.ts'
import { canSeeProject, hasRole, type SpaceAccess } from '../context.ts'
import { type IndexFields, indexFieldsOf } from '../search/index-fields.ts'

export type PushRefusal = Extract<PushResult, { status: 'refused' }>

/** A valid item with its derived fields. */
export interface CheckedItem extends PushedItem {
  hash: string
  indexed: IndexFields
}

export type CheckResult = { kind: 'wanted'; wanted: CheckedItem } | { kind: 'refused'; refused: PushRefusal }

export function checkItem(access: SpaceAccess, item: PushedItem): CheckResult {
  const refused = refusalOf(access, item)
  if (refused) return { kind: 'refused', refused }
  const { document } = item
  const indexed = indexFieldsOf(access.spaceId, item.kind, document)
  if (!canSeeProject(access, indexed.project)) {
    return { kind: 'refused', refused: refuse(item.id, 'not allowed', 'You have no access to its project.') }
  }
  return { kind: 'wanted', wanted: { ...item, hash: hashOfDocument(document), indexed } }
}

export function refuse(id: string, reason: PushRefusal['reason'], message: string, rules?: string[]): PushRefusal {
  return { status: 'refused', id, reason, message, ...(rules && { rules }) }
}

function refusalOf(access: SpaceAccess, { id, kind, base, document }: PushedItem): PushRefusal | undefined {
  // In `shared`, the permission depends on the item and is checked later.
  if (access.kind !== 'shared' && !hasRole(access.role, 'writer')) {
    return refuse(id, 'not allowed', 'You have read access only to this space.')
  }
  if (kind === 'share' && access.kind !== 'personal') {
    return refuse(id, 'not allowed', 'Only your own items can be shared.')
  }
  if (!isIdOf(kind, id)) return refuse(id, 'invalid', `Not a valid id of a ${kind}.`)
  if (base && base.version > maxVersion) return refuse(id, 'invalid', 'Version number too large.')
  return document ? documentRefusal(id, kind, document) : undefined
}

/** Leaves room for clients that continue to count. */
const maxVersion = 2 ** 48

function isIdOf(kind: ItemKind, id: string): boolean {
  if (kind !== 'memory') return id.startsWith(`${kind}:`)
  return !itemKinds.some((other) => id.startsWith(`${other}:`))
}

function documentRefusal(id: string, kind: ItemKind, document: ItemDocument): PushRefusal | undefined {
  const written = JSON.stringify(document)
  if (Buffer.byteLength(written) + expandedZeros(written) > maxBytesOf(kind)) {
    return refuse(id, 'too large', `The document of a ${kind} is limited to ${maxBytesOf(kind)} bytes.`)
  }
  const texts: NamedText[] = []
  if (!addTexts(texts, document, maxDepth)) return refuse(id, 'invalid', 'Its document is nested too deeply.')
  if (texts.some(({ name, text }) => !isStorable(text) || !isStorable(name))) {
    return refuse(id, 'invalid', 'It contains characters that cannot be stored.')
  }
  const problem = schemas[kind].safeParse(document).error?.issues[0]
  // Only the first key of the path is from the schema; deeper keys may be content.
  if (problem) return refuse(id, 'invalid', `Invalid ${String(problem.path[0] ?? 'document')} for a ${kind}.`)
  const rules = secretsIn(texts.filter(({ name, text }) => !isEventKey(kind, name, text)))
  if (rules.length === 0) return undefined
  return refuse(id, 'secret', `It contains what looks like a secret: ${rules.join(', ')}.`, rules)
}

const schemas: Record<ItemKind, z.ZodType> = {
  memory: memoryDocument,
  practice: practiceDocument,
  pattern: patternDocument,
  share: shareDocument,
  session: sessionDocument,
}

const maxDepth = 20

interface NamedText {
  /** The key above the text. */
  name: string
  text: string
}

/** Collects all texts and keys of a document. False if it is nested too deeply. */
function addTexts(texts: NamedText[], value: unknown, depth: number, name = ''): boolean {
  if (typeof value === 'string') texts.push({ name, text: value })
  if (typeof value !== 'object' || value === null) return true
  if (depth === 0) return false
  for (const [key, part] of Object.entries(value)) {
    // Keys are content, too.
    if (!Array.isArray(value)) texts.push({ name: key, text: key })
    if (!addTexts(texts, part, depth - 1, Array.isArray(value) ? name : key)) return false
  }
  return true
}

/** PostgreSQL writes numbers with all digits: 1e300 comes back with 301 of them. */
function expandedZeros(written: string): number {
  return (written.match(/(?<=[[:,]-?\d[\d.]*e[+-])\d{1,3}(?=[\],}])/g) ?? []).reduce(
    (sum, zeros) => sum + Number(zeros),
    0,
  )
}

/** PostgreSQL stores neither NUL nor lone surrogates in JSON. */
function isStorable(text: string): boolean {
  return !text.includes('\u0000') && text.isWellFormed()
}

/** A hash that identifies an event; its name reads like that of a secret. */
function isEventKey(kind: ItemKind, name: string, text: string): boolean {
  return kind === 'session' && name === 'key' && /^[A-Za-z0-9+/]{16}$/.test(text)
}

function secretsIn(texts: readonly NamedText[]): string[] {
  const { counts } = redact(texts.map(({ text }) => text))
  const isNamed = texts.some(({ name, text }) => isSecretValue(name, text))
  return [...new Set([...Object.keys(counts), ...(isNamed ? ['password'] : [])])].sort()
}
