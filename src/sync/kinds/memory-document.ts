// Converts memories to sync documents and back. The conversions are exact inverses; otherwise
// machines would send each other unchanged documents.
import { createHash } from 'node:crypto'
import { isoTime } from '../../core/clock.ts'
import { flatten, type MemoryField, memoryFieldEntries } from '../../memory/fields.ts'
import type { Memory } from '../../memory/memory.ts'
import { ownSpace } from '../../store/sync/outbox.ts'
import { truncate } from '../../text/truncate.ts'
import { type MemoryDocument, memoryDocument } from '../documents.ts'
import { canonical, deletedHash } from '../item-hash.ts'
import type { ItemDocument, SyncItem } from '../protocol.ts'

export function memoryDocumentOf(memory: Memory): MemoryDocument {
  const flat = flatten(memory)
  const fields = memoryFieldEntries
    .filter(([name, { isSynced, isLeftOutEmpty }]) => isSynced && !(isLeftOutEmpty && isEmptyList(flat[name])))
    .map(([name, field]) => [name, documentValue(field, flat[name] ?? null)])
  return {
    ...(Object.fromEntries(fields) as MemoryDocument),
    // A forgotten memory is a deleted item; this is its last content.
    state: memory.state === 'inbox' ? 'inbox' : 'kept',
    evidence: memory.evidence.map((one) => ({ ...one, quote: truncate(storable(one.quote), 8000) })),
  }
}

/** Versions of a memory that were stored before the field existed have none. */
function isEmptyList(value: unknown): boolean {
  return !Array.isArray(value) || value.length === 0
}

/** Within the limits of the field, and in a form that PostgreSQL stores. */
function documentValue({ storage, values, max, min }: MemoryField, value: unknown): unknown {
  if (value === null || values) return value
  if (storage === 'time') return isoDateTime(String(value))
  if (storage === 'number') return Math.min(max ?? Number.MAX_SAFE_INTEGER, Math.max(min ?? 0, Number(value)))
  if (storage === 'json')
    return (value as string[]).slice(0, max).map((one) => (typeof one === 'string' ? storable(one) : one))
  return truncate(storable(String(value)), max ?? Number.MAX_SAFE_INTEGER)
}

/** Counts of shown and used, and who kept it, stay local to this machine. */
export function memoryFrom(document: MemoryDocument, local: Memory | undefined, place: MemoryLocation): Memory {
  const { said, ...rest } = withoutUnknown(document)
  return {
    ...rest,
    id: place.id,
    links: rest.links ?? [],
    because: local && local.because !== 'rules' ? local.because : 'import',
    score: local?.score ?? null,
    evidence: rest.evidence.map((one) => ({ ...one }) as Memory['evidence'][number]),
    counts: { said, shown: local?.counts.shown ?? 0, used: local?.counts.used ?? 0 },
    space: place.space === ownSpace ? null : place.space,
    author: place.space === ownSpace ? null : place.author,
  }
}

export interface MemoryLocation {
  id: string
  space: string
  author: string | null
}

export function locationOf(space: string, { id, sharedBy, author }: SyncItem): MemoryLocation {
  return { id, space, author: sharedBy?.user ?? author }
}

/** The server space that a memory belongs to. */
export function spaceOf(memory: Pick<Memory, 'space'>): string {
  return memory.space ?? ownSpace
}

/** Undefined if this version of the program cannot read it. */
export function parseMemoryDocument(document: ItemDocument): MemoryDocument | undefined {
  return memoryDocument.safeParse(document).data
}

/** Fields that a newer program added. */
export function unknownFields(document: MemoryDocument): ItemDocument {
  return Object.fromEntries(Object.entries(document).filter(([key]) => !(key in memoryDocument.shape))) as ItemDocument
}

function withoutUnknown(document: MemoryDocument): MemoryDocument {
  const known = Object.entries(document).filter(([key]) => key in memoryDocument.shape)
  return Object.fromEntries(known) as MemoryDocument
}

/** Hash of the statement: the part that must survive concurrent edits. */
export function statementHash(document: Pick<MemoryDocument, 'text' | 'why' | 'apply'> | null): string {
  if (document === null) return deletedHash
  const { text, why, apply } = document
  return createHash('sha256')
    .update(canonical([text, why, apply]))
    .digest('base64url')
    .slice(0, 22)
}

/** PostgreSQL stores neither NUL nor lone surrogates. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}

/** Agents write times in many formats; ISO times in UTC are kept unchanged. */
function isoDateTime(text: string): string {
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z$/.test(text)) return text
  const ms = Date.parse(text)
  return isoTime(Number.isNaN(ms) ? 0 : ms)
}
